import { User } from 'lucide-react'
import { useState } from 'react'
import { cx } from './cx.ts'
import { initials, profilePictureUrl } from './profile-picture-url-and-initials.ts'

const sizes = { sm: 'size-8 text-13', md: 'size-11 text-14', lg: 'size-16 text-18', xl: 'size-28 text-28' }

/**
 * A person's picture, or the default one if they have none; initials or a silhouette if the picture cannot be loaded. `instructor`: the id
 * of an instructor, for `profilePictureUrl`.
 */
export function Avatar({
  name,
  picture,
  instructor,
  size = 'md',
  className,
}: {
  name: string
  picture?: string | null
  instructor?: string | number
  size?: keyof typeof sizes
  className?: string
}) {
  const src = profilePictureUrl(picture, instructor)
  const [failed, setFailed] = useState<string>()
  const shape = cx('shrink-0 rounded-full', sizes[size], className)
  if (failed !== src) {
    // A picture that failed before hydration fires no further error event, but its natural width is zero.
    const check = (image: HTMLImageElement | null) => {
      if (image?.complete && image.naturalWidth === 0 && image.src) setFailed(src)
    }
    return <img ref={check} src={src} alt={name} onError={() => setFailed(src)} className={cx(shape, 'bg-ink-wash object-cover')} />
  }
  return (
    <span
      role="img"
      aria-label={name || 'Someone'}
      className={cx(shape, 'inline-grid place-items-center bg-field-wash font-medium text-field')}
    >
      {initials(name) || <User aria-hidden="true" className="size-1/2" strokeWidth={1.75} />}
    </span>
  )
}

import { Film } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cx } from '../ui/cx.ts'

/**
 * A 16:9 still of a video; a drawn baseball field if there is no still or it fails to load. It is decorative, because the video's name
 * is next to it. `eager`: the poster is visible without scrolling, so the browser loads it immediately. Otherwise, the browser loads it
 * with low priority when it comes near the visible part of the page.
 */
export function VideoPoster({ src, className, eager = false }: { src: string | null; className?: string; eager?: boolean }) {
  const [failed, setFailed] = useState<string>()
  const image = useRef<HTMLImageElement>(null)
  // The image may have failed before React attached `onError`.
  useEffect(() => {
    const { complete, naturalWidth } = image.current ?? {}
    if (complete && naturalWidth === 0) setFailed(src ?? undefined)
  }, [src])
  return (
    <span className={cx('relative block aspect-video overflow-hidden bg-field-wash', className)}>
      {src && failed !== src ? (
        <img
          ref={image}
          src={src}
          alt=""
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? undefined : 'low'}
          decoding="async"
          onError={() => setFailed(src)}
          className="size-full object-cover"
        />
      ) : (
        <>
          <svg viewBox="0 0 160 90" fill="none" aria-hidden="true" className="absolute inset-0 size-full text-field">
            <path d="M80 100 30 50 80 0l50 50Z" stroke="currentColor" strokeOpacity="0.25" strokeWidth="1.5" />
            <path d="M80 100-20 0M80 100 180 0" stroke="currentColor" strokeOpacity="0.25" strokeWidth="1.5" />
          </svg>
          <Film aria-hidden="true" size={24} strokeWidth={1.75} className="absolute inset-0 m-auto text-field" />
        </>
      )}
    </span>
  )
}

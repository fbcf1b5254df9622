import { useEffect, useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { cx } from '../ui/cx.ts'
import { stillOf } from './stills.ts'

/** One frame of a clip as a picture. `ready`: it may be fetched; until it is there its place is kept. */
export function Still({ clip, frame, ready }: { clip: Video | undefined; frame: number; ready: boolean }) {
  const [made, setMade] = useState<{ of: string; src: string }>()
  const of = `${clip?.id} ${frame}`
  const wanted = ready && clip?.rendition?.state === 'ready' && made?.of !== of ? clip : undefined
  useEffect(() => {
    if (!wanted) return
    let over = false
    stillOf(wanted, frame).then(
      src => over || setMade({ of, src }),
      // Its name and its frame are there all the same.
      () => {},
    )
    return () => {
      over = true
    }
  }, [wanted, frame, of])
  const { width = 0, height = 0 } = clip?.media ?? {}
  const upright = height > width
  return (
    <span className="block h-20 w-28 overflow-hidden rounded-base bg-ink-wash">
      {made?.of === of && (
        <img src={made.src} alt="" data-still={frame} className={cx('size-full', upright ? 'object-contain' : 'object-cover')} />
      )}
    </span>
  )
}

import { useEffect, useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { cx } from '../ui/cx.ts'
import { loadFrameStillUrl, type RenewClip } from './frame-stills.ts'

/** One frame of a clip as a picture; an empty box until it is loaded. `canLoad`: whether it may be loaded now. */
export function FrameStill({
  clip,
  frame,
  canLoad,
  renewClip,
}: {
  clip: Video | undefined
  frame: number
  canLoad: boolean
  renewClip: RenewClip
}) {
  const [drawn, setDrawn] = useState<{ key: string; src: string }>()
  const key = `${clip?.id} ${frame}`
  const wanted = canLoad && clip?.rendition?.state === 'ready' && drawn?.key !== key ? clip : undefined
  useEffect(() => {
    if (!wanted) return
    let isUnmounted = false
    loadFrameStillUrl(wanted, frame, renewClip).then(
      src => isUnmounted || setDrawn({ key, src }),
      // Without the picture, the position's name and frame number are still shown.
      () => {},
    )
    return () => {
      isUnmounted = true
    }
  }, [wanted, frame, key, renewClip])
  const { width = 0, height = 0 } = clip?.media ?? {}
  const isUpright = height > width
  return (
    <span className="block h-20 w-28 overflow-hidden rounded-base bg-ink-wash">
      {drawn?.key === key && (
        <img src={drawn.src} alt="" data-still={frame} className={cx('size-full', isUpright ? 'object-contain' : 'object-cover')} />
      )}
    </span>
  )
}

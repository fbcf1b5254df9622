import type { Video } from '../../modules/folders/contract.ts'
import { cx } from '../ui/cx.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { aspectRatioOf } from './aspect-ratio-of-clip.ts'

/**
 * The maximum height of a picture above text: on a phone, the picture, its controls and the header leave 45% of the height for reading.
 */
export const STAGE_MAX_HEIGHT_CLASSES = 'max-h-[max(9rem,55dvh-var(--header)-7.5rem)] lg:max-h-[70dvh] short:max-h-[calc(100dvh-8.5rem)]'
/** The maximum height while a review plays: on a phone, all of the screen except the header, the controls and a few lines of text. */
export const PLAYING_REVIEW_MAX_HEIGHT_CLASSES =
  'max-h-[max(9rem,100dvh-var(--header)-7.5rem-clamp(4.5rem,20dvh,9.5rem)-1.5rem)] lg:max-h-[70dvh] short:max-h-[calc(100dvh-8.5rem)]'

/**
 * A placeholder for a stage whose player has not loaded: the clip's poster, and empty space for the controls. `fill`: fills the available
 * height, as in the studio.
 */
export const StageSkeleton = ({ clip, fill = false }: { clip: Video; fill?: boolean }) => (
  <div className={cx('flex flex-col', fill && 'h-full min-h-0 short:flex-row')}>
    <div
      data-theme="studio"
      className={cx('relative min-h-0 w-full bg-chalk', fill ? 'flex-1 short:mb-18' : STAGE_MAX_HEIGHT_CLASSES)}
      style={fill ? undefined : { aspectRatio: aspectRatioOf(clip) }}
    >
      {clip.poster && <img src={clip.poster} alt="" fetchPriority="high" className="absolute inset-0 size-full object-contain" />}
    </div>
    <StageControlsSkeleton className={fill ? 'short:h-auto short:w-26 short:min-[820px]:w-40' : ''} />
  </div>
)

/** A placeholder for the strip of frames and the controls below it, with the same total height. */
export const StageControlsSkeleton = ({ className }: { className?: string }) => (
  <span className={cx('flex h-30 flex-wrap content-end items-end gap-4 p-2', className)}>
    <Skeleton className="size-11 rounded-full!" />
    <Skeleton className="mb-3 h-5 w-22" />
  </span>
)

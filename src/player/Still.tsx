import type { Video } from '../../modules/folders/contract.ts'
import { cx } from '../ui/cx.ts'
import { Skeleton } from '../ui/skeleton.tsx'

/** How wide a clip is for its height; 16:9 where nobody knows. */
export const aspectOf = ({ width, height }: Pick<Video, 'width' | 'height'>) => (width && height ? width / height : 16 / 9)

/** As high as a picture becomes beside what is read: on a phone that is short, too, some lines of it stay in sight below. */
export const TALLEST = 'max-h-[clamp(11rem,100dvh-27rem,45dvh)] lg:max-h-[70dvh]'

/**
 * The stage before its player is there: the clip's still in the place of the picture, and room for what one presses. `fill`: as high as it is
 * given, as in the studio.
 */
export const Still = ({ clip, fill = false }: { clip: Video; fill?: boolean }) => (
  <div className={cx('flex flex-col', fill && 'h-full min-h-0')}>
    <div
      data-theme="studio"
      className={cx('relative min-h-0 w-full bg-chalk', fill ? 'flex-1' : TALLEST)}
      style={fill ? undefined : { aspectRatio: aspectOf(clip) }}
    >
      {clip.poster && <img src={clip.poster} alt="" fetchPriority="high" className="absolute inset-0 size-full object-contain" />}
    </div>
    <Controls />
  </div>
)

/** As high as the strip of frames and what stands below it. */
export const Controls = () => (
  <span className="flex h-30 items-end gap-4 p-2">
    <Skeleton className="size-11 rounded-full!" />
    <Skeleton className="mb-3 h-5 w-24" />
  </span>
)

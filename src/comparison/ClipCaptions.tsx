import { useStore } from '@nanostores/react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import type { NamedPair } from './named-clips.ts'
import type { Rect } from './picture-layout.ts'
import type { SyncedComparison } from './synced-comparison.ts'

const CAPTION_INSET_PX = 8
/** Overlaid pictures with this much room on both sides have their captions beside them. */
const MIN_CAPTION_MARGIN_PX = 140

/** The place of a caption. Overlaid pictures have theirs on the left and on the right: beside them if there is room, otherwise over them. */
function captionPlace({ left, top, width }: Rect, isOverlaid: boolean, isSecond: boolean) {
  const place = { top: top + CAPTION_INSET_PX, left: left + CAPTION_INSET_PX, maxWidth: width - 2 * CAPTION_INSET_PX }
  if (!isOverlaid) return place
  const isBeside = left >= MIN_CAPTION_MARGIN_PX
  const edge = isSecond ? left + width : left
  const maxWidth = isBeside ? left - 2 * CAPTION_INSET_PX : (width - 3 * CAPTION_INSET_PX) / 2
  const startsAtEdge = isSecond === isBeside
  return {
    ...place,
    maxWidth,
    ...(startsAtEdge ? { left: edge + CAPTION_INSET_PX } : { left: edge - CAPTION_INSET_PX, translate: '-100%' }),
  }
}

/** The name of each clip and the number of its frame on the canvas, shown over its picture, or beside overlaid ones. */
export function ClipCaptions({ comparer, pair, mode }: { comparer: SyncedComparison; pair: NamedPair; mode: Comparison['mode'] }) {
  useStore(comparer.$layoutVersion)
  const state = useStore(comparer.$state)
  const dueFrames = useStore(comparer.$dueFrames)
  const shownFrames = useStore(comparer.$shownFrames)
  const frames = shownFrames ?? dueFrames
  const rects = comparer.pictureRects()
  const isOverlaid = mode !== 'side'
  const wider = rects[rects[1].width > rects[0].width ? 1 : 0]
  return (
    <>
      <span hidden data-state={state} data-due={dueFrames.join()} data-shown={shownFrames?.join() ?? ''} />
      {pair.map(({ label }, i) => (
        <span
          key={i === 0 ? 'first' : 'second'}
          className="pointer-events-none absolute z-2 flex w-max whitespace-pre rounded-base bg-chalk px-1.5 text-13 text-ink tabular-nums"
          style={captionPlace(isOverlaid ? wider : rects[i]!, isOverlaid, i === 1)}
        >
          <span className="truncate">{label}</span>
          <span className="shrink-0"> · {frames[i]! + 1}</span>
        </span>
      ))}
    </>
  )
}

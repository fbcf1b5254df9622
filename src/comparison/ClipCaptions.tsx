import { useStore } from '@nanostores/react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { type CaptionLayout, layOutCaptions } from './caption-layout.ts'
import type { LabeledClipPair } from './labeled-clips.ts'
import type { SyncedComparisonController } from './synced-comparison.ts'

/** If there is this much room on both sides of overlaid pictures, their captions are next to them instead of over them. */
const MIN_CAPTION_MARGIN_PX = 140

const captionStyle = ({ x, y, align, maxWidth }: CaptionLayout) => ({
  left: x,
  top: y,
  maxWidth,
  ...(align === 'right' && { translate: '-100%' }),
})

/** Each clip's name and the number of the frame shown, over its picture or, if the pictures overlap and there is room, next to them. */
export function ClipCaptions({
  comparer,
  pair,
  mode,
}: {
  comparer: SyncedComparisonController
  pair: LabeledClipPair
  mode: Comparison['mode']
}) {
  useStore(comparer.$layoutVersion)
  const state = useStore(comparer.$state)
  const dueFrames = useStore(comparer.$dueFrames)
  const shownFrames = useStore(comparer.$shownFrames)
  const frames = shownFrames ?? dueFrames
  const places = layOutCaptions(comparer.pictureRects(), mode, MIN_CAPTION_MARGIN_PX)
  return (
    <>
      <span hidden data-state={state} data-due={dueFrames.join()} data-shown={shownFrames?.join() ?? ''} />
      {pair.map(({ label }, i) => (
        <span
          key={i === 0 ? 'first' : 'second'}
          className="pointer-events-none absolute z-2 flex w-max whitespace-pre rounded-base bg-chalk px-1.5 text-13 text-ink tabular-nums"
          style={captionStyle(places[i]!)}
        >
          <span className="truncate">{label}</span>
          <span className="shrink-0"> · {frames[i]! + 1}</span>
        </span>
      ))}
    </>
  )
}

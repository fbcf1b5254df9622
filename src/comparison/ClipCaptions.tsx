import { useStore } from '@nanostores/react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import type { NamedPair } from './named-clips.ts'
import type { SyncedComparison } from './synced-comparison.ts'

/** The name of each clip and the number of its frame on the canvas, shown over its picture. */
export function ClipCaptions({ comparer, pair, mode }: { comparer: SyncedComparison; pair: NamedPair; mode: Comparison['mode'] }) {
  useStore(comparer.$layoutVersion)
  const state = useStore(comparer.$state)
  const dueFrames = useStore(comparer.$dueFrames)
  const shownFrames = useStore(comparer.$shownFrames)
  const frames = shownFrames ?? dueFrames
  const rects = comparer.pictureRects()
  return (
    <>
      <span hidden data-state={state} data-due={dueFrames.join()} data-shown={shownFrames?.join() ?? ''} />
      {pair.map(({ label }, i) => {
        const { left, top, width } = rects[i]!
        const areOverlaid = mode !== 'side'
        const side = areOverlaid && i === 1 ? { right: 8 } : { left: left + 8 }
        return (
          <span
            key={i === 0 ? 'first' : 'second'}
            className="pointer-events-none absolute z-2 flex max-w-full whitespace-pre rounded-base bg-chalk px-1.5 text-13 text-ink tabular-nums"
            style={{ ...side, top: top + 8, maxWidth: areOverlaid ? '48%' : width - 16 }}
          >
            <span className="truncate">{label}</span>
            <span className="shrink-0"> · {frames[i]! + 1}</span>
          </span>
        )
      })}
    </>
  )
}

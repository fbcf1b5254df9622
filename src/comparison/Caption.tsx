import { useStore } from '@nanostores/react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import type { Comparer } from './comparer.ts'
import type { NamedPair } from './named.ts'

/** Which clip is which, and the frame whose picture is shown. */
export function Caption({ comparer, pair, mode }: { comparer: Comparer; pair: NamedPair; mode: Comparison['mode'] }) {
  useStore(comparer.$laid)
  const state = useStore(comparer.$state)
  const due = useStore(comparer.$frames)
  const shown = useStore(comparer.$shown)
  const frames = shown ?? due
  const places = comparer.places()
  return (
    <>
      <span hidden data-state={state} data-due={due.join()} data-shown={shown?.join() ?? ''} />
      {pair.map(({ of }, i) => {
        const { left, top, width } = places[i]!
        const over = mode !== 'side'
        const along = over && i === 1 ? { right: 8 } : { left: left + 8 }
        return (
          <span
            key={i === 0 ? 'first' : 'second'}
            className="pointer-events-none absolute z-2 flex max-w-full whitespace-pre rounded-base bg-chalk px-1.5 text-13 text-ink tabular-nums"
            style={{ ...along, top: top + 8, maxWidth: over ? '48%' : width - 16 }}
          >
            <span className="truncate">{of}</span>
            <span className="shrink-0"> · {frames[i]! + 1}</span>
          </span>
        )
      })}
    </>
  )
}

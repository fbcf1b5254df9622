import { useState } from 'react'
import type { TechniquePosition } from '../../modules/reviews/contract.ts'
import { capitalize } from '../ui/capitalize.ts'
import { CompactSelect } from '../ui/compact-select.tsx'
import { formatMillisecondsBetweenFrames } from './edit-and-group-technique-positions.ts'

/** Shows the milliseconds between two positions that the viewer selects, initially the first and the last. */
export function TimeBetweenPositions({ points, real }: { points: readonly TechniquePosition[]; real: ((frame: number) => number) | null }) {
  const [selected, select] = useState<{ from?: string; to?: string }>({})
  const from = points.find(p => p.name === selected.from) ?? points[0]!
  const to = points.find(p => p.name === selected.to) ?? points.at(-1)!
  const names = points.map(({ name }) => [name, capitalize(name)] as const)
  return (
    <p className="flex flex-wrap items-center gap-2 text-14">
      <CompactSelect framed label="From" value={from.name} options={names} onChange={name => select({ ...selected, from: name })} />
      to
      <CompactSelect framed label="To" value={to.name} options={names} onChange={name => select({ ...selected, to: name })} />
      <output className="tabular-nums">
        <span className="text-22 font-heavy">{formatMillisecondsBetweenFrames(real, from.frame, to.frame)}</span> ms
      </output>
    </p>
  )
}

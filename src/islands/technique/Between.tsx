import { useState } from 'react'
import type { Checkpoint } from '../../../modules/reviews/contract.ts'
import { title } from '../../ui/title.ts'
import { span } from './positions.ts'

/** The milliseconds between any two positions: from the first to the last, until others are chosen. */
export function Between({ points, real }: { points: readonly Checkpoint[]; real: ((frame: number) => number) | null }) {
  const [chosen, choose] = useState<{ from?: string; to?: string }>({})
  const from = points.find(p => p.name === chosen.from) ?? points[0]!
  const to = points.find(p => p.name === chosen.to) ?? points.at(-1)!
  const select = (label: string, value: string, onChange: (name: string) => void) => (
    <select
      aria-label={label}
      value={value}
      onChange={e => onChange(e.currentTarget.value)}
      className="h-11 rounded-field border border-edge bg-paper px-2 text-14 font-medium"
    >
      {points.map(p => (
        <option key={p.name} value={p.name}>
          {title(p.name)}
        </option>
      ))}
    </select>
  )
  return (
    <p className="flex flex-wrap items-center gap-2 text-14">
      {select('From', from.name, name => choose({ ...chosen, from: name }))}
      to
      {select('To', to.name, name => choose({ ...chosen, to: name }))}
      <output className="ml-1 tabular-nums">
        <span className="text-22 font-heavy">{span(real, from.frame, to.frame)}</span> ms
      </output>
    </p>
  )
}

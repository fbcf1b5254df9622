import { useStore } from '@nanostores/react'
import { ChevronLeft, ChevronRight, Pause, Play, Repeat } from 'lucide-react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Speed } from '../ui/speed.tsx'
import { SPEEDS } from './clock.ts'
import type { Comparer } from './comparer.ts'
import { fromSync, RANGE } from './Line.tsx'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

const Time = ({ comparer }: { comparer: Comparer }) => (
  <span className="min-w-18 pr-1 text-14 whitespace-nowrap tabular-nums">{fromSync(useStore(comparer.$at))}</span>
)

/** How strongly the second picture lies over the first. */
function Ghost({ comparer }: { comparer: Comparer }) {
  const part = useStore(comparer.$part)
  return (
    <label className="flex h-11 items-center gap-2 pl-2 text-14">
      Ghost
      <span className="relative block h-11 w-24">
        <span aria-hidden="true" className="absolute inset-x-0 top-1/2 h-1 -translate-y-1/2 rounded-full bg-line" />
        <input
          type="range"
          min={0}
          max={100}
          step={1}
          value={Math.round(part * 100)}
          onChange={e => comparer.$part.set(Number(e.currentTarget.value) / 100)}
          className={RANGE}
        />
      </span>
    </label>
  )
}

/** Plays both, steps, repeats, and says where they are. */
export function Controls({ comparer, mode }: { comparer: Comparer; mode: Comparison['mode'] }) {
  const playing = useStore(comparer.$playing)
  const looping = useStore(comparer.$loop)
  const speed = useStore(comparer.$rate)
  return (
    <div className="-mt-1 flex flex-wrap items-center">
      <IconButton variant="ink" label={playing ? 'Pause both' : 'Play both'} onClick={comparer.toggle} className="rounded-full! sm:mr-1">
        {playing ? <Pause {...icon} fill="currentColor" /> : <Play {...icon} fill="currentColor" className="translate-x-px" />}
      </IconButton>
      <IconButton label="Both: previous frame" onClick={() => comparer.step(-1)}>
        <ChevronLeft {...icon} />
      </IconButton>
      <IconButton label="Both: next frame" onClick={() => comparer.step(1)}>
        <ChevronRight {...icon} />
      </IconButton>
      <Time comparer={comparer} />
      <IconButton
        label={looping ? 'Stop at the end' : 'Begin again at the end'}
        aria-pressed={looping}
        onClick={() => comparer.$loop.set(!looping)}
        className={cx(looping && 'bg-field-wash text-field')}
      >
        <Repeat {...icon} />
      </IconButton>
      {mode === 'ghost' && <Ghost comparer={comparer} />}
      <span className="flex-1" />
      <Speed label="Speed of both" value={speed} speeds={SPEEDS} onChange={comparer.speed} />
    </div>
  )
}

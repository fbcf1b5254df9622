import { useStore } from '@nanostores/react'
import { ChevronLeft, ChevronRight, Pause, Play, Repeat } from 'lucide-react'
import { useId } from 'react'
import type { Comparison, OnionSkin } from '../../modules/reviews/contract.ts'
import { PLAYBACK_SPEEDS } from '../player/playback-speeds.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { SpeedSelect } from '../ui/speed-select.tsx'
import { formatTimeFromSyncPoint } from './ComparisonTimeSlider.tsx'
import { PlainSlider } from './PlainSlider.tsx'
import type { SyncedComparisonController } from './synced-comparison.ts'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

const SyncTime = ({ comparer }: { comparer: SyncedComparisonController }) => (
  <span className="min-w-18 pr-1 text-14 whitespace-nowrap tabular-nums">{formatTimeFromSyncPoint(useStore(comparer.$time))}</span>
)

/** A slider for the opacity of the second picture over the first. `onChange` stores the new opacity. */
function OnionSkinSlider({
  comparer,
  onChange,
}: {
  comparer: SyncedComparisonController
  onChange?: ((skin: OnionSkin) => void) | undefined
}) {
  const skin = useStore(comparer.$onionSkin)
  const id = useId()
  return (
    <label htmlFor={id} className="flex h-11 items-center gap-2 pl-2 text-14">
      Overlay
      <PlainSlider
        id={id}
        min={10}
        max={90}
        step={1}
        value={skin.opacity}
        onChange={e => {
          const next = { ...skin, opacity: Number(e.currentTarget.value) }
          comparer.$onionSkin.set(next)
          onChange?.(next)
        }}
        className="w-24"
      />
    </label>
  )
}

/** Controls that play, step and loop both clips and set their speed; also shows the current time. */
export function ComparisonPlaybackControls({
  comparer,
  mode,
  onOnionSkin,
}: {
  comparer: SyncedComparisonController
  mode: Comparison['mode']
  /** Stores a changed onion skin; without this function, the change lasts as long as the comparison is open. */
  onOnionSkin?: ((skin: OnionSkin) => void) | undefined
}) {
  const playing = useStore(comparer.$playing)
  const looping = useStore(comparer.$loop)
  const speed = useStore(comparer.$rate)
  return (
    <div className="-mt-1 flex flex-wrap items-center short:mt-0">
      <IconButton variant="ink" label={playing ? 'Pause both' : 'Play both'} onClick={comparer.toggle} className="rounded-full! sm:mr-1">
        {playing ? <Pause {...ICON} fill="currentColor" /> : <Play {...ICON} fill="currentColor" className="translate-x-px" />}
      </IconButton>
      <IconButton label="Both: previous frame" onClick={() => comparer.step(-1)}>
        <ChevronLeft {...ICON} />
      </IconButton>
      <IconButton label="Both: next frame" onClick={() => comparer.step(1)}>
        <ChevronRight {...ICON} />
      </IconButton>
      <SyncTime comparer={comparer} />
      <IconButton
        label={looping ? 'Stop looping both' : 'Loop both'}
        aria-pressed={looping}
        onClick={() => comparer.$loop.set(!looping)}
        className={cx(looping && 'bg-field-wash text-field')}
      >
        <Repeat {...ICON} />
      </IconButton>
      {mode === 'ghost' && <OnionSkinSlider comparer={comparer} onChange={onOnionSkin} />}
      <span className="flex-1" />
      <SpeedSelect label="Speed of both clips" value={speed} speeds={PLAYBACK_SPEEDS} onChange={comparer.setSpeed} />
    </div>
  )
}

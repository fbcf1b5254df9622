import { useStore } from '@nanostores/react'
import { ChevronLeft, ChevronRight, FlipHorizontal2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Comparison } from '../../../../modules/reviews/contract.ts'
import { syncAtFrames } from '../../../comparison/comparison-timing.ts'
import type { LabeledClipPair } from '../../../comparison/labeled-clips.ts'
import { mirrorComparedSide } from '../../../comparison/mirror-compared-side.ts'
import { PlainSlider } from '../../../comparison/PlainSlider.tsx'
import type { SyncedComparisonController } from '../../../comparison/synced-comparison.ts'
import { aspectRatioOfComparedSide } from '../../../comparison/use-comparison-drawing.ts'
import { measureShapeText } from '../../../drawing/shape-text-font-and-size.ts'
import { Button, IconButton } from '../../../ui/button.tsx'

type Side = Comparison['sides'][number]
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

/** A number field in which anything can be typed, but which reports only values within its limits. */
function NumberField({
  label,
  unit,
  value,
  min,
  max,
  step,
  onValue,
}: {
  label: string
  unit: string
  value: number
  min: number
  max: number
  step: number
  onValue: (value: number) => void
}) {
  const [typed, setTyped] = useState(String(value))
  useEffect(() => setTyped(before => (Number(before) === value ? before : String(value))), [value])
  return (
    <label className="flex items-center gap-1.5 text-13 text-ink-2">
      {label}
      <input
        type="number"
        inputMode="decimal"
        {...{ min, max, step }}
        value={typed}
        onChange={e => {
          setTyped(e.currentTarget.value)
          const next = Number(e.currentTarget.value)
          if (e.currentTarget.value !== '' && next >= min && next <= max) onValue(next)
        }}
        onBlur={() => setTyped(String(value))}
        className="h-9 w-20 rounded-field border border-edge bg-paper px-2 text-right text-14 text-ink tabular-nums max-md:h-11"
      />
      {unit}
    </label>
  )
}

/** Syncs two clips: moves each separately, sets its delay and rate, and mirrors it. */
export function SyncControls({
  comparer,
  pair,
  comparison,
  onChange,
}: {
  comparer: SyncedComparisonController
  pair: LabeledClipPair
  comparison: Comparison
  onChange: (change: (comparison: Comparison) => Comparison) => void
}) {
  const frames = useStore(comparer.$dueFrames)
  useStore(comparer.$state)
  const counts = comparer.frameCounts()
  const clamp = (which: number, frame: number) => Math.max(0, Math.min(counts[which]! - 1, frame))

  /** Moves one clip alone, then syncs both on the frames now shown. */
  function move(which: 0 | 1, frame: number) {
    comparer.pause()
    const next: [number, number] = [frames[0], frames[1]]
    next[which] = clamp(which, frame)
    onChange(c => syncAtFrames(c, next))
    comparer.seek(0)
  }
  const change = (which: 0 | 1, update: (side: Side) => Side) =>
    onChange(c => ({ ...c, sides: c.sides.map((side, i) => (i === which ? update(side) : side)) as Comparison['sides'] }))
  const tune = (which: 0 | 1, values: Partial<Side>) => change(which, side => ({ ...side, ...values }))

  return (
    <div className="grid gap-x-6 gap-y-2 border-t border-line pt-2 sm:grid-cols-2">
      {([0, 1] as const).map(which => {
        const { label, clip } = pair[which]
        const side = comparison.sides[which]
        const name = `${which === 0 ? 'First' : 'Second'} clip`
        return (
          <fieldset key={which} className="min-w-0">
            <legend className="max-w-full truncate text-13 font-medium">
              {label} {label !== clip.name && <span className="font-normal text-ink-2">{clip.name}</span>}
            </legend>
            <div className="flex items-center">
              <IconButton label={`${name}: previous frame`} onClick={() => move(which, frames[which] - 1)}>
                <ChevronLeft {...icon} />
              </IconButton>
              <PlainSlider
                aria-label={`Position of the ${which === 0 ? 'first' : 'second'} clip alone`}
                aria-valuetext={`Frame ${frames[which] + 1} of ${counts[which]}`}
                min={0}
                max={Math.max(0, counts[which] - 1)}
                step={1}
                value={frames[which]}
                onChange={e => move(which, Number(e.currentTarget.value))}
                className="min-w-0 flex-1"
              />
              <IconButton label={`${name}: next frame`} onClick={() => move(which, frames[which] + 1)}>
                <ChevronRight {...icon} />
              </IconButton>
            </div>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <span className="min-w-40 text-13 text-ink-2 tabular-nums">
                Frame {frames[which] + 1}, synced on {side.origin + 1}
              </span>
              <NumberField
                label="Delay"
                unit="ms"
                value={side.offset}
                min={-600_000}
                max={600_000}
                step={1}
                onValue={offset => tune(which, { offset: Math.round(offset) })}
              />
              <NumberField
                label="Rate"
                unit="×"
                value={side.scale}
                min={0.05}
                max={20}
                step={0.05}
                onValue={scale => tune(which, { scale })}
              />
              <Button
                variant="secondary"
                size="sm"
                aria-label={`${name}: mirror`}
                title="Mirrors the clip, so you can put a lefty beside a righty"
                aria-pressed={!!side.mirrored}
                icon={<FlipHorizontal2 {...icon} />}
                onClick={() => {
                  const aspect = aspectRatioOfComparedSide(comparer, which)
                  change(which, s => mirrorComparedSide(s, shape => measureShapeText(shape, aspect).width))
                }}
                className="aria-pressed:border-field aria-pressed:bg-field-wash aria-pressed:text-field"
              >
                Mirror
              </Button>
            </div>
          </fieldset>
        )
      })}
    </div>
  )
}

import { useStore } from '@nanostores/react'
import {
  Circle,
  ClipboardPaste,
  Copy,
  DraftingCompass,
  Flashlight,
  type LucideIcon,
  MousePointer2,
  MoveUpRight,
  Pencil as Pen,
  Redo2,
  Slash,
  Square,
  Trash2,
  Type,
  Undo2,
  X,
} from 'lucide-react'
import { memo, useDeferredValue } from 'react'
import { INKS } from '../../modules/reviews/policy.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { useDeferredStore } from '../ui/deferred-store.ts'
import { Select } from '../ui/select.tsx'
import type { Acts } from './acts.ts'
import { type Instrument, type Pencil, WIDTHS } from './pencil.ts'
import { STAYS, type Stay } from './stay.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const
const INSTRUMENTS: [Instrument, string, LucideIcon][] = [
  ['select', 'Select and move', MousePointer2],
  ['pen', 'Pen', Pen],
  ['line', 'Line', Slash],
  ['arrow', 'Arrow', MoveUpRight],
  ['circle', 'Circle', Circle],
  ['rectangle', 'Rectangle', Square],
  ['angle', 'Angle', DraftingCompass],
  ['text', 'Text', Type],
  ['laser', 'Laser, leaves nothing', Flashlight],
]
/** Those that show on grass and on sky. */
const COLORS = [0, 1, 2, 3].map(number => [number, INKS[number]!] as const)
const FILLS: Record<string, string> = { clay: 'bg-clay', gold: 'bg-gold', sky: 'bg-sky', chalk: 'bg-(--chalk-mark)' }
const NAMES: Record<string, string> = { clay: 'Clay', gold: 'Gold', sky: 'Sky', chalk: 'Chalk' }
const THICK: Record<number, string> = { [WIDTHS[0]]: 'Thin', [WIDTHS[1]]: 'Medium', [WIDTHS[2]]: 'Thick' }

/** One thing to draw with. */
const Choice = memo(function Choice({
  pencil,
  its,
  name,
  Icon,
  chosen,
}: {
  pencil: Pencil
  its: Instrument
  name: string
  Icon: LucideIcon
  chosen: boolean
}) {
  return (
    <label
      title={name}
      className={cx(
        'grid size-11 cursor-pointer place-items-center pointer-fine:w-10 rounded-[8px] has-focus-visible:outline-3 has-focus-visible:-outline-offset-3 has-focus-visible:outline-sky',
        chosen ? 'bg-field text-on-fill' : 'hover:bg-ink-wash',
      )}
    >
      <input type="radio" name="instrument" className="sr-only" aria-label={name} checked={chosen} onChange={() => pencil.choose(its)} />
      <Icon {...icon} />
    </label>
  )
})

const Instruments = memo(function Instruments({ pencil }: { pencil: Pencil }) {
  const instrument = useStore(pencil.$instrument)
  return (
    <fieldset className="flex">
      <legend className="sr-only">Draw with</legend>
      {INSTRUMENTS.map(([its, name, Icon]) => (
        <Choice key={its} {...{ pencil, its, name, Icon }} chosen={its === instrument} />
      ))}
    </fieldset>
  )
})

const Colors = memo(function Colors({ pencil, acts }: { pencil: Pencil; acts: Acts }) {
  const color = useStore(pencil.$color)
  return (
    <fieldset className="flex">
      <legend className="sr-only">Color</legend>
      {COLORS.map(([number, name]) => (
        <label
          key={name}
          title={NAMES[name]}
          className="grid h-11 w-9 cursor-pointer place-items-center rounded-[8px] hover:bg-ink-wash has-focus-visible:outline-3 has-focus-visible:-outline-offset-3 has-focus-visible:outline-sky"
        >
          <input
            type="radio"
            name="color"
            className="sr-only"
            aria-label={NAMES[name]}
            checked={number === color}
            onChange={() => {
              pencil.$color.set(number)
              acts.recolor(number)
            }}
          />
          <span
            aria-hidden="true"
            className={cx('size-5 rounded-full', FILLS[name], number === color && 'outline-2 outline-offset-2 outline-ink')}
          />
        </label>
      ))}
    </fieldset>
  )
})

const Widths = memo(function Widths({ pencil, acts }: { pencil: Pencil; acts: Acts }) {
  const width = useStore(pencil.$width)
  return (
    <Select
      label="Width"
      value={String(width)}
      options={WIDTHS.map(w => [String(w), THICK[w]!])}
      onChange={w => {
        pencil.$width.set(Number(w))
        acts.rewide(Number(w))
      }}
    />
  )
})

/** Next to the colors, where a tablet, which has no keys for them, still shows them. */
const Back = memo(function Back({ pencil, acts }: { pencil: Pencil; acts: Acts }) {
  const selected = useDeferredStore(pencil.$selected, id => id !== undefined)
  return (
    <>
      <IconButton label="Undo" aria-keyshortcuts="Control+Z" onClick={acts.undo}>
        <Undo2 {...icon} />
      </IconButton>
      <IconButton label="Redo" aria-keyshortcuts="Control+Shift+Z" onClick={acts.redo}>
        <Redo2 {...icon} />
      </IconButton>
      <IconButton label="Delete this drawing" disabled={!selected} onClick={acts.remove}>
        <Trash2 {...icon} />
      </IconButton>
    </>
  )
})

/** Takes what is drawn to another frame. */
const Carry = memo(function Carry({ pencil, acts, pasteable }: { pencil: Pencil; acts: Acts; pasteable: boolean }) {
  const selected = useDeferredStore(pencil.$selected, id => id !== undefined)
  return (
    <>
      <IconButton
        label={selected ? 'Copy this drawing' : 'Copy the drawings of this frame'}
        aria-keyshortcuts="Control+C"
        onClick={acts.copy}
      >
        <Copy {...icon} />
      </IconButton>
      <IconButton label="Paste at this frame" aria-keyshortcuts="Control+V" disabled={!pasteable} onClick={acts.paste}>
        <ClipboardPaste {...icon} />
      </IconButton>
    </>
  )
})

const LENGTHS = Object.entries(STAYS).map(([s, { label }]) => [s, label] as const)

/** What one draws with: a bar on the picture, all of it in sight on a desk. Each press draws its own group anew. */
export function Tools({ pencil, acts, stay, pasteable }: { pencil: Pencil; acts: Acts; stay: Stay; pasteable: boolean }) {
  const held = useDeferredStore(pencil.$instrument, it => it !== null)
  // The pencil is in the hand in the next frame; its bar, which is much to draw, comes after it.
  const open = useDeferredValue(held)
  if (!held || !open) return null
  return (
    <div
      role="toolbar"
      data-tools=""
      aria-label="Drawing"
      className="absolute inset-x-2 top-2 z-10 flex w-fit max-w-[calc(100%-1rem)] items-center gap-0.5 overflow-x-auto rounded-field border border-line bg-paper p-0.5 shadow-float select-none [scrollbar-width:none] pointer-fine:[&>button]:w-10"
    >
      <Instruments pencil={pencil} />
      <Line />
      <Colors {...{ pencil, acts }} />
      <Line />
      <Back {...{ pencil, acts }} />
      <Line />
      <Widths {...{ pencil, acts }} />
      <Select label="Stays" value={stay} options={LENGTHS} onChange={s => acts.restay(s as Stay)} />
      <Line />
      <Carry {...{ pencil, acts, pasteable }} />
      {/* In reach, however much of the others is out of sight; what goes on under it fades. */}
      <IconButton
        label="Stop drawing"
        aria-keyshortcuts="Escape"
        onClick={acts.done}
        className="sticky -right-0.5 bg-paper before:absolute before:inset-y-0 before:right-full before:w-4 before:bg-linear-to-l before:from-paper"
      >
        <X {...icon} />
      </IconButton>
    </div>
  )
}

const Line = () => <span aria-hidden="true" className="mx-0.5 h-7 w-px shrink-0 bg-line" />

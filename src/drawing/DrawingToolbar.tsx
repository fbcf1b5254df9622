import { useStore } from '@nanostores/react'
import { ChevronsRight, ClipboardPaste, Copy, type LucideIcon, Redo2, Trash2, Undo2, X } from 'lucide-react'
import type { ReadableAtom } from 'nanostores'
import { type ComponentProps, memo, useDeferredValue, useEffect, useState } from 'react'
import { INK_NAMES } from '../../modules/reviews/policy.ts'
import { IconButton } from '../ui/button.tsx'
import { CompactSelect } from '../ui/compact-select.tsx'
import { cx } from '../ui/cx.ts'
import { useStoreSelector } from '../ui/store-selector.ts'
import { STROKE_WIDTHS, type ToolbarTool } from './current-tool.ts'
import type { DrawingToolbarCommands } from './drawing-toolbar-commands.ts'
import { FollowToolHintAndKeyframeButtons } from './FollowToolHintAndKeyframeButtons.tsx'
import type { FollowToolKeyframeState } from './follow-tool-keyframe-state.ts'
import { REFERENCE_LENGTHS_INCHES } from './measurements.ts'
import { PresetSelect } from './PresetSelect.tsx'
import { SHAPE_DURATIONS, type ShapeDuration } from './shape-duration.ts'
import type { ShapeEditor } from './shape-editor.ts'
import { TOOL_HINTS, TOOLBAR_TOOLS } from './toolbar-tools.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const
/** The ink colors that are visible on grass and on sky. */
const COLORS = [0, 1, 2, 3].map(number => [number, INK_NAMES[number]!] as const)
const COLOR_CLASSES: Record<string, string> = { clay: 'bg-clay', gold: 'bg-gold', sky: 'bg-sky', chalk: 'bg-(--chalk-mark)' }
const COLOR_LABELS: Record<string, string> = { clay: 'Clay', gold: 'Gold', sky: 'Sky', chalk: 'Chalk' }
const WIDTH_LABELS: Record<number, string> = { [STROKE_WIDTHS[0]]: 'Thin', [STROKE_WIDTHS[1]]: 'Medium', [STROKE_WIDTHS[2]]: 'Thick' }

const PRESET_NAMES = {
  colors: Object.fromEntries(COLORS.map(([number, name]) => [number, COLOR_LABELS[name]!])),
  widths: WIDTH_LABELS,
}

const InstrumentButton = memo(function InstrumentButton({
  shapeEditor,
  tool,
  name,
  word,
  Icon,
  chosen,
}: {
  shapeEditor: ShapeEditor
  tool: ToolbarTool
  name: string
  /** Shown below the icon where there is room. */
  word: string
  Icon: LucideIcon
  chosen: boolean
}) {
  return (
    <label
      title={name}
      className={cx(
        'flex h-11 w-11 shrink-0 cursor-pointer flex-col items-center justify-center gap-0.5 rounded-[8px] pointer-fine:w-10 min-[820px]:h-13 min-[820px]:w-auto! min-[820px]:min-w-10 min-[820px]:px-1 has-focus-visible:outline-3 has-focus-visible:-outline-offset-3 has-focus-visible:outline-sky',
        chosen ? 'bg-field text-on-fill' : 'hover:bg-ink-wash',
      )}
    >
      <input
        type="radio"
        name="instrument"
        className="sr-only"
        aria-label={name}
        checked={chosen}
        onChange={() => shapeEditor.choose(tool)}
      />
      <Icon {...icon} />
      <span aria-hidden="true" className="hidden text-13 leading-none font-medium min-[820px]:block">
        {word}
      </span>
    </label>
  )
})

const Instruments = memo(function Instruments({ shapeEditor }: { shapeEditor: ShapeEditor }) {
  const instrument = useStore(shapeEditor.$instrument)
  return (
    <fieldset className="flex">
      <legend className="sr-only">Draw with</legend>
      {TOOLBAR_TOOLS.map(([tool, name, word, Icon]) => (
        <InstrumentButton key={tool} {...{ shapeEditor, tool, name, word, Icon }} chosen={tool === instrument} />
      ))}
    </fieldset>
  )
})

const Colors = memo(function Colors({ shapeEditor, acts }: { shapeEditor: ShapeEditor; acts: DrawingToolbarCommands }) {
  const color = useStore(shapeEditor.$color)
  return (
    <fieldset className="flex">
      <legend className="sr-only">Color</legend>
      {COLORS.map(([number, name]) => (
        <label
          key={name}
          title={COLOR_LABELS[name]}
          className="grid h-11 w-9 cursor-pointer place-items-center rounded-[8px] hover:bg-ink-wash has-focus-visible:outline-3 has-focus-visible:-outline-offset-3 has-focus-visible:outline-sky"
        >
          <input
            type="radio"
            name="color"
            className="sr-only"
            aria-label={COLOR_LABELS[name]}
            checked={number === color}
            onChange={() => {
              shapeEditor.$color.set(number)
              acts.setColor(number)
            }}
          />
          <span
            aria-hidden="true"
            className={cx('size-5 rounded-full', COLOR_CLASSES[name], number === color && 'outline-2 outline-offset-2 outline-ink')}
          />
        </label>
      ))}
    </fieldset>
  )
})

const Widths = memo(function Widths({ shapeEditor, acts }: { shapeEditor: ShapeEditor; acts: DrawingToolbarCommands }) {
  const width = useStore(shapeEditor.$width)
  return (
    <CompactSelect
      label="Width"
      value={String(width)}
      options={STROKE_WIDTHS.map(w => [String(w), WIDTH_LABELS[w]!])}
      onChange={w => {
        shapeEditor.$width.set(Number(w))
        acts.setWidth(Number(w))
      }}
    />
  )
})

/** Selects the known length that the next measurement is compared with; shown only for the length tool. */
const KnownLength = memo(function KnownLength({ shapeEditor }: { shapeEditor: ShapeEditor }) {
  const isMeasuring = useStoreSelector(shapeEditor.$instrument, it => it === 'length')
  const inches = useStore(shapeEditor.$inches)
  if (!isMeasuring) return null
  return (
    <CompactSelect
      label="Known length"
      value={String(inches)}
      options={REFERENCE_LENGTHS_INCHES.map(([value, name]) => [String(value), name])}
      onChange={value => shapeEditor.$inches.set(Number(value))}
    />
  )
})

/** Shows how to use the selected tool, if that is not obvious; for the follow tool, also buttons for its keyframes. */
function ToolHint({ shapeEditor, ...following }: { shapeEditor: ShapeEditor } & ComponentProps<typeof FollowToolHintAndKeyframeButtons>) {
  const instrument = useStore(shapeEditor.$instrument)
  const hint = instrument && TOOL_HINTS[instrument]
  return instrument === 'follow' ? (
    <FollowToolHintAndKeyframeButtons {...following} />
  ) : (
    <p
      role="status"
      data-tool-hint={hint ? '' : undefined}
      className="w-fit max-w-full rounded-field bg-paper px-3 py-1 text-13 shadow-float empty:hidden"
    >
      {hint}
    </p>
  )
}

const RedoButton = ({ acts, className }: { acts: DrawingToolbarCommands; className: string }) => (
  <IconButton label="Redo" aria-keyshortcuts="Control+Shift+Z" onClick={acts.redo} className={className}>
    <Redo2 {...icon} />
  </IconButton>
)

const DeleteButton = memo(function DeleteButton({ shapeEditor, acts }: { shapeEditor: ShapeEditor; acts: DrawingToolbarCommands }) {
  const selected = useStoreSelector(shapeEditor.$selected, id => id !== undefined)
  return (
    <IconButton label="Delete this drawing" disabled={!selected} onClick={acts.remove}>
      <Trash2 {...icon} />
    </IconButton>
  )
})

/** Buttons that copy shapes and paste them at another frame. */
const CopyButtons = memo(function CopyButtons({
  shapeEditor,
  acts,
  pasteable,
}: {
  shapeEditor: ShapeEditor
  acts: DrawingToolbarCommands
  pasteable: boolean
}) {
  const selected = useStoreSelector(shapeEditor.$selected, id => id !== undefined)
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

const DURATION_OPTIONS = Object.entries(SHAPE_DURATIONS).map(([s, { label }]) => [s, label] as const)

/** Whether a toolbar has more buttons beyond its right edge. */
function useHasMore(bar: HTMLElement | null) {
  const [hasMore, setHasMore] = useState(false)
  useEffect(() => {
    if (!bar) return
    const update = () => setHasMore(bar.scrollLeft + bar.clientWidth < bar.scrollWidth - 8)
    const sized = new ResizeObserver(update)
    sized.observe(bar)
    bar.addEventListener('scroll', update, { passive: true })
    return () => {
      sized.disconnect()
      bar.removeEventListener('scroll', update)
    }
  }, [bar])
  return hasMore
}
/** Scrolls a toolbar to its next buttons, so that a button that was cut off becomes fully visible. */
const scrollToNextButtons = (bar: HTMLElement | null) => bar?.scrollBy({ left: bar.clientWidth * 0.6, behavior: 'smooth' })

/** The toolbar on the picture while a drawing tool is selected. Each group is memoized: a button press re-renders only its own group. */
export function DrawingToolbar({
  shapeEditor,
  acts,
  stay,
  pasteable,
  $keyframes,
}: {
  shapeEditor: ShapeEditor
  acts: DrawingToolbarCommands
  stay: ShapeDuration
  pasteable: boolean
  $keyframes: ReadableAtom<FollowToolKeyframeState | null>
}) {
  const isDrawing = useStoreSelector(shapeEditor.$instrument, it => it !== null)
  const [bar, setBar] = useState<HTMLDivElement | null>(null)
  const hasMore = useHasMore(bar)
  // The toolbar is expensive to render, so the browser paints the pressed button first.
  const open = useDeferredValue(isDrawing)
  if (!isDrawing || !open) return null
  return (
    <div className="pointer-events-none absolute inset-x-2 top-2 z-10 flex flex-col items-start gap-1">
      <div
        ref={setBar}
        role="toolbar"
        data-tools=""
        aria-label="Drawing"
        className="pointer-events-auto relative flex w-fit max-w-full scroll-pr-48 items-center gap-0.5 overflow-x-auto rounded-field border border-line bg-paper p-0.5 shadow-float select-none [scrollbar-width:none] pointer-fine:[&>button]:w-10 [&>button]:shrink-0"
      >
        <Instruments shapeEditor={shapeEditor} />
        <KnownLength shapeEditor={shapeEditor} />
        <Separator />
        <Colors {...{ shapeEditor, acts }} />
        <Separator />
        <RedoButton acts={acts} className="sm:hidden" />
        <DeleteButton {...{ shapeEditor, acts }} />
        <Separator />
        <Widths {...{ shapeEditor, acts }} />
        <CompactSelect label="Duration" value={stay} options={DURATION_OPTIONS} onChange={s => acts.setDuration(s as ShapeDuration)} />
        <PresetSelect {...{ shapeEditor, acts, stay }} names={PRESET_NAMES} />
        <Separator />
        <CopyButtons {...{ shapeEditor, acts, pasteable }} />
        {/* Sticky and as tall as the bar, so that these buttons stay visible while the others scroll under their faded edge. */}
        <span className="sticky -right-0.5 flex shrink-0 items-center self-stretch bg-paper before:absolute before:inset-y-0 before:right-full before:w-4 before:bg-linear-to-l before:from-paper">
          {hasMore && (
            <IconButton label="More tools" className="border-l border-line" onClick={() => scrollToNextButtons(bar)}>
              <ChevronsRight {...icon} />
            </IconButton>
          )}
          {/* Touch users have no keyboard shortcuts for these. */}
          <IconButton label="Undo" aria-keyshortcuts="Control+Z" onClick={acts.undo}>
            <Undo2 {...icon} />
          </IconButton>
          <RedoButton acts={acts} className="max-sm:hidden" />
          <IconButton label="Stop drawing" aria-keyshortcuts="Escape" onClick={acts.done}>
            <X {...icon} />
          </IconButton>
        </span>
      </div>
      <ToolHint {...{ shapeEditor, acts, $keyframes }} />
    </div>
  )
}

const Separator = () => <span aria-hidden="true" className="mx-0.5 h-7 w-px shrink-0 bg-line" />

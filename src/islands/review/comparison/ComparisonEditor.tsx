import { ArrowLeft, Link2, MessageSquarePlus, Pencil, SlidersHorizontal } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { Comparison } from '../../../../modules/reviews/contract.ts'
import { MAX_COMPARISON_TITLE_LENGTH } from '../../../../modules/reviews/policy.ts'
import { ComparisonModePicker } from '../../../comparison/ComparisonModePicker.tsx'
import {
  ComparisonStage,
  SCROLL_MARGIN_BELOW_COMPARISON_CLASSES,
  SHORT_SCREEN_COMPARISON_STAGE_GRID_CLASSES,
} from '../../../comparison/ComparisonStage.tsx'
import { handleComparisonDrawingKey, handleComparisonKey } from '../../../comparison/comparison-keys.ts'
import { syncAtFrames } from '../../../comparison/comparison-timing.ts'
import { comparisonTitle, type LabeledClipPair } from '../../../comparison/labeled-clips.ts'
import { createSyncedComparison } from '../../../comparison/synced-comparison.ts'
import { type ComparisonDrawing, useComparisonDrawing } from '../../../comparison/use-comparison-drawing.ts'
import type { AutosavingDraftStore } from '../../../draft/autosaved-draft.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { isDialogOpen } from '../../../ui/shortcut-guards.ts'
import type { TwoAngleMoment } from '../studio-store.ts'
import { OnionSkinTintAndFrameOptions } from './OnionSkinTintAndFrameOptions.tsx'
import { SyncBySound } from './SyncBySound.tsx'
import { SyncControls } from './SyncControls.tsx'

/** Chooses which of two overlaid clips receives the drawings. */
function DrawingSidePicker({ pair, drawing }: { pair: LabeledClipPair; drawing: ComparisonDrawing }) {
  const name = useId()
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-x-3">
      <legend className="float-left mr-3 text-14 text-ink-2">Draw on</legend>
      {([0, 1] as const).map(which => (
        <label key={which} className="flex min-h-11 min-w-0 cursor-pointer items-center gap-2 text-14">
          <input
            type="radio"
            name={name}
            className="size-5 shrink-0 accent-field"
            checked={drawing.side === which}
            onChange={() => drawing.onSide(which)}
          />
          <span className="truncate">{pair[which].label}</span>
        </label>
      ))}
    </fieldset>
  )
}

function scrollIntoView(element: HTMLElement | null) {
  // Returns nothing: Chromium's scrollIntoView returns a promise, which React would call as the ref's cleanup.
  element?.scrollIntoView({ block: 'nearest' })
}

/** Edits a comparison of the draft: sync, layout, drawings and title. Rarely used controls are under “More”. */
export function ComparisonEditor({
  autosavedDraft,
  comparison,
  pair,
  moments,
  shownNote,
  renew,
  onChange,
  onNote,
  onClose,
}: {
  autosavedDraft: AutosavingDraftStore
  comparison: Comparison
  pair: LabeledClipPair
  /** Positions set on both clips, with their frames. */
  moments: { name: string; frames: [number, number] }[]
  /** The two-angle note whose moment is shown first. */
  shownNote: TwoAngleMoment | undefined
  renew: () => void
  onChange: (change: (comparison: Comparison) => Comparison) => void
  /** Adds a note on the frames that are shown; undefined if the clips belong to different sessions. */
  onNote: ((note: TwoAngleMoment) => void) | undefined
  onClose: () => void
}) {
  const [comparer] = useState(createSyncedComparison)
  const drawing = useComparisonDrawing(autosavedDraft, comparer, comparison.id, pair)
  const { sides, mode, stretch, onionSkin } = comparison
  const [showsMore, setShowsMore] = useState(false)
  const isDrawing = drawing.instrument !== null
  const section = useRef<HTMLElement>(null)
  // On a phone, the instructor may have scrolled the page to the notes below.
  useEffect(() => scrollIntoView(section.current), [])
  const sync = (frames: readonly [number, number]) => {
    comparer.pause()
    onChange(c => syncAtFrames(c, frames))
    comparer.seek(0)
  }
  useEffect(() => comparer.setPlan({ sides, mode, stretch, onionSkin }), [comparer, sides, mode, stretch, onionSkin])
  // The clock has a time for the note's frames only once the clips are loaded.
  const secondVideo = sides[1].video
  useEffect(() => {
    if (shownNote?.frame === undefined) return
    const { video, frame } = shownNote
    return comparer.$state.subscribe(is => {
      if (is !== 'ready') return
      comparer.pause()
      comparer.seek(comparer.timeOfFrame(video === secondVideo ? 1 : 0, frame))
    })
  }, [comparer, shownNote, secondVideo])
  function addNote() {
    comparer.pause()
    const [frame, otherFrame] = comparer.$shownFrames.get() ?? comparer.$dueFrames.get()
    const at = comparer.millisecondsInClip(0, frame)
    onNote?.({ video: sides[0].video, at, frame, otherAngle: { video: sides[1].video, frame: otherFrame } })
  }
  const latest = useRef({ drawing, addNote })
  latest.current = { drawing, addNote }
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.defaultPrevented || isDialogOpen()) return
      const keys = { ...latest.current.drawing, addNote: latest.current.addNote }
      if (handleComparisonDrawingKey(keys, e) || handleComparisonKey(comparer, e)) e.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [comparer])
  return (
    <section
      ref={section}
      aria-label="Comparison"
      className={cx(
        'flex h-full min-h-0 flex-col overflow-y-auto',
        SHORT_SCREEN_COMPARISON_STAGE_GRID_CLASSES,
        isDrawing && 'short:[&>header>*]:hidden',
      )}
    >
      <header className="flex flex-wrap items-center gap-2 border-b border-line p-2 short:contents">
        <IconButton label="Back to the video" aria-keyshortcuts="C" onClick={onClose} className="short:row-start-1">
          <ArrowLeft aria-hidden="true" size={20} strokeWidth={1.75} />
        </IconButton>
        <input
          aria-label="Title of the comparison"
          value={comparison.title}
          maxLength={MAX_COMPARISON_TITLE_LENGTH}
          placeholder={comparisonTitle({ ...comparison, title: '' }, pair)}
          onChange={e => {
            const title = e.currentTarget.value
            onChange(c => ({ ...c, title }))
          }}
          className="h-11 min-w-40 flex-1 rounded-field border border-transparent bg-transparent px-2 font-medium hover:border-line focus:border-edge short:col-span-full short:row-start-4 short:mx-2 short:border-line"
        />
        <ComparisonModePicker
          mode={mode}
          onMode={next => onChange(c => ({ ...c, mode: next }))}
          className="short:row-start-1 short:mr-2 short:self-start"
        />
      </header>
      <div className="flex min-h-fit flex-1 flex-col short:contents">
        <ComparisonStage
          fill
          {...{ comparer, pair, sides, mode, drawing, onRenew: renew }}
          onOnionSkin={next => onChange(c => ({ ...c, onionSkin: next }))}
        >
          <div
            className={cx(
              'flex flex-wrap items-center gap-x-4 gap-y-1 pt-1 pb-1 short:col-start-3 short:row-start-1 short:flex-nowrap short:gap-x-2 short:overflow-x-auto short:py-0 short:[scrollbar-width:none] short:*:shrink-0',
              isDrawing && (mode === 'side' ? 'short:hidden' : 'short:col-span-full short:col-start-1 short:row-start-4'),
            )}
          >
            <Button
              variant="secondary"
              size="sm"
              aria-keyshortcuts="D"
              aria-pressed={isDrawing}
              className={cx(isDrawing && 'border-field bg-field-wash text-field')}
              icon={<Pencil aria-hidden="true" size={18} strokeWidth={1.75} />}
              onClick={drawing.toggle}
            >
              Draw
            </Button>
            {isDrawing && mode !== 'side' && <DrawingSidePicker {...{ pair, drawing }} />}
            <Button
              variant="secondary"
              size="sm"
              icon={<Link2 aria-hidden="true" size={18} strokeWidth={1.75} />}
              onClick={() => sync(comparer.$dueFrames.get())}
            >
              Sync here
            </Button>
            {pair.every(({ clip }) => clip.media?.sound) && <SyncBySound {...{ pair, renew }} onSync={sync} />}
            {onNote && (
              <Button
                variant="secondary"
                size="sm"
                aria-keyshortcuts="M"
                icon={<MessageSquarePlus aria-hidden="true" size={18} strokeWidth={1.75} />}
                onClick={addNote}
              >
                Note on both
              </Button>
            )}
            {moments.map(({ name, frames }) => (
              <Button key={name} variant="quiet" size="sm" onClick={() => sync(frames)}>
                Sync on {name}
              </Button>
            ))}
            <Button
              variant="quiet"
              size="sm"
              aria-expanded={showsMore}
              icon={<SlidersHorizontal aria-hidden="true" size={18} strokeWidth={1.75} />}
              onClick={() => setShowsMore(!showsMore)}
              className="short:sticky short:right-0 short:bg-paper"
            >
              {showsMore ? 'Less' : 'More'}
            </Button>
          </div>
          {showsMore && (
            <div ref={scrollIntoView} className={cx('short:col-span-full short:px-2 short:pb-2', SCROLL_MARGIN_BELOW_COMPARISON_CLASSES)}>
              {mode === 'ghost' && (
                <OnionSkinTintAndFrameOptions skin={onionSkin} onChange={next => onChange(c => ({ ...c, onionSkin: next }))} />
              )}
              <label className="flex min-h-11 w-fit items-center gap-2 text-14">
                <input
                  type="checkbox"
                  className="size-5 accent-field"
                  checked={stretch}
                  onChange={e => {
                    const next = e.currentTarget.checked
                    onChange(c => ({ ...c, stretch: next }))
                  }}
                />
                Stretch to equal length
              </label>
              <SyncControls {...{ comparer, pair, comparison, onChange }} />
            </div>
          )}
        </ComparisonStage>
      </div>
    </section>
  )
}

import { Columns2, Mic } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Note, Video } from '../../modules/folders/contract.ts'
import type { Voice } from '../../modules/reviews/contract.ts'
import { NOTE_KIND_DISPLAY, rangeLengthText } from '../folders/notes.ts'
import { cx } from '../ui/cx.ts'
import { formatClockHundredths, formatDurationMsAsClock } from '../ui/format-duration-and-size.ts'
import { NoteExternalLink } from './NoteExternalLink.tsx'

/** If the stage sticks to the top of the screen, as on a phone, scrolls a row that is not completely visible to just below the stage. */
function scrollBelowStage(row: HTMLElement) {
  const stage = document.querySelector('[data-sticky-stage]')
  if (!stage || getComputedStyle(stage).position !== 'sticky') return
  const { top, bottom } = row.getBoundingClientRect()
  const stageBottom = stage.getBoundingClientRect().bottom
  if (top < stageBottom || bottom > innerHeight) scrollBy({ top: top - stageBottom - 8 })
}

/**
 * The notes in reading order; pressing one shows it on the stage. The note at the current position is marked and scrolled into view. While
 * a review plays on a phone, the stage shows the text of the current note right above this list, so the list shows no texts.
 */
export function NoteList({
  notes,
  clips,
  voices = [],
  current,
  isPaused = false,
  isPlaying = false,
  onPick,
}: {
  notes: Note[]
  clips: Video[]
  voices?: readonly Voice[] | undefined
  current?: string | undefined
  /** Whether the review is paused. When it becomes paused, the current note is scrolled into view. */
  isPaused?: boolean
  isPlaying?: boolean
  onPick: (note: Note) => void
}) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const box = list.current
    const row = current && box?.querySelector<HTMLElement>(`[data-note="${current}"]`)
    // `scrollIntoView` would also scroll the page while the viewer is scrolling it.
    if (box && row && box.scrollHeight > box.clientHeight) box.scrollTo({ top: row.offsetTop - 12, behavior: 'smooth' })
  }, [current])
  useEffect(() => {
    const row = isPaused && list.current?.querySelector<HTMLElement>('[aria-current]')
    if (row) scrollBelowStage(row)
  }, [isPaused])
  return (
    <ol
      ref={list}
      className="relative flex flex-col gap-1 overflow-y-auto p-2 short:max-h-full lg:max-h-full lg:pb-8 lg:[mask-image:linear-gradient(to_bottom,black_calc(100%-2rem),transparent)]"
    >
      {notes.map((note, i) => {
        const clip = clips.findIndex(c => c.id === note.video)
        const voice = voices.find(v => v.id === note.voice)
        const first = clips.length > 1 && notes[i - 1]?.video !== note.video
        return (
          <li key={note.id} data-note={note.id}>
            {first && <p className="px-3 pt-3 pb-1 text-13 font-medium text-ink-2">Video {clip + 1}</p>}
            <button
              type="button"
              aria-current={note.id === current || undefined}
              onClick={() => onPick(note)}
              className={cx(
                'flex w-full gap-3 rounded-field border p-3 text-left transition-[background-color,border-color]',
                note.id === current ? 'border-field bg-field-wash' : 'border-transparent hover:bg-ink-wash',
              )}
            >
              <span
                aria-hidden="true"
                className={cx('mt-2 size-2.5 shrink-0 rotate-45 rounded-[2px]', NOTE_KIND_DISPLAY[note.kind].fill)}
              />
              <span className="min-w-0">
                <span className="flex flex-wrap gap-x-2 text-13 font-medium">
                  <span className={NOTE_KIND_DISPLAY[note.kind].text}>{NOTE_KIND_DISPLAY[note.kind].label}</span>
                  <span className="text-ink-2 tabular-nums">
                    {formatClockHundredths(note.at)} {note.until !== undefined && rangeLengthText(note)}
                  </span>
                  {note.otherAngle && (
                    <span className="inline-flex items-center gap-1 text-ink-2">
                      <Columns2 aria-hidden="true" size={14} strokeWidth={2} />
                      Two angles
                    </span>
                  )}
                  {voice && (
                    <span className="inline-flex items-center gap-1 text-ink-2 tabular-nums">
                      <Mic aria-hidden="true" size={14} strokeWidth={2} />
                      <span className="sr-only">Voice-over, </span>
                      {formatDurationMsAsClock(voice.milliseconds)}
                    </span>
                  )}
                </span>
                {note.text ? (
                  <span className={cx('block wrap-anywhere whitespace-pre-line', isPlaying && 'stacked:sr-only')}>{note.text}</span>
                ) : (
                  <span className="block text-ink-2">{note.voice ? 'Voice-over' : 'Drawing on the video'}</span>
                )}
              </span>
            </button>
            <NoteExternalLink note={note} className={cx('pl-8', isPlaying && 'stacked:hidden')} />
          </li>
        )
      })}
    </ol>
  )
}

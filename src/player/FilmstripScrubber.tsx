import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import { type KeyboardEvent, memo, useEffect, useRef } from 'react'
import type { Note } from '../../modules/folders/contract.ts'
import { NOTE_KIND_DISPLAY } from '../folders/notes.ts'
import { cx } from '../ui/cx.ts'
import { formatClockHundredths } from '../ui/format-duration-and-size.ts'
import { paintFilmstrip } from './choose-and-paint-filmstrip-stills.ts'
import { FRAMES_PER_LARGE_STEP } from './stage-keys.ts'
import type { LoadedFilmstrip } from './use-filmstrip-image.ts'
import type { VideoPlayer } from './video-player.ts'

/** A named frame on the strip: a technique position, or a frame at which the sound suggests contact. */
export interface FrameMark {
  id: string
  frame: number
  label: string
  /** One character. */
  symbol: string
  /** Whether the mark was found by sound and the instructor has not confirmed it yet. */
  isProposed?: boolean
}

/** The keyframes of the selected drawing. `current`: the index of the keyframe at the current frame, or -1. */
export interface KeyframeMarks {
  frames: readonly number[]
  current: number
}

interface MarksProps {
  player: VideoPlayer
  notes: Note[]
  current?: string | undefined
  onNote?: ((note: Note) => void) | undefined
  marks?: FrameMark[] | undefined
}

/** Height of the stills; must match the class `h-11`. */
const STRIP_HEIGHT_PX = 44

/** The position of a frame along the strip, as a CSS percentage. */
const percentAlong = (frame: number, frames: number) => `${Math.min(100, (frame / Math.max(1, frames - 1)) * 100)}%`

/** The stills of the clip side by side, repainted when the width changes. */
function FilmstripCanvas({ stills }: { stills: LoadedFilmstrip | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element || !stills) return
    const observer = new ResizeObserver(([entry]) => {
      const { width } = entry!.contentRect
      if (width > 0) paintFilmstrip(element, stills.strip, stills.image, width, STRIP_HEIGHT_PX)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [stills])
  return (
    <canvas
      ref={canvas}
      data-stills={stills ? '' : undefined}
      className="absolute inset-x-2 bottom-0 h-11 w-[calc(100%-1rem)] rounded-base bg-ink-wash"
    />
  )
}

/** The marks above the stills: a diamond for each note, a line for a note's range of frames, and a symbol for each of `marks`. */
const Marks = memo(function Marks({ player, notes, current, onNote, marks = [] }: MarksProps) {
  const frames = useStore(player.$frames)
  if (!frames) return null
  return (
    <span aria-hidden="true" className="pointer-events-none absolute inset-x-2 inset-y-0">
      {notes.map(note => {
        const from = player.frameOf(note)
        return (
          note.until !== undefined && (
            <span
              key={note.id}
              className={cx('absolute top-4 h-1 rounded-full', NOTE_KIND_DISPLAY[note.kind].fill)}
              style={{ left: percentAlong(from, frames), right: `calc(100% - ${percentAlong(note.until, frames)})` }}
            />
          )
        )
      })}
      {marks.map(mark => (
        <span
          key={mark.id}
          data-mark={mark.label}
          title={mark.label}
          onPointerDown={() => player.goTo({ frame: mark.frame, play: false })}
          className="pointer-events-auto absolute top-0 grid h-5 w-6 -translate-x-1/2 cursor-pointer place-items-center"
          style={{ left: percentAlong(mark.frame, frames) }}
        >
          <span
            className={cx(
              'grid size-4 place-items-center rounded-full text-[11px] leading-none font-heavy',
              mark.isProposed ? 'border border-dashed border-ink text-ink' : 'bg-ink text-paper',
            )}
          >
            {mark.symbol}
          </span>
          <span className="pointer-events-none absolute top-5 h-11 w-px bg-ink mix-blend-difference" />
        </span>
      ))}
      {notes.map(note => (
        <span
          key={note.id}
          title={`${NOTE_KIND_DISPLAY[note.kind].label}: ${note.text}`}
          onPointerDown={() => onNote?.(note)}
          className="pointer-events-auto absolute top-0 grid h-5 w-6 -translate-x-1/2 cursor-pointer place-items-center"
          style={{ left: percentAlong(player.frameOf(note), frames) }}
        >
          <span
            className={cx(
              'size-2.5 rotate-45 rounded-[2px] transition-transform',
              NOTE_KIND_DISPLAY[note.kind].fill,
              note.id === current && 'scale-150 outline-2 outline-paper',
            )}
          />
        </span>
      ))}
    </span>
  )
})

/** Diamonds at the lower edge of the stills, one for each keyframe of the selected drawing; nothing if it has fewer than two. */
function Keyframes({ player, $keyframes }: { player: VideoPlayer; $keyframes: ReadableAtom<KeyframeMarks | null> }) {
  const frames = useStore(player.$frames)
  const keyframes = useStore($keyframes)
  if (!keyframes || keyframes.frames.length < 2) return null
  return (
    <span aria-hidden="true" className="pointer-events-none absolute inset-x-2 inset-y-0">
      {keyframes.frames.map((frame, i) => (
        <span
          key={frame}
          data-keyframe={frame}
          className={cx(
            'absolute bottom-0.5 size-2.5 -translate-x-1/2 rotate-45 rounded-[2px] border-2 border-sky',
            i === keyframes.current ? 'bg-sky' : 'bg-paper',
          )}
          style={{ left: percentAlong(frame, frames) }}
        />
      ))}
    </span>
  )
}

/** The current frame, shown as a line over the stills and controlled by a slider whose steps are frames. */
function Playhead({ player, onDoubleClick }: { player: VideoPlayer; onDoubleClick?: (() => void) | undefined }) {
  const frame = useStore(player.$frame)
  const frames = useStore(player.$frames)
  const time = useStore(player.$time)
  const length = useStore(player.$duration)
  const last = Math.max(1, frames - 1)
  const handleLargeStep = (e: KeyboardEvent) => {
    const frames = {
      ArrowLeft: -FRAMES_PER_LARGE_STEP,
      ArrowDown: -FRAMES_PER_LARGE_STEP,
      ArrowRight: FRAMES_PER_LARGE_STEP,
      ArrowUp: FRAMES_PER_LARGE_STEP,
    }[e.key]
    if (!e.shiftKey || !frames) return
    e.preventDefault()
    player.step(frames)
  }
  return (
    <>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${formatClockHundredths(time)} of ${formatClockHundredths(length)}, frame ${frame + 1} of ${frames}`}
        min={0}
        max={last}
        step={1}
        value={Math.min(frame, last)}
        onChange={e => player.showFrame(Number(e.currentTarget.value))}
        onKeyDown={handleLargeStep}
        onDoubleClick={onDoubleClick}
        className={cx(
          'absolute inset-x-0 bottom-0 h-11 w-full cursor-pointer touch-pan-y appearance-none rounded-base bg-transparent',
          '[&::-webkit-slider-thumb]:h-11 [&::-webkit-slider-thumb]:w-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:bg-transparent',
          '[&::-moz-range-thumb]:h-11 [&::-moz-range-thumb]:w-4 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-transparent',
        )}
      />
      {/* The playhead has its own compositor layer, so that a frame step triggers neither layout nor repainting of the page. */}
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-x-2 bottom-0 h-11 will-change-transform"
        style={{ transform: `translateX(${percentAlong(frame, frames)})` }}
      >
        <span data-playhead="" className="absolute -inset-y-0.5 w-1 -translate-x-1/2 rounded-full bg-field outline-2 outline-paper" />
      </span>
    </>
  )
}

/**
 * The whole clip as a strip: its stills, its notes and positions, and the current frame. The slider works with pointer and keyboard. The
 * marks are a shortcut for the pointer only; the lists of notes and positions offer the same for the keyboard.
 */
export function FilmstripScrubber({
  stills,
  onDoubleClick,
  $keyframes,
  ...marked
}: MarksProps & {
  $keyframes?: ReadableAtom<KeyframeMarks | null> | undefined
  stills: LoadedFilmstrip | undefined
  /** Called on a double click, which has already moved the player to the clicked frame. */
  onDoubleClick?: (() => void) | undefined
}) {
  const { player } = marked
  return (
    <div data-strip="" className="relative isolate h-16 [contain:layout_size]">
      <FilmstripCanvas stills={stills} />
      <Marks {...marked} />
      <Playhead player={player} onDoubleClick={onDoubleClick} />
      {$keyframes && <Keyframes {...{ player, $keyframes }} />}
    </div>
  )
}

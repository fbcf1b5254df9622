import { useStore } from '@nanostores/react'
import { type KeyboardEvent, memo, useEffect, useRef } from 'react'
import { KINDS, type Pinned } from '../folders/notes.ts'
import { cx } from '../ui/cx.ts'
import { precise } from '../ui/format.ts'
import type { Player } from './player.ts'
import type { Stills } from './stills.ts'
import { paintStrip } from './strip.ts'

/** A frame that has a name: a position of the technique, or where the sound says that it is. */
export interface Mark {
  id: string
  frame: number
  label: string
  /** One letter or digit. */
  sign: string
  /** Nobody has confirmed it yet. */
  proposed?: boolean
}

interface Marked {
  player: Player
  notes: Pinned[]
  current?: string | undefined
  onNote?: ((note: Pinned) => void) | undefined
  marks?: Mark[] | undefined
}

/** Frames that Shift and an arrow go. */
const FAR = 10
/** Height of the stills, px, as `h-11` has it. */
const HIGH = 44

/** How far along the clip a frame is. */
const part = (frame: number, frames: number) => `${Math.min(100, (frame / Math.max(1, frames - 1)) * 100)}%`

/** The clip as stills side by side, painted once for each width. */
function Row({ stills }: { stills: Stills | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const at = canvas.current
    if (!at || !stills) return
    const sized = new ResizeObserver(([entry]) => {
      const { width } = entry!.contentRect
      if (width > 0) paintStrip(at, stills.strip, stills.image, width, HIGH)
    })
    sized.observe(at)
    return () => sized.disconnect()
  }, [stills])
  return (
    <canvas
      ref={canvas}
      data-stills={stills ? '' : undefined}
      className="absolute inset-x-2 bottom-0 h-11 w-[calc(100%-1rem)] rounded-base bg-ink-wash"
    />
  )
}

/** What stands above the stills: a base where each note is, a line for each range, a number for each position. */
const Marks = memo(function Marks({ player, notes, current, onNote, marks = [] }: Marked) {
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
              className={cx('absolute top-4 h-1 rounded-full', KINDS[note.kind].fill)}
              style={{ left: part(from, frames), right: `calc(100% - ${part(note.until, frames)})` }}
            />
          )
        )
      })}
      {marks.map(mark => (
        <span
          key={mark.id}
          data-mark={mark.label}
          title={mark.label}
          onPointerDown={() => player.moment({ frame: mark.frame, play: false })}
          className="pointer-events-auto absolute top-0 grid h-5 w-6 -translate-x-1/2 cursor-pointer place-items-center"
          style={{ left: part(mark.frame, frames) }}
        >
          <span
            className={cx(
              'grid size-4 place-items-center rounded-full text-[11px] leading-none font-heavy',
              mark.proposed ? 'border border-dashed border-ink text-ink' : 'bg-ink text-paper',
            )}
          >
            {mark.sign}
          </span>
          <span className="pointer-events-none absolute top-5 h-11 w-px bg-ink mix-blend-difference" />
        </span>
      ))}
      {notes.map(note => (
        <span
          key={note.id}
          title={`${KINDS[note.kind].label}: ${note.text}`}
          onPointerDown={() => onNote?.(note)}
          className="pointer-events-auto absolute top-0 grid h-5 w-6 -translate-x-1/2 cursor-pointer place-items-center"
          style={{ left: part(player.frameOf(note), frames) }}
        >
          <span
            className={cx(
              'size-2.5 rotate-45 rounded-[2px] transition-transform',
              KINDS[note.kind].fill,
              note.id === current && 'scale-150 outline-2 outline-paper',
            )}
          />
        </span>
      ))}
    </span>
  )
})

/** Where one is, as a line over the stills and as a slider whose steps are frames. */
function Playhead({ player }: { player: Player }) {
  const frame = useStore(player.$frame)
  const frames = useStore(player.$frames)
  const time = useStore(player.$time)
  const length = useStore(player.$length)
  const last = Math.max(1, frames - 1)
  const far = (e: KeyboardEvent) => {
    const way = { ArrowLeft: -FAR, ArrowDown: -FAR, ArrowRight: FAR, ArrowUp: FAR }[e.key]
    if (!e.shiftKey || !way) return
    e.preventDefault()
    player.step(way)
  }
  return (
    <>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${precise(time)} of ${precise(length)}, frame ${frame + 1} of ${frames}`}
        min={0}
        max={last}
        step={1}
        value={Math.min(frame, last)}
        onChange={e => player.show(Number(e.currentTarget.value))}
        onKeyDown={far}
        className={cx(
          'absolute inset-x-0 bottom-0 h-11 w-full cursor-pointer touch-pan-y appearance-none rounded-base bg-transparent',
          '[&::-webkit-slider-thumb]:h-11 [&::-webkit-slider-thumb]:w-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:bg-transparent',
          '[&::-moz-range-thumb]:h-11 [&::-moz-range-thumb]:w-4 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-transparent',
        )}
      />
      {/* A layer of its own is moved: nothing is laid out or painted for it. */}
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-x-2 bottom-0 h-11 will-change-transform"
        style={{ transform: `translateX(${part(frame, frames)})` }}
      >
        <span data-playhead="" className="absolute -inset-y-0.5 w-1 -translate-x-1/2 rounded-full bg-field outline-2 outline-paper" />
      </span>
    </>
  )
}

/**
 * A clip from its first frame to its last: stills of it, what is noted on which frames, and where one is. The slider is for everybody;
 * the marks are a shortcut for the pointer (the lists of notes and positions do the same by keyboard).
 */
export function FrameStrip({ stills, ...marked }: Marked & { stills: Stills | undefined }) {
  const { player } = marked
  return (
    <div data-strip="" className="relative isolate h-16 [contain:layout_size]">
      <Row stills={stills} />
      <Marks {...marked} />
      <Playhead player={player} />
    </div>
  )
}

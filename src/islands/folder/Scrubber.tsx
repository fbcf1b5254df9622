import { useStore } from '@nanostores/react'
import { cx } from '../../ui/cx.ts'
import { precise } from './length.ts'
import { KINDS, type Pinned } from './notes.ts'
import type { Player } from './player.ts'

/**
 * The chalk line of a video, with a base where each note is. The slider is for everybody; the bases are a shortcut for the pointer
 * (the list of notes does the same by keyboard).
 */
export function Scrubber({
  player,
  notes,
  current,
  onNote,
}: {
  player: Player
  notes: Pinned[]
  current?: string
  onNote?: (note: Pinned) => void
}) {
  const frame = useStore(player.$frame)
  const frames = useStore(player.$frames)
  const time = useStore(player.$time)
  const length = useStore(player.$length)
  const last = Math.max(1, frames - 1)
  const part = (at: number) => `${Math.min(100, (at / last) * 100)}%`
  return (
    <div className="relative h-11">
      <span aria-hidden="true" className="absolute inset-x-2 top-1/2 h-1 -translate-y-1/2 rounded-full bg-line">
        <span className="block h-full rounded-full bg-field" style={{ width: part(frame) }} />
      </span>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${precise(time)} of ${precise(length)}, frame ${frame + 1} of ${frames}`}
        min={0}
        max={last}
        step={1}
        value={Math.min(frame, last)}
        onChange={e => player.show(Number(e.currentTarget.value))}
        className={cx(
          'absolute inset-0 h-11 w-full cursor-pointer appearance-none bg-transparent',
          '[&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-3 [&::-webkit-slider-thumb]:border-field [&::-webkit-slider-thumb]:bg-paper',
          '[&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-3 [&::-moz-range-thumb]:border-field [&::-moz-range-thumb]:bg-paper',
        )}
      />
      <span aria-hidden="true" className="pointer-events-none absolute inset-x-2 inset-y-0">
        {frames > 0 &&
          notes.map(note => (
            <span
              key={note.id}
              title={`${KINDS[note.kind].label}: ${note.text}`}
              onPointerDown={() => onNote?.(note)}
              className="pointer-events-auto absolute top-0 grid h-5 w-6 -translate-x-1/2 cursor-pointer place-items-center"
              style={{ left: part(player.frameOf(note)) }}
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
    </div>
  )
}

import { useStore } from '@nanostores/react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { cx } from '../ui/cx.ts'
import type { Comparer } from './comparer.ts'
import type { NamedPair } from './named.ts'

/** How far a key moves it, of the picture's width. */
const STEP = 0.01
const PAGE = 0.1
const KEYS: Record<string, number> = { ArrowRight: STEP, ArrowUp: STEP, ArrowLeft: -STEP, ArrowDown: -STEP, PageUp: PAGE, PageDown: -PAGE }

/** Between two pictures that lie over each other: the first is seen on its left, the second on its right. */
export function Divider({ comparer, pair, drawing }: { comparer: Comparer; pair: NamedPair; drawing: boolean }) {
  const part = useStore(comparer.$part)
  useStore(comparer.$laid)
  const handle = useRef<HTMLDivElement>(null)
  /** How far beside the line it was taken hold of; the line does not jump to the finger. */
  const [held, setHeld] = useState<number>()
  const { left, top, width, height } = comparer.places()[0]
  const set = (to: number) => comparer.$part.set(Math.max(0, Math.min(1, to)))
  const hold = (e: PointerEvent) => {
    if (e.button > 0) return
    e.preventDefault()
    handle.current!.setPointerCapture(e.pointerId)
    handle.current!.focus({ preventScroll: true })
    setHeld(e.clientX - part * width)
  }
  const press = (e: KeyboardEvent) => {
    const by = KEYS[e.key]
    const end = { Home: 0, End: 1 }[e.key]
    if (by === undefined && end === undefined) return
    e.preventDefault()
    e.stopPropagation()
    // Whole percents: what is added up is what is said.
    set(end ?? Math.round((part + by! * (e.shiftKey ? 10 : 1)) * 100) / 100)
  }
  const percent = Math.round(part * 100)
  return (
    <div
      className="pointer-events-none absolute z-3 w-0.5 -translate-x-1/2 bg-ink"
      style={{ left: left + part * width, top, height }}
      onLostPointerCapture={() => setHeld(undefined)}
    >
      {/* The line itself, for a mouse; while one draws, only the handle. */}
      {!drawing && (
        <span
          aria-hidden="true"
          onPointerDown={hold}
          className="pointer-events-auto absolute inset-y-0 -inset-x-1.5 cursor-ew-resize touch-none"
        />
      )}
      <div
        ref={handle}
        role="slider"
        tabIndex={0}
        aria-label="Divider"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${percent}% ${pair[0].of}, ${100 - percent}% ${pair[1].of}`}
        onKeyDown={press}
        onPointerDown={hold}
        onPointerMove={e => held !== undefined && width && set((e.clientX - held) / width)}
        className={cx(
          'pointer-events-auto absolute left-1/2 grid size-11 -translate-1/2 cursor-ew-resize touch-none place-items-center rounded-full',
          'focus-visible:outline-3 focus-visible:outline-sky',
          drawing ? 'top-[calc(100%-1.75rem)]' : 'top-1/2',
        )}
      >
        <span aria-hidden="true" className="relative grid h-11 w-7 place-items-center rounded-full bg-ink text-paper">
          <ChevronLeft size={14} strokeWidth={2.5} className="absolute left-0" />
          <ChevronRight size={14} strokeWidth={2.5} className="absolute right-0" />
        </span>
      </div>
    </div>
  )
}

import { useStore } from '@nanostores/react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { cx } from '../ui/cx.ts'
import type { LabeledClipPair } from './labeled-clips.ts'
import type { SyncedComparisonController } from './synced-comparison.ts'

/** How far an arrow key moves the divider, as a fraction of the picture's width. */
const KEY_STEP_FRACTION = 0.01
const PAGE_KEY_STEP = 0.1
const STEP_OF_KEY: Record<string, number> = {
  ArrowRight: KEY_STEP_FRACTION,
  ArrowUp: KEY_STEP_FRACTION,
  ArrowLeft: -KEY_STEP_FRACTION,
  ArrowDown: -KEY_STEP_FRACTION,
  PageUp: PAGE_KEY_STEP,
  PageDown: -PAGE_KEY_STEP,
}

/** The line between two overlaid pictures: the first is visible to its left, the second to its right. */
export function ComparisonDivider({
  comparer,
  pair,
  isDrawing,
}: {
  comparer: SyncedComparisonController
  pair: LabeledClipPair
  isDrawing: boolean
}) {
  const part = useStore(comparer.$divider)
  useStore(comparer.$layoutVersion)
  const handle = useRef<HTMLDivElement>(null)
  /**
   * The pointer's `clientX` when the drag began, minus the line's distance from the left edge of the picture, in px. Subtracted from later
   * positions, it keeps the line from jumping to the pointer. Undefined while nobody is dragging the line.
   */
  const [grabOffset, setGrabOffset] = useState<number>()
  const { left, top, width, height } = comparer.pictureRects()[0]
  const set = (to: number) => comparer.$divider.set(Math.max(0, Math.min(1, to)))
  const hold = (e: PointerEvent) => {
    if (e.button > 0) return
    e.preventDefault()
    handle.current!.setPointerCapture(e.pointerId)
    handle.current!.focus({ preventScroll: true })
    setGrabOffset(e.clientX - part * width)
  }
  const press = (e: KeyboardEvent) => {
    const by = STEP_OF_KEY[e.key]
    const end = { Home: 0, End: 1 }[e.key]
    if (by === undefined && end === undefined) return
    e.preventDefault()
    e.stopPropagation()
    // Round to whole percents, so that many steps add up to exactly the value that screen readers announce.
    set(end ?? Math.round((part + by! * (e.shiftKey ? 10 : 1)) * 100) / 100)
  }
  const percent = Math.round(part * 100)
  return (
    <div
      className="pointer-events-none absolute z-3 w-0.5 -translate-x-1/2 bg-ink"
      style={{ left: left + part * width, top, height }}
      onLostPointerCapture={() => setGrabOffset(undefined)}
    >
      {/* The whole line can be dragged; while the viewer draws, only the handle can. */}
      {!isDrawing && (
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
        aria-valuetext={`${percent}% ${pair[0].label}, ${100 - percent}% ${pair[1].label}`}
        onKeyDown={press}
        onPointerDown={hold}
        onPointerMove={e => grabOffset !== undefined && width && set((e.clientX - grabOffset) / width)}
        className={cx(
          'pointer-events-auto absolute left-1/2 grid size-11 -translate-1/2 cursor-ew-resize touch-none place-items-center rounded-full',
          'focus-visible:outline-3 focus-visible:outline-sky',
          isDrawing ? 'top-[calc(100%-1.75rem)]' : 'top-1/2',
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

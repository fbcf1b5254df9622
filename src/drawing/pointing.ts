import type { WritableAtom } from 'nanostores'
import type { Board } from './board.ts'
import type { Drawing } from './keys.ts'
import type { Point } from './points.ts'
import { panned, type View, zoomed } from './view.ts'

interface Hand {
  aspect: number
  drawing?: Drawing | undefined
  onTap: () => void
  wheel: boolean
}

/** A press that moves less is a tap, pixels. */
const STILL = 6
/** Beside a thing that still means it, pixels: for a finger, and for what points finer. */
const FINGER = 22
const FINE = 9
/** How much larger a notch of the wheel makes it. */
const NOTCH = 0.0016

/**
 * What pointers do on the picture: one draws, where there is a pencil in the hand, else moves a picture that is larger than its place; two
 * fingers move and size it. A stroke belongs to the pointer it began with; a second finger ends it, and nothing of it stays.
 * Answers how to stop.
 */
export function pointing(element: HTMLElement, board: Board, $view: WritableAtom<View>, hand: () => Hand): () => void {
  const down = new Map<number, Point>()
  let drawing: number | undefined
  let began: (Point & { moved: boolean }) | undefined
  /** Somebody draws with a pen: the palm beside it only moves the picture. */
  let pen = false

  const place = (e: PointerEvent | WheelEvent): Point => {
    const { left, top } = element.getBoundingClientRect()
    return { x: e.clientX - left, y: e.clientY - top }
  }
  const touch = (e: PointerEvent) => ({ ...board.at(place(e)), ...(e.pointerType === 'pen' && { pressure: e.pressure }) })
  const pencil = () => {
    const its = hand().drawing?.pencil
    return its?.$instrument.get() ? its : undefined
  }

  function press(e: PointerEvent) {
    if (e.button > 0) return
    element.setPointerCapture(e.pointerId)
    down.set(e.pointerId, place(e))
    if (e.pointerType === 'pen') pen = true
    const its = pencil()
    if (down.size > 1) {
      if (drawing !== undefined) its?.cancel()
      drawing = began = undefined
      return
    }
    if (its && !(pen && e.pointerType === 'touch')) {
      drawing = e.pointerId
      its.down(touch(e), board.reach(e.pointerType === 'touch' ? FINGER : FINE))
      e.preventDefault()
      element.focus({ preventScroll: true })
      return
    }
    began = { ...place(e), moved: false }
  }

  function move(e: PointerEvent) {
    const before = down.get(e.pointerId)
    const at = place(e)
    if (!before) {
      if (e.pointerType !== 'touch') pencil()?.hover(touch(e))
      return
    }
    const { aspect } = hand()
    if (down.size === 2) {
      const [other] = [...down].filter(([id]) => id !== e.pointerId).map(([, p]) => p)
      const far = (p: Point) => Math.hypot(p.x - other!.x, p.y - other!.y) || 1
      const middle = { x: (at.x + other!.x) / 2, y: (at.y + other!.y) / 2 }
      const shift = { x: (at.x - before.x) / 2, y: (at.y - before.y) / 2 }
      const larger = zoomed($view.get(), far(at) / far(before), middle, board.box, aspect)
      $view.set(panned(larger, shift, board.box, aspect))
    } else if (drawing === e.pointerId) {
      const all = e.getCoalescedEvents?.() ?? []
      pencil()?.move((all.length ? all : [e]).map(touch), e.shiftKey)
    } else if (began) {
      began.moved ||= Math.hypot(at.x - began.x, at.y - began.y) > STILL
      if (began.moved && $view.get().scale > 1)
        $view.set(panned($view.get(), { x: at.x - before.x, y: at.y - before.y }, board.box, aspect))
    }
    down.set(e.pointerId, at)
  }

  function lift(e: PointerEvent) {
    if (!down.delete(e.pointerId)) return
    if (drawing === e.pointerId) {
      drawing = undefined
      if (e.type === 'pointercancel') pencil()?.cancel()
      else pencil()?.up()
    } else if (began && !began.moved && e.type === 'pointerup') hand().onTap()
    began = undefined
  }

  function turn(e: WheelEvent) {
    if (!hand().wheel && !e.ctrlKey) return
    e.preventDefault()
    const pixels = e.deltaY * (e.deltaMode === 1 ? 16 : 1)
    $view.set(zoomed($view.get(), Math.exp(-pixels * NOTCH * (e.ctrlKey ? 4 : 1)), place(e), board.box, hand().aspect))
  }

  const listen = new AbortController()
  const on = <K extends keyof HTMLElementEventMap>(type: K, then: (e: HTMLElementEventMap[K]) => void, passive = true) =>
    element.addEventListener(type, then, { signal: listen.signal, passive })
  on('pointerdown', press, false)
  on('pointermove', move)
  on('pointerup', lift)
  on('pointercancel', lift)
  on('wheel', turn, false)
  return () => listen.abort()
}

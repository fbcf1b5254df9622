import type { WritableAtom } from 'nanostores'
import type { DrawingCanvasPainter } from './drawing-canvases.ts'
import type { Point } from './point-encoding-and-simplification.ts'
import type { ShapeEditorWithKeyboard } from './shape-editor-keyboard-cursor.ts'
import { panViewport, type Viewport, zoomViewport } from './viewport.ts'

/**
 * A drag without a tool on a picture that is not zoomed: how far the pointer has moved horizontally since the press, and the width of the
 * stage, both in CSS pixels. `isStart`: whether this is the first report of the drag.
 */
export interface ScrubDragMovement {
  pixels: number
  width: number
  isStart: boolean
}

interface PointerContext {
  aspect: number
  drawing?: ShapeEditorWithKeyboard | undefined
  onTap: () => void
  onScrub?: ((drag: ScrubDragMovement) => void) | undefined
  wheel: boolean
}

/** A press that moves at most this many CSS pixels counts as a tap. */
const MAX_TAP_DISTANCE_PX = 6
/** The distance from a shape, in CSS pixels, within which a press selects it, for a finger and for more precise pointers. */
const FINGER_REACH_PX = 22
const MOUSE_REACH_PX = 9
/** Zoom per pixel of wheel movement, as an exponent of e. */
const WHEEL_ZOOM_FACTOR = 0.0016

/**
 * Handles pointers and the wheel on the picture. With a drawing tool, one pointer draws. Without a tool, one pointer moves a zoomed
 * picture, and scrubs through the video if the picture is not zoomed. Two fingers move and zoom the picture. Only the pointer that began a
 * stroke continues it; a second finger discards the stroke. Returns a function that removes the listeners.
 */
export function attachDrawPanZoomListeners(
  element: HTMLElement,
  canvases: DrawingCanvasPainter,
  $view: WritableAtom<Viewport>,
  context: () => PointerContext,
): () => void {
  const pointers = new Map<number, Point>()
  let drawing: number | undefined
  let pressedAt: (Point & { moved: boolean }) | undefined
  /** Once the user has drawn with a pen, touches do not draw, because they may come from the palm. */
  let hasPen = false

  const pointInElement = (e: PointerEvent | WheelEvent): Point => {
    const { left, top } = element.getBoundingClientRect()
    return { x: e.clientX - left, y: e.clientY - top }
  }
  const shapePoint = (e: PointerEvent) => ({
    ...canvases.toPicturePoint(pointInElement(e)),
    ...(e.pointerType === 'pen' && { pressure: e.pressure }),
  })
  const shapeEditor = () => {
    const active = context().drawing?.shapeEditor
    return active?.$instrument.get() ? active : undefined
  }

  function press(e: PointerEvent) {
    if (e.button > 0) return
    element.setPointerCapture(e.pointerId)
    pointers.set(e.pointerId, pointInElement(e))
    if (e.pointerType === 'pen') hasPen = true
    const active = shapeEditor()
    if (pointers.size > 1) {
      if (drawing !== undefined) active?.cancel()
      drawing = pressedAt = undefined
      return
    }
    if (active && !(hasPen && e.pointerType === 'touch')) {
      drawing = e.pointerId
      active.down(shapePoint(e), canvases.reach(e.pointerType === 'touch' ? FINGER_REACH_PX : MOUSE_REACH_PX))
      e.preventDefault()
      element.focus({ preventScroll: true })
      return
    }
    pressedAt = { ...pointInElement(e), moved: false }
  }

  function move(e: PointerEvent) {
    const before = pointers.get(e.pointerId)
    const at = pointInElement(e)
    if (!before) {
      if (e.pointerType !== 'touch') shapeEditor()?.hover(shapePoint(e))
      return
    }
    const { aspect } = context()
    if (pointers.size === 2) {
      const [other] = [...pointers].filter(([id]) => id !== e.pointerId).map(([, p]) => p)
      const spread = (p: Point) => Math.hypot(p.x - other!.x, p.y - other!.y) || 1
      const middle = { x: (at.x + other!.x) / 2, y: (at.y + other!.y) / 2 }
      const shift = { x: (at.x - before.x) / 2, y: (at.y - before.y) / 2 }
      const zoomed = zoomViewport($view.get(), spread(at) / spread(before), middle, canvases.box, aspect)
      $view.set(panViewport(zoomed, shift, canvases.box, aspect))
    } else if (drawing === e.pointerId) {
      const all = e.getCoalescedEvents?.() ?? []
      shapeEditor()?.move((all.length ? all : [e]).map(shapePoint), e.shiftKey)
    } else if (pressedAt) {
      const isStart = !pressedAt.moved
      pressedAt.moved ||= Math.hypot(at.x - pressedAt.x, at.y - pressedAt.y) > MAX_TAP_DISTANCE_PX
      if (pressedAt.moved && $view.get().scale > 1)
        $view.set(panViewport($view.get(), { x: at.x - before.x, y: at.y - before.y }, canvases.box, aspect))
      else if (pressedAt.moved) context().onScrub?.({ pixels: at.x - pressedAt.x, width: canvases.box.width, isStart })
    }
    pointers.set(e.pointerId, at)
  }

  /**
   * Keeps the browser from treating a drag on the picture as a gesture of its own. Otherwise Chromium mistakes a fast drag for a fling,
   * even if `touch-action` allows no scrolling, and drops the next tap on any button, because it takes that tap as the one that stops the
   * fling.
   */
  function cancelGesture(e: TouchEvent) {
    const now = [...pointers.values()][0]
    const isScrub = pressedAt?.moved && now && Math.abs(now.x - pressedAt.x) >= Math.abs(now.y - pressedAt.y)
    if (e.cancelable && (shapeEditor() || context().wheel || $view.get().scale > 1 || pointers.size > 1 || isScrub)) e.preventDefault()
  }

  function lift(e: PointerEvent) {
    if (!pointers.delete(e.pointerId)) return
    if (drawing === e.pointerId) {
      drawing = undefined
      if (e.type === 'pointercancel') shapeEditor()?.cancel()
      else shapeEditor()?.up()
    } else if (pressedAt && !pressedAt.moved && e.type === 'pointerup') context().onTap()
    pressedAt = undefined
  }

  function wheel(e: WheelEvent) {
    if (!context().wheel && !e.ctrlKey) return
    e.preventDefault()
    const pixels = e.deltaY * (e.deltaMode === 1 ? 16 : 1)
    $view.set(
      zoomViewport(
        $view.get(),
        Math.exp(-pixels * WHEEL_ZOOM_FACTOR * (e.ctrlKey ? 4 : 1)),
        pointInElement(e),
        canvases.box,
        context().aspect,
      ),
    )
  }

  const listeners = new AbortController()
  const on = <K extends keyof HTMLElementEventMap>(type: K, then: (e: HTMLElementEventMap[K]) => void, passive = true) =>
    element.addEventListener(type, then, { signal: listeners.signal, passive })
  on('pointerdown', press, false)
  on('pointermove', move)
  on('pointerup', lift)
  on('pointercancel', lift)
  on('touchmove', cancelGesture, false)
  on('wheel', wheel, false)
  return () => listeners.abort()
}

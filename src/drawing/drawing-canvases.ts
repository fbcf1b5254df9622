import type { Shape } from '../../modules/reviews/contract.ts'
import { PICTURE_SIDE_UNITS } from '../../modules/reviews/policy.ts'
import { FinishedShapesLayer } from './finished-shapes-layer.ts'
import { type InkColors, readInkColors } from './ink-colors-from-theme.ts'
import { paintShape } from './paint-shape.ts'
import { type PictureRect, toCanvasPoint, toPicturePoint } from './picture-coordinates.ts'
import type { Point } from './point-encoding-and-simplification.ts'
import { shapeAtFrame } from './shape-at-frame.ts'
import type { ShapeEditorWithKeyboard } from './shape-editor-keyboard-cursor.ts'
import { isTextOrStopwatchShape, shapeBounds, shapeHandles, shapeOpacityAtFrame } from './shape-geometry.ts'
import { measureShapeText } from './shape-text-font-and-size.ts'
import { clampViewport, pictureRect, type Viewport } from './viewport.ts'

interface CanvasState {
  aspect: number
  shapes: readonly Shape[]
  drawing?: ShapeEditorWithKeyboard | undefined
  frame: number
  view: Viewport
}

/**
 * Minimum opacity of the shape that the follow tool moves. It stays visible even at frames where viewers do not see it, so that it can be
 * moved there.
 */
const FOLLOWED_OPACITY = 0.5
/** Half the width of a square handle, in CSS pixels. */
const HANDLE_HALF_WIDTH_PX = 5

/**
 * Two canvases over the picture. The lower one shows the finished shapes and is repainted when they change; the upper one shows the
 * unfinished shape, the selection and the cursor, and is repainted on every move. Each is painted at most once per animation frame. A
 * canvas gets a size only once there is something to paint or, for the upper one, once a drawing tool is selected, because every canvas
 * with a size costs time in each frame.
 */
export class DrawingCanvasPainter {
  box = { width: 0, height: 0 }
  private readonly state: () => CanvasState
  private lower: HTMLCanvasElement | null = null
  private finished: FinishedShapesLayer | null = null
  private upper: HTMLCanvasElement | null = null
  /** The size last set on each canvas. A canvas that was hidden and reappears with the same size still has its content. */
  private readonly sizes = new Map<HTMLCanvasElement, DrawingCanvasPainter['box']>()
  private inks: InkColors = []
  private pendingFrame = 0
  /** Whether the upper canvas is empty. */
  private blank = true
  /** Whether a drawing tool is selected. */
  private isDrawing = false

  constructor(state: () => CanvasState) {
    this.state = state
  }

  attach(lower: HTMLCanvasElement, upper: HTMLCanvasElement) {
    this.lower = lower
    this.upper = upper
  }

  resize(width: number, height: number) {
    this.box = { width, height }
    this.repaint()
  }

  /** Call this when a drawing tool is selected or deselected. */
  setDrawing(isDrawing: boolean) {
    this.isDrawing = isDrawing
    this.repaint()
  }

  rect(): PictureRect {
    const { aspect, view } = this.state()
    return pictureRect(this.box, aspect, clampViewport(view, this.box, aspect))
  }
  /** Converts pixels of the box to picture units. */
  toPicturePoint = (pixels: Point): Point => toPicturePoint(pixels, this.rect())
  /** Converts a distance in pixels to ten-thousandths of the picture's height. */
  reach = (pixels: number) => (pixels / this.rect().height) * PICTURE_SIDE_UNITS
  /**
   * The shapes visible at the current frame and the one that the follow tool moves, as they look at that frame, the topmost last; without
   * the active shape, which the upper canvas shows.
   */
  private visible() {
    const { shapes, frame, drawing } = this.state()
    const live = drawing?.shapeEditor.$activeShape.get()?.id
    const followed = drawing?.shapeEditor.followed()?.id
    return shapes.flatMap(shape => {
      const opacity = Math.max(shapeOpacityAtFrame(shape, frame), shape.id === followed ? FOLLOWED_OPACITY : 0)
      return shape.id !== live && opacity > 0 ? [{ shape: shapeAtFrame(shape, frame), opacity }] : []
    })
  }

  repaint() {
    if (this.pendingFrame || !this.upper) return
    this.pendingFrame = requestAnimationFrame(() => {
      this.pendingFrame = 0
      this.paintFinished()
      this.paintActive()
    })
  }

  /** Gives the canvas the size of the box and returns its context. Changing the size clears the canvas. */
  private fittedContext(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
    const ctx = canvas.getContext('2d')
    const known = this.sizes.get(canvas)
    if (!ctx || (known?.width === this.box.width && known.height === this.box.height)) return ctx
    this.sizes.set(canvas, this.box)
    if (!this.inks.length) this.inks = readInkColors(canvas)
    const dots = globalThis.devicePixelRatio || 1
    canvas.width = Math.round(this.box.width * dots)
    canvas.height = Math.round(this.box.height * dots)
    ctx.setTransform(dots, 0, 0, dots, 0, 0)
    if (canvas === this.upper) this.blank = true
    else if (this.finished) this.finished.onContentLost()
    else this.finished = new FinishedShapesLayer(ctx, this.inks)
    return ctx
  }

  private paintFinished() {
    // A hidden stage has no size, and `drawImage` throws for an empty canvas.
    if (!this.box.width || !this.box.height) return
    const visibleShapes = this.visible()
    if (!visibleShapes.length && !this.finished) return
    this.fittedContext(this.lower!)
    this.finished?.show({ rect: this.rect(), shapes: visibleShapes })
  }

  private paintActive() {
    const canvas = this.upper!
    const parts = this.activeParts()
    // The browser composites every visible canvas, even an empty one, each time it paints, but never a hidden canvas. Showing or hiding the
    // canvas triggers a reflow, so it stays visible while a drawing tool is selected.
    if (parts || this.isDrawing || !this.blank) {
      const ctx = this.fittedContext(canvas)
      if (ctx && !this.blank) this.clear(ctx)
      if (ctx && parts) this.paintActiveParts(ctx, parts)
      this.blank = !parts
    }
    canvas.hidden = this.blank && !this.isDrawing
  }

  /** What the upper canvas has to show, or undefined if there is nothing. */
  private activeParts() {
    const { drawing } = this.state()
    if (!drawing) return
    const { shapeEditor, $cursor } = drawing
    const [live, laser, selected, cursor] = [
      shapeEditor.$activeShape.get(),
      shapeEditor.$laser.get(),
      shapeEditor.$selected.get(),
      $cursor.get(),
    ]
    const selectedShape =
      selected && shapeEditor.isSelecting() ? (live ?? this.visible().find(({ shape }) => shape.id === selected)?.shape) : undefined
    if (!live && !laser.length && !selectedShape && !cursor) return
    return { live, laser, selectedShape: selectedShape?.id === selected ? selectedShape : undefined, cursor }
  }

  private paintActiveParts(
    ctx: CanvasRenderingContext2D,
    { live, laser, selectedShape, cursor }: NonNullable<ReturnType<DrawingCanvasPainter['activeParts']>>,
  ) {
    const rect = this.rect()
    if (live) paintShape(ctx, live, rect, this.inks)
    this.laser(ctx, laser, rect)
    if (selectedShape) this.paintSelection(ctx, selectedShape, rect)
    if (cursor) this.crosshair(ctx, toCanvasPoint(cursor, rect))
  }

  private laser(ctx: CanvasRenderingContext2D, points: readonly Point[], rect: PictureRect) {
    const last = points.at(-1)
    if (!last) return
    const tail = points.slice(-12).map(p => toCanvasPoint(p, rect))
    ctx.save()
    ctx.strokeStyle = ctx.fillStyle = '#ff5a3c'
    ctx.lineCap = ctx.lineJoin = 'round'
    ctx.lineWidth = 4
    ctx.globalAlpha = 0.5
    ctx.beginPath()
    for (const { x, y } of tail) ctx.lineTo(x, y)
    ctx.stroke()
    ctx.globalAlpha = 1
    ctx.beginPath()
    ctx.arc(tail.at(-1)!.x, tail.at(-1)!.y, 7, 0, 2 * Math.PI)
    ctx.fill()
    ctx.restore()
  }

  /** Paints the selection: the shape's handles, or a dashed box around a shape without handles. */
  private paintSelection(ctx: CanvasRenderingContext2D, shape: Shape, rect: PictureRect) {
    ctx.save()
    ctx.lineWidth = 1.5
    ctx.strokeStyle = '#0e1512'
    ctx.fillStyle = '#f2f0ea'
    const points = shapeHandles(shape)
    for (const { x, y } of points.map(p => toCanvasPoint(p, rect))) {
      ctx.beginPath()
      ctx.rect(x - HANDLE_HALF_WIDTH_PX, y - HANDLE_HALF_WIDTH_PX, 2 * HANDLE_HALF_WIDTH_PX, 2 * HANDLE_HALF_WIDTH_PX)
      ctx.fill()
      ctx.stroke()
    }
    if (!points.length) {
      const box = this.bounds(shape)
      const [from, to] = [toCanvasPoint({ x: box.left, y: box.top }, rect), toCanvasPoint({ x: box.right, y: box.bottom }, rect)]
      ctx.setLineDash([5, 4])
      for (const color of ['#0e1512', '#f2f0ea']) {
        ctx.strokeStyle = color
        ctx.lineDashOffset = color === '#0e1512' ? 0 : 4.5
        ctx.strokeRect(from.x - 6, from.y - 6, to.x - from.x + 12, to.y - from.y + 12)
      }
    }
    ctx.restore()
  }
  private bounds(shape: Shape) {
    return shapeBounds(shape, isTextOrStopwatchShape(shape) ? measureShapeText(shape, this.state().aspect) : undefined)
  }

  private crosshair(ctx: CanvasRenderingContext2D, { x, y }: Point) {
    ctx.save()
    for (const [color, width] of [
      ['#0e1512', 4],
      ['#f2f0ea', 2],
    ] as const) {
      ctx.strokeStyle = color
      ctx.lineWidth = width
      ctx.beginPath()
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        ctx.moveTo(x + dx * 5, y + dy * 5)
        ctx.lineTo(x + dx * 14, y + dy * 14)
      }
      ctx.stroke()
    }
    ctx.restore()
  }

  private clear(ctx: CanvasRenderingContext2D) {
    ctx.clearRect(0, 0, this.box.width, this.box.height)
  }
}

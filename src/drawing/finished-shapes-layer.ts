import type { Shape } from '../../modules/reviews/contract.ts'
import type { InkColors } from './ink-colors-from-theme.ts'
import { paintShape } from './paint-shape.ts'
import { isSameRect, type PictureRect } from './picture-coordinates.ts'

/** A shape with its opacity, 0 to 1. Shapes are immutable: a changed shape is a new object. */
export interface VisibleShape {
  shape: Shape
  opacity: number
}
interface PaintedView {
  rect: PictureRect
  shapes: readonly VisibleShape[]
}

/** A repaint that is done in steps paints at most this many shapes in each animation frame. */
const MAX_SHAPES_PER_FRAME = 24
/** When shapes are cached, this many of the newest are left out, because people undo or change those most often. */
const UNCACHED_SHAPES = 12
/** After a zoom or move, the shapes are repainted once the viewport has not changed for this long. */
const STILL_VIEW_MS = 150

const startsWith = (all: readonly VisibleShape[], first: readonly VisibleShape[]) =>
  first.length <= all.length && first.every(({ shape, opacity }, i) => shape === all[i]!.shape && opacity === all[i]!.opacity)

/**
 * The canvas of the finished shapes. It paints as little as possible: a new shape is painted on top; when one of the newest shapes is
 * removed, a cached canvas provides the others; while many shapes are zoomed or moved, the canvas element is transformed until the viewport
 * stops changing; and if the canvas is resized, the cached canvas is stretched until the shapes are repainted.
 */
export class FinishedShapesLayer {
  private readonly ctx: CanvasRenderingContext2D
  private readonly inks: InkColors
  /** What the canvas shows; null if it has to be repainted. `isStretched`: blurred, because it was painted for another size. */
  private painted: (PaintedView & { isStretched?: boolean }) | null = null
  /** All painted shapes except the newest, on a separate canvas. */
  private cached: (PaintedView & { ctx: CanvasRenderingContext2D }) | null = null
  /** The view that the transformed or stretched canvas shows until the shapes are repainted. */
  private provisional: PaintedView | null = null
  private stillTimer: ReturnType<typeof setTimeout> | undefined
  private frame = 0

  constructor(ctx: CanvasRenderingContext2D, inks: InkColors) {
    this.ctx = ctx
    this.inks = inks
  }

  /** Call this after a new size has cleared the canvas. */
  onContentLost() {
    if (this.provisional) this.endProvisional()
    this.painted = null
  }
  private end() {
    clearTimeout(this.stillTimer)
    cancelAnimationFrame(this.frame)
  }

  show(now: PaintedView) {
    const { painted } = this
    const same = painted !== null && painted.shapes.length === now.shapes.length && startsWith(now.shapes, painted.shapes)
    if (same && this.provisional && isSameRect(this.provisional.rect, now.rect)) return
    if (same && !isSameRect(painted.rect, now.rect) && now.shapes.length > MAX_SHAPES_PER_FRAME)
      return this.transformCanvas(painted.rect, now)
    if (this.provisional) this.endProvisional()
    if (!painted && this.hasMostShapes(now)) return this.stretchCache(now)
    if (!painted || painted.isStretched || !isSameRect(painted.rect, now.rect)) this.repaintAll(now)
    else if (startsWith(now.shapes, painted.shapes) && now.shapes.length - painted.shapes.length <= MAX_SHAPES_PER_FRAME)
      this.paintOnTop(now, painted.shapes.length)
    else if (this.isCached(now)) this.paintFromCache(now)
    else this.repaintAll(now)
    this.painted = now
  }

  /** Whether there are many shapes and the cached canvas lacks only a few of them. It may show them at a different zoom or position. */
  private hasMostShapes = ({ shapes }: PaintedView) =>
    this.cached !== null &&
    startsWith(shapes, this.cached.shapes) &&
    shapes.length > MAX_SHAPES_PER_FRAME &&
    shapes.length - this.cached.shapes.length <= MAX_SHAPES_PER_FRAME
  private isCached = (now: PaintedView) => this.hasMostShapes(now) && isSameRect(this.cached!.rect, now.rect)

  private repaintAll(now: PaintedView) {
    if (now.shapes.length > MAX_SHAPES_PER_FRAME) {
      this.cached = { ...this.emptyCanvas(), rect: now.rect, shapes: [] }
      this.extendCache(now, now.shapes.length - UNCACHED_SHAPES)
      this.paintFromCache(now)
    } else {
      if (this.painted?.shapes.length !== 0) this.clear(this.ctx)
      this.paint(this.ctx, now, 0)
    }
  }

  private paintOnTop(now: PaintedView, from: number) {
    this.paint(this.ctx, now, from)
    if (this.isCached(now) && now.shapes.length - this.cached!.shapes.length > 2 * UNCACHED_SHAPES)
      this.extendCache(now, now.shapes.length - UNCACHED_SHAPES)
  }

  /** Paints more shapes on the cached canvas until it has `count` of them. */
  private extendCache(now: PaintedView, count: number) {
    const { ctx, shapes } = this.cached!
    this.paint(ctx, now, shapes.length, count)
    this.cached = { ctx, rect: now.rect, shapes: now.shapes.slice(0, count) }
  }

  /** Copies the cached canvas and paints the newest shapes on top. */
  private paintFromCache(now: PaintedView) {
    const { ctx } = this
    const { canvas } = this.cached!.ctx
    this.clear(ctx)
    ctx.save()
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.drawImage(canvas, 0, 0)
    ctx.restore()
    this.paint(ctx, now, this.cached!.shapes.length)
  }

  private transformCanvas(from: PictureRect, to: PaintedView) {
    const scale = to.rect.width / from.width
    const { style } = this.ctx.canvas
    style.transformOrigin = '0 0'
    style.transform = `translate(${to.rect.left - scale * from.left}px, ${to.rect.top - scale * from.top}px) scale(${scale})`
    this.repaintWhenStill(to)
  }

  /** Paints the cached canvas, scaled to the picture's new rectangle, and the newest shapes on top. */
  private stretchCache(to: PaintedView) {
    const { rect, shapes, ctx: from } = this.cached!
    const scale = to.rect.width / rect.width
    const dots = from.getTransform().a
    const { width, height } = from.canvas
    const [left, top] = [to.rect.left - scale * rect.left, to.rect.top - scale * rect.top]
    this.ctx.drawImage(from.canvas, left, top, (scale * width) / dots, (scale * height) / dots)
    this.paint(this.ctx, to, shapes.length)
    this.painted = { ...to, isStretched: true }
    this.repaintWhenStill(to)
  }

  private repaintWhenStill(to: PaintedView) {
    this.provisional = to
    this.end()
    this.stillTimer = setTimeout(() => this.repaintInSteps({ ...this.emptyCanvas(), rect: to.rect, shapes: [] }, to), STILL_VIEW_MS)
  }
  private endProvisional() {
    this.end()
    this.ctx.canvas.style.transform = ''
    this.provisional = null
  }

  /** Paints a new cache for the changed viewport, a few shapes per animation frame, and then shows it. */
  private repaintInSteps(next: NonNullable<FinishedShapesLayer['cached']>, to: PaintedView) {
    this.frame = requestAnimationFrame(() => {
      const count = Math.min(next.shapes.length + MAX_SHAPES_PER_FRAME, to.shapes.length - UNCACHED_SHAPES)
      this.paint(next.ctx, to, next.shapes.length, count)
      const more = { ...next, shapes: to.shapes.slice(0, count) }
      if (count < to.shapes.length - UNCACHED_SHAPES) return this.repaintInSteps(more, to)
      this.endProvisional()
      this.cached = more
      this.paintFromCache(to)
      this.painted = to
    })
  }

  private paint(ctx: CanvasRenderingContext2D, { shapes, rect }: PaintedView, from: number, to = shapes.length) {
    for (const { shape, opacity } of shapes.slice(from, to)) paintShape(ctx, shape, rect, this.inks, opacity)
  }
  private clear(ctx: CanvasRenderingContext2D) {
    ctx.save()
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height)
    ctx.restore()
  }
  /** Creates an empty canvas with the size and scale of this layer's canvas. */
  private emptyCanvas() {
    const canvas = document.createElement('canvas')
    const { width, height } = this.ctx.canvas
    const ctx = Object.assign(canvas, { width, height }).getContext('2d')!
    ctx.setTransform(this.ctx.getTransform())
    return { ctx }
  }
}

import type { Shape } from '../../modules/reviews/contract.ts'
import { type Inks, type Place, paint, samePlace } from './paint.ts'

/** A drawing and how strongly it shows, 0 to 1. Shapes are never changed: another look is another object. */
export interface Shown {
  shape: Shape
  strong: number
}
interface Sheet {
  place: Place
  shapes: readonly Shown[]
}

/** So many drawings are painted between two frames of the screen, and no more where there is a choice. */
const FEW = 24
/** The last so many stay off the copy of the others, as they are what is taken back or changed next. */
const LAST = 12
/** The view has been still for so long, ms, before what is seen through it is painted for it. */
const STILL = 150

const begins = (all: readonly Shown[], first: readonly Shown[]) =>
  first.length <= all.length && first.every(({ shape, strong }, i) => shape === all[i]!.shape && strong === all[i]!.strong)

/**
 * The canvas of what is finished. As little as possible is painted for a change: what comes on top is painted on what is there; where the
 * last of many goes, a copy of the others is there; and where many are seen larger or moved, the canvas itself is, until the view is still.
 */
export class Finished {
  private readonly ctx: CanvasRenderingContext2D
  private readonly inks: Inks
  /** What the canvas holds; null: it has to be painted anew. */
  private held: Sheet | null = null
  /** The first of what is held, on a canvas of their own. */
  private copy: (Sheet & { ctx: CanvasRenderingContext2D }) | null = null
  /** As the canvas is moved to be seen, until it is painted so. */
  private moved: Sheet | null = null
  private still: ReturnType<typeof setTimeout> | undefined
  private frame = 0

  constructor(ctx: CanvasRenderingContext2D, inks: Inks) {
    this.ctx = ctx
    this.inks = inks
  }

  /** The canvas has lost what it held, as one of another size does. */
  lost() {
    if (this.moved) this.unmove()
    this.held = this.copy = null
  }
  private end() {
    clearTimeout(this.still)
    cancelAnimationFrame(this.frame)
  }

  show(now: Sheet) {
    const { held } = this
    const same = held !== null && held.shapes.length === now.shapes.length && begins(now.shapes, held.shapes)
    if (same && !samePlace(held.place, now.place) && now.shapes.length > FEW) {
      if (!this.moved || !samePlace(this.moved.place, now.place)) this.move(held.place, now)
      return
    }
    if (this.moved) this.unmove()
    if (!held || !samePlace(held.place, now.place)) this.anew(now)
    else if (begins(now.shapes, held.shapes) && now.shapes.length - held.shapes.length <= FEW) this.onTop(now, held.shapes.length)
    else if (this.copied(now)) this.compose(now)
    else this.anew(now)
    this.held = now
  }

  private copied = ({ place, shapes }: Sheet) =>
    this.copy !== null &&
    samePlace(this.copy.place, place) &&
    begins(shapes, this.copy.shapes) &&
    shapes.length - this.copy.shapes.length <= FEW

  private anew(now: Sheet) {
    if (now.shapes.length > FEW) {
      this.copy = { ...this.sheet(), place: now.place, shapes: [] }
      this.onCopy(now, now.shapes.length - LAST)
      this.compose(now)
    } else {
      if (this.held?.shapes.length !== 0) this.clear(this.ctx)
      this.paint(this.ctx, now, 0)
    }
  }

  private onTop(now: Sheet, from: number) {
    this.paint(this.ctx, now, from)
    if (this.copied(now) && now.shapes.length - this.copy!.shapes.length > 2 * LAST) this.onCopy(now, now.shapes.length - LAST)
  }

  /** Paints on the copy until it holds so many. */
  private onCopy(now: Sheet, many: number) {
    const { ctx, shapes } = this.copy!
    this.paint(ctx, now, shapes.length, many)
    this.copy = { ctx, place: now.place, shapes: now.shapes.slice(0, many) }
  }

  /** The copy, and the last on it. */
  private compose(now: Sheet) {
    const { ctx } = this
    const { canvas } = this.copy!.ctx
    this.clear(ctx)
    ctx.save()
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.drawImage(canvas, 0, 0)
    ctx.restore()
    this.paint(ctx, now, this.copy!.shapes.length)
  }

  private move(from: Place, to: Sheet) {
    const scale = to.place.width / from.width
    const { style } = this.ctx.canvas
    style.transformOrigin = '0 0'
    style.transform = `translate(${to.place.left - scale * from.left}px, ${to.place.top - scale * from.top}px) scale(${scale})`
    this.moved = to
    this.end()
    this.still = setTimeout(() => this.sharpen({ ...this.sheet(), place: to.place, shapes: [] }, to), STILL)
  }
  private unmove() {
    this.end()
    this.ctx.canvas.style.transform = ''
    this.moved = null
  }

  /** Paints a copy for another place, a few drawings a frame, and then shows it. */
  private sharpen(next: NonNullable<Finished['copy']>, to: Sheet) {
    this.frame = requestAnimationFrame(() => {
      const many = Math.min(next.shapes.length + FEW, to.shapes.length - LAST)
      this.paint(next.ctx, to, next.shapes.length, many)
      const more = { ...next, shapes: to.shapes.slice(0, many) }
      if (many < to.shapes.length - LAST) return this.sharpen(more, to)
      this.unmove()
      this.copy = more
      this.compose(to)
      this.held = to
    })
  }

  private paint(ctx: CanvasRenderingContext2D, { shapes, place }: Sheet, from: number, to = shapes.length) {
    for (const { shape, strong } of shapes.slice(from, to)) paint(ctx, shape, place, this.inks, strong)
  }
  private clear(ctx: CanvasRenderingContext2D) {
    ctx.save()
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height)
    ctx.restore()
  }
  /** An empty canvas like the one that is seen. */
  private sheet() {
    const canvas = document.createElement('canvas')
    const { width, height } = this.ctx.canvas
    const ctx = Object.assign(canvas, { width, height }).getContext('2d')!
    ctx.setTransform(this.ctx.getTransform())
    return { ctx }
  }
}

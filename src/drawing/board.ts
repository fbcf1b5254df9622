import type { Shape } from '../../modules/reviews/contract.ts'
import { COORDINATE_UNITS } from '../../modules/reviews/policy.ts'
import { Finished } from './finished.ts'
import type { Drawing } from './keys.ts'
import { type Inks, inksAt, labelSize, onCanvas, onPicture, type Place, paint } from './paint.ts'
import type { Point } from './points.ts'
import { bounds as boundsOf, handles, strength } from './shapes.ts'
import { held, placeOf, type View } from './view.ts'

interface Shown {
  aspect: number
  shapes: readonly Shape[]
  drawing?: Drawing | undefined
  frame: number
  view: View
}

/** To the eye, pixels. */
const HANDLE = 5

/**
 * Two canvases over the picture: what is finished, painted when it changes; and what is under way, painted at every move. Both at most once
 * a frame of the screen, and neither before there is something to paint: each that has a size costs the page in every frame.
 */
export class Board {
  box = { width: 0, height: 0 }
  private readonly shown: () => Shown
  private lower: HTMLCanvasElement | null = null
  private finished: Finished | null = null
  private upper: HTMLCanvasElement | null = null
  /** For what box each of them has its size; one that is put away and comes back as large as it was has kept what was on it. */
  private readonly sizes = new Map<HTMLCanvasElement, Board['box']>()
  private inks: Inks = []
  private due = 0
  /** Nothing is on the upper canvas. */
  private blank = true
  /** Somebody holds a pencil. */
  private inHand = false

  constructor(shown: () => Shown) {
    this.shown = shown
  }

  attach(lower: HTMLCanvasElement, upper: HTMLCanvasElement) {
    this.lower = lower
    this.upper = upper
  }

  resize(width: number, height: number) {
    this.box = { width, height }
    this.repaint()
  }

  /** The pencil is taken, or put away. */
  pencil(inHand: boolean) {
    this.inHand = inHand
    this.repaint()
  }

  place(): Place {
    const { aspect, view } = this.shown()
    return placeOf(this.box, aspect, held(view, this.box, aspect))
  }
  /** Pixels of the box to units of the picture. */
  at = (pixels: Point): Point => onPicture(pixels, this.place())
  /** So many pixels, in units of the picture's height. */
  reach = (pixels: number) => (pixels / this.place().height) * COORDINATE_UNITS
  /** Drawings that show now, the last on top. */
  visible() {
    const { shapes, frame } = this.shown()
    return shapes.filter(s => strength(s, frame) > 0)
  }

  repaint() {
    if (this.due || !this.upper) return
    this.due = requestAnimationFrame(() => {
      this.due = 0
      this.done()
      this.underWay()
    })
  }

  /** To paint on: as large as the box, and empty where it had another size. */
  private fitted(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
    const ctx = canvas.getContext('2d')
    const known = this.sizes.get(canvas)
    if (!ctx || (known?.width === this.box.width && known.height === this.box.height)) return ctx
    this.sizes.set(canvas, this.box)
    if (!this.inks.length) this.inks = inksAt(canvas)
    const dots = globalThis.devicePixelRatio || 1
    canvas.width = Math.round(this.box.width * dots)
    canvas.height = Math.round(this.box.height * dots)
    ctx.setTransform(dots, 0, 0, dots, 0, 0)
    if (canvas === this.upper) this.blank = true
    else if (this.finished) this.finished.lost()
    else this.finished = new Finished(ctx, this.inks)
    return ctx
  }

  private done() {
    // A stage that is put away has no size, and nothing can be copied onto it.
    if (!this.box.width || !this.box.height) return
    const { shapes, frame, drawing } = this.shown()
    const live = drawing?.pencil.$live.get()
    const seen = shapes.flatMap(shape => {
      const strong = shape.id === live?.id ? 0 : strength(shape, frame)
      return strong > 0 ? [{ shape, strong }] : []
    })
    if (!seen.length && !this.finished) return
    this.fitted(this.lower!)
    this.finished?.show({ place: this.place(), shapes: seen })
  }

  private underWay() {
    const canvas = this.upper!
    const its = this.atWork()
    // A canvas that is touched is composed anew, even where it stays empty; one that is hidden never is. To come and go has the page laid out
    // anew: for who holds a pencil it is there.
    if (its || this.inHand || !this.blank) {
      const ctx = this.fitted(canvas)
      if (ctx && !this.blank) this.clear(ctx)
      if (ctx && its) this.paintAtWork(ctx, its)
      this.blank = !its
    }
    canvas.hidden = this.blank && !this.inHand
  }

  /** What a pencil or a cursor shows now; undefined where there is nothing. */
  private atWork() {
    const { drawing } = this.shown()
    if (!drawing) return
    const { pencil, $cursor } = drawing
    const [live, laser, selected, cursor] = [pencil.$live.get(), pencil.$laser.get(), pencil.$selected.get(), $cursor.get()]
    const held = selected && pencil.$instrument.get() === 'select' ? (live ?? this.visible().find(s => s.id === selected)) : undefined
    if (!live && !laser.length && !held && !cursor) return
    return { live, laser, held: held?.id === selected ? held : undefined, cursor }
  }

  private paintAtWork(ctx: CanvasRenderingContext2D, { live, laser, held, cursor }: NonNullable<ReturnType<Board['atWork']>>) {
    const place = this.place()
    if (live) paint(ctx, live, place, this.inks)
    this.laser(ctx, laser, place)
    if (held) this.hold(ctx, held, place)
    if (cursor) this.crosshair(ctx, onCanvas(cursor, place))
  }

  private laser(ctx: CanvasRenderingContext2D, points: readonly Point[], place: Place) {
    const last = points.at(-1)
    if (!last) return
    const tail = points.slice(-12).map(p => onCanvas(p, place))
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

  /** What is selected: its points to take hold of, or a frame around it. */
  private hold(ctx: CanvasRenderingContext2D, shape: Shape, place: Place) {
    ctx.save()
    ctx.lineWidth = 1.5
    ctx.strokeStyle = '#0e1512'
    ctx.fillStyle = '#f2f0ea'
    const points = handles(shape)
    for (const { x, y } of points.map(p => onCanvas(p, place))) {
      ctx.beginPath()
      ctx.rect(x - HANDLE, y - HANDLE, 2 * HANDLE, 2 * HANDLE)
      ctx.fill()
      ctx.stroke()
    }
    if (!points.length) {
      const box = this.bounds(shape)
      const [from, to] = [onCanvas({ x: box.left, y: box.top }, place), onCanvas({ x: box.right, y: box.bottom }, place)]
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
    return boundsOf(shape, shape.tool === 'text' ? labelSize(shape, this.shown().aspect) : undefined)
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

import type { Shape } from '../../modules/reviews/contract.ts'
import { PICTURE_SIDE_UNITS } from '../../modules/reviews/policy.ts'
import type { InkColors } from './ink-colors-from-theme.ts'
import type { PictureRect } from './picture-coordinates.ts'
import type { Point } from './point-encoding-and-simplification.ts'
import { letterHeightForLineWidth, shapeFont } from './shape-text-font-and-size.ts'

/** A dark outline makes a drawing visible on both grass and sky. */
const EDGE_COLOR = 'rgb(14 21 18 / 0.7)'

/** Paints lines, areas, and letters with a shape's color and width, each with a dark edge. */
export class OutlinedBrush {
  readonly ctx: CanvasRenderingContext2D
  /** Width of the line, in canvas pixels. */
  readonly width: number
  /** Height of the letters, in canvas pixels. */
  readonly letterHeight: number
  private readonly edge: number
  private readonly color: string

  constructor(ctx: CanvasRenderingContext2D, shape: Pick<Shape, 'width' | 'color'>, at: PictureRect, inks: InkColors) {
    this.ctx = ctx
    this.width = Math.max(2, (shape.width / PICTURE_SIDE_UNITS) * at.height)
    this.letterHeight = (letterHeightForLineWidth(shape.width) / PICTURE_SIDE_UNITS) * at.height
    this.edge = Math.max(1, this.width * 0.18)
    this.color = inks[shape.color] ?? inks[0]!
  }

  stroke(path: Path2D) {
    this.ctx.lineWidth = this.width + 2 * this.edge
    this.ctx.strokeStyle = EDGE_COLOR
    this.ctx.stroke(path)
    this.ctx.lineWidth = this.width
    this.ctx.strokeStyle = this.color
    this.ctx.stroke(path)
  }

  strokeDashed(path: Path2D) {
    this.ctx.save()
    this.ctx.setLineDash([this.width * 2, this.width * 3])
    this.stroke(path)
    this.ctx.restore()
  }

  fill(path: Path2D) {
    this.ctx.lineWidth = 2 * this.edge
    this.ctx.strokeStyle = EDGE_COLOR
    this.ctx.stroke(path)
    this.ctx.fillStyle = this.color
    this.ctx.fill(path)
  }

  write(text: string, { x, y }: Point, baseline: CanvasTextBaseline, align: CanvasTextAlign) {
    this.ctx.font = shapeFont(this.letterHeight)
    this.ctx.textBaseline = baseline
    this.ctx.textAlign = align
    this.ctx.lineWidth = Math.max(2, this.letterHeight * 0.16)
    this.ctx.strokeStyle = EDGE_COLOR
    this.ctx.strokeText(text, x, y)
    this.ctx.fillStyle = this.color
    this.ctx.fillText(text, x, y)
  }
}

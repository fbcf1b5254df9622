import { atom } from 'nanostores'
import { v7 } from 'uuid'
import type { DrawingTool, Shape } from '../../modules/reviews/contract.ts'
import { COORDINATE_UNITS } from '../../modules/reviews/policy.ts'
import { type Point, packPoints, unpackPoints } from './points.ts'
import { type Aspect, findShape, hitsShape, isLabel, moveHandle, moveShape, shapeHandles, simplifyStroke } from './shapes.ts'
import { KNOWN_LENGTHS, withPathPoint, withStopwatchEnd } from './timed-shapes.ts'

/**
 * The tools that create shapes, and three more: `plumb` makes a vertical line through the whole picture, `select` moves and reshapes,
 * `laser` points without leaving a shape.
 */
export type Instrument = DrawingTool | 'plumb' | 'select' | 'laser'
export const STROKE_WIDTHS = [25, 45, 90] as const

/** A pointer's position on the picture, with the pressure of a pen (0 to 1). */
export interface PencilPoint extends Point {
  pressure?: number
}

/** What a pencil needs from the picture that it draws on. */
export interface DrawingSurface {
  aspect(): Aspect
  frame(): number
  /** Duration of a new shape, in frames. */
  stay(): { hold: number; fade: number }
  /** Shapes visible at the current frame, the topmost last. */
  shapes(): readonly Shape[]
  /** Size of a text shape in picture units, horizontally and vertically. */
  label(shape: Shape): { width: number; height: number }
  make(shape: Shape): void
  /** Replaces a shape. @returns the stored shape; while a voice-over is recorded, it has a new id */
  change(before: Shape, after: Shape): Shape
  /** Finds a shape of this picture, at any frame; undefined if it no longer exists. */
  find(id: string): Shape | undefined
  /** Milliseconds of real time between two frames; null if the rate at which the video was filmed is unknown. */
  realTime(from: number, to: number): number | null
  /** Called after a point of a path was set; shows the next frame. */
  advance(): void
  /** Called when a gesture begins; pauses the video. */
  begin(): void
  /** Called when the text tool is used; shows a text field at this point. */
  write(at: Point): void
}

/** A shorter drag, in picture units, counts as a tap, because a shaky hand moves the pointer a little. */
const MIN_LINE_LENGTH = 40
/** A line or an arrow that is within this angle of a multiple of 45° snaps to it. */
const SNAP_RADIANS = 2 * (Math.PI / 180)

type Gesture =
  /** `known`: both ends of the known length that a new length is measured against. */
  | { is: 'drawing'; points: PencilPoint[]; known?: Point[] }
  | { is: 'moving'; shape: Shape; from: Point }
  | { is: 'reshaping'; shape: Shape; handle: number }
  /** The first arm of an angle is done; a second press sets its third point. */
  | { is: 'bending'; points: Point[] }
  /** The known length is marked; a second line marks the length to measure. */
  | { is: 'measuring'; known: Point[] }

/** The selected tool, color and width. The two pictures of a comparison share them. `$selected` is a shape's id. */
export const createToolSettings = () => ({
  $instrument: atom<Instrument | null>(null),
  $color: atom(0),
  $width: atom<number>(STROKE_WIDTHS[1]),
  $selected: atom<string | undefined>(undefined),
  /** The known length that others are measured against, in inches. */
  $inches: atom<number>(KNOWN_LENGTHS[0][0]),
})

/**
 * Turns pointer gestures into shapes: it draws, moves and reshapes them. It does not paint: `$activeShape` is the unfinished shape for the
 * canvas.
 */
export function createPencil(surface: DrawingSurface, settings = createToolSettings()) {
  const { $instrument, $color, $width, $selected, $inches } = settings
  /** The shape that is being drawn or changed. */
  const $activeShape = atom<Shape | null>(null)
  const $laser = atom<readonly Point[]>([])
  let gesture: Gesture | undefined
  /** Id of the path or stopwatch that the next presses continue. */
  let openId: string | undefined

  const fresh = (tool: DrawingTool, p: number[]): Shape => ({
    id: v7(),
    tool,
    color: $color.get(),
    width: $width.get(),
    p,
    from: surface.frame(),
    ...surface.stay(),
  })
  const selected = () => findShape($selected.get(), surface.shapes)
  const distance = (a: Point, b: Point) => Math.hypot((a.x - b.x) * surface.aspect(), a.y - b.y)
  const end = () => {
    gesture = undefined
    $activeShape.set(null)
    $laser.set([])
  }
  /** With Shift: snaps a line to the nearest multiple of 22.5°, and makes a circle round and a rectangle square. */
  const constrain = (tool: Instrument, from: Point, to: Point): Point => {
    const aspect = surface.aspect()
    const [dx, dy] = [(to.x - from.x) * aspect, to.y - from.y]
    if (tool === 'circle' || tool === 'rectangle') {
      const side = Math.max(Math.abs(dx), Math.abs(dy))
      return { x: from.x + (Math.sign(dx) * side) / aspect, y: from.y + Math.sign(dy) * side }
    }
    return turned(from, Math.round(Math.atan2(dy, dx) / (Math.PI / 8)) * (Math.PI / 8), Math.hypot(dx, dy))
  }
  /** The end of a line from `from`, given its direction in radians and its length in units of the picture's height. */
  const turned = (from: Point, turn: number, length: number): Point => ({
    x: from.x + (Math.cos(turn) * length) / surface.aspect(),
    y: from.y + Math.sin(turn) * length,
  })
  /** Snaps lines and arrows to multiples of 45°. Measuring tools (angle, tilt) never snap, because that would change the measurement. */
  const snap = (tool: Instrument, from: Point, to: Point): Point => {
    if (tool !== 'line' && tool !== 'arrow') return to
    const [dx, dy] = [(to.x - from.x) * surface.aspect(), to.y - from.y]
    const turn = Math.atan2(dy, dx)
    const nearest = Math.round(turn / (Math.PI / 4)) * (Math.PI / 4)
    return Math.abs(turn - nearest) <= SNAP_RADIANS ? turned(from, nearest, Math.hypot(dx, dy)) : to
  }
  const plumbLine = ({ x }: Point) =>
    packPoints([
      { x, y: 0 },
      { x, y: COORDINATE_UNITS },
    ])

  /** Handles a press. `reach`: how far from a shape a press still selects it, in units of the picture's height. */
  function down(at: PencilPoint, reach: number) {
    const instrument = $instrument.get()
    if (!instrument) return
    if (instrument !== 'laser') surface.begin()
    if (gesture?.is === 'bending') {
      const points = [...gesture.points, at]
      const shape = fresh('angle', packPoints(points))
      end()
      surface.make(shape)
      return
    }
    if (instrument === 'select') {
      const chosen = selected()
      const handle = chosen ? shapeHandles(chosen).findIndex(h => distance(h, at) <= reach) : -1
      if (chosen && handle >= 0) {
        gesture = { is: 'reshaping', shape: chosen, handle }
        return
      }
      const found = [...surface.shapes()]
        .reverse()
        .find(s => hitsShape(s, at, reach, surface.aspect(), isLabel(s) ? surface.label(s) : undefined))
      $selected.set(found?.id)
      if (found) gesture = { is: 'moving', shape: found, from: at }
      return
    }
    if (instrument === 'text') return surface.write(at)
    if (instrument === 'path' || instrument === 'stopwatch') return press(instrument, at)
    gesture = { is: 'drawing', points: [at], ...(gesture?.is === 'measuring' && { known: gesture.known }) }
    if (instrument === 'laser') $laser.set([at])
    else if (instrument === 'plumb') $activeShape.set(fresh('line', plumbLine(at)))
    // The first arm of an angle is drawn as a line until its corner is set.
    else $activeShape.set(fresh(instrument === 'angle' || instrument === 'length' ? 'line' : instrument, packPoints([at, at])))
  }

  /** Each press at another frame adds a point to a path; the second press of a stopwatch stops it. */
  function press(tool: 'path' | 'stopwatch', at: Point) {
    const [frame, { hold }] = [surface.frame(), surface.stay()]
    const open = openId === undefined ? undefined : surface.find(openId)
    // The trail must still be visible at the next frame, where its next point is set.
    const stay = Math.max(hold, 2)
    if (tool === 'path') {
      if (open) openId = surface.change(open, withPathPoint(open, frame, at, stay)).id
      else {
        const made = { ...fresh('path', packPoints([at])), frames: [frame], hold: stay }
        openId = made.id
        surface.make(made)
      }
      return surface.advance()
    }
    if (open) {
      surface.change(open, withStopwatchEnd(open, frame, stay, surface.realTime))
      openId = undefined
      return
    }
    const made = withStopwatchEnd({ ...fresh('stopwatch', packPoints([at])), frames: [frame, frame] }, frame, stay, surface.realTime)
    openId = made.id
    surface.make(made)
  }

  /** Pointer positions since the last call, in order. `even`: Shift is pressed. */
  function move(touches: readonly PencilPoint[], even = false) {
    const at = touches.at(-1)
    const instrument = $instrument.get()
    if (!at || !gesture || !instrument) return
    switch (gesture.is) {
      case 'moving':
        return $activeShape.set(moveShape(gesture.shape, { x: at.x - gesture.from.x, y: at.y - gesture.from.y }))
      case 'reshaping': {
        const { shape, handle } = gesture
        const points = unpackPoints(shape.p)
        const other = fixedEndOf(shape, points, handle)
        return $activeShape.set(moveHandle(shape, handle, even && other !== points[handle] ? constrain(shape.tool, other, at) : at))
      }
      case 'bending':
        return $activeShape.set(fresh('angle', packPoints([...gesture.points, at])))
      case 'drawing': {
        gesture.points.push(...touches)
        if (instrument === 'laser') return $laser.set([...gesture.points])
        const live = $activeShape.get()!
        if (instrument === 'pen') {
          const z = pressuresOf(gesture.points)
          return $activeShape.set({ ...live, p: packPoints(gesture.points), ...(z && { z: z.map(p => Math.round(p * 100)) }) })
        }
        if (instrument === 'plumb') return $activeShape.set({ ...live, p: plumbLine(at) })
        const from = gesture.points[0]!
        if (gesture.known)
          return $activeShape.set({ ...live, tool: 'length', inches: $inches.get(), p: packPoints([...gesture.known, from, at]) })
        return $activeShape.set({ ...live, p: packPoints([from, even ? constrain(instrument, from, at) : snap(instrument, from, at)]) })
      }
    }
  }

  function up() {
    if (!gesture) return
    const live = $activeShape.get()
    switch (gesture.is) {
      case 'moving':
      case 'reshaping': {
        const before = gesture.shape
        end()
        if (live && live.p.join() !== before.p.join()) surface.change(before, live)
        return
      }
      case 'bending':
      case 'measuring':
        return
      case 'drawing': {
        const { points } = gesture
        const instrument = $instrument.get()
        if (instrument === 'laser' || !live) return end()
        if (instrument === 'pen') {
          const shape = { ...live, ...simplifyStroke(points, pressuresOf(points), surface.aspect()) }
          end()
          return surface.make(shape)
        }
        const [from, to] = unpackPoints(live.p).slice(-2) as [Point, Point]
        if (distance(from, to) < MIN_LINE_LENGTH) return end()
        if (instrument === 'length' && !gesture.known) {
          gesture = { is: 'measuring', known: [from, to] }
          return
        }
        if (instrument === 'angle') {
          // The first arm ends at the corner; the next press sets the end of the second arm.
          gesture = { is: 'bending', points: [from, to] }
          return $activeShape.set(fresh('line', packPoints([from, to])))
        }
        end()
        return surface.make(live)
      }
    }
  }

  const abandonGesture = (instrument: Instrument | null) => {
    end()
    openId = undefined
    if (instrument !== 'select') $selected.set(undefined)
  }
  $instrument.listen(abandonGesture)

  return {
    ...{ ...settings, $activeShape, $laser },
    ...{ down, move, up },
    /** Discards the unfinished shape, on Escape or when a second finger touches. */
    cancel: end,
    busy: () => gesture !== undefined,
    /** True while an angle or a length waits for its second line. */
    bending: () => gesture?.is === 'bending' || gesture?.is === 'measuring',
    /** While the pointer hovers, shows where the second arm of an angle would be. */
    hover: (at: PencilPoint) => gesture?.is === 'bending' && move([at]),
    choose(instrument: Instrument | null) {
      abandonGesture(instrument)
      $instrument.set(instrument)
    },
    /** Adds a text shape; does nothing for a blank text. */
    label(at: Point, text: string) {
      const words = text.trim()
      if (words) surface.make({ ...fresh('text', packPoints([at])), text: words })
    },
  }
}
export type Pencil = ReturnType<typeof createPencil>

/** The point that stays fixed while a handle is moved. The points of a path move independently, so there it is the handle itself. */
function fixedEndOf({ tool }: Shape, points: readonly Point[], handle: number): Point {
  if (tool === 'path') return points[handle]!
  if (tool === 'angle') return points[1]!
  return points[tool === 'length' ? handle ^ 1 : handle ? 0 : 1]!
}

/** Pressures of a pen, or undefined if the device reports none. */
const pressuresOf = (points: readonly PencilPoint[]) => (points[0]?.pressure === undefined ? undefined : points.map(p => p.pressure ?? 0.5))

import { atom } from 'nanostores'
import { v7 } from 'uuid'
import type { DrawingTool, Shape } from '../../modules/reviews/contract.ts'
import { PICTURE_SIDE_UNITS } from '../../modules/reviews/policy.ts'
import { hasRoomForKeyframe, withKeyframe, withPathPoint, withStopwatchEnd } from './animated-shape-edits.ts'
import { createCurrentTool, isSelectionTool, type ToolbarTool } from './current-tool.ts'
import { decodePoints, encodePoints, type Point } from './point-encoding-and-simplification.ts'
import { shapeAtFrame } from './shape-at-frame.ts'
import {
  canHaveKeyframes,
  findShapeById,
  fixedEndOf,
  hitsShape,
  isTextOrStopwatchShape,
  moveHandle,
  moveShape,
  type PictureAspectRatio,
  shapeHandles,
  simplifyStroke,
} from './shape-geometry.ts'
import { constrainShapeEnd, snapLineNear45Degrees } from './snapping.ts'

/** A pointer's position on the picture, with the pressure of a pen (0 to 1). */
export interface PointerPoint extends Point {
  pressure?: number
}

/** What a shape editor needs from the picture that it draws on. */
export interface DrawingSurface {
  aspect(): PictureAspectRatio
  frame(): number
  /** Duration of a new shape, in frames. */
  stay(): { hold: number; fade: number }
  /** Shapes visible at the current frame, the topmost last. */
  shapes(): readonly Shape[]
  /** Size of a text or stopwatch shape, in picture units horizontally and vertically. */
  labelSize(shape: Shape): { width: number; height: number }
  make(shape: Shape): void
  /** Replaces a shape. @returns the stored shape; while a voice-over is recorded, it has a new id */
  change(before: Shape, after: Shape): Shape
  /** Shapes of this picture at any frame. */
  allShapes(): readonly Shape[]
  /** Milliseconds of real time between two frames; null if the rate at which the video was filmed is unknown. */
  realTime(from: number, to: number): number | null
  /** Called after a point of a path has been set; shows the next frame. */
  advance(): void
  /** Called when a gesture of any tool but the laser begins; pauses the video. */
  begin(): void
  /** Called when the text tool is used; shows a text field at this point. */
  write(at: Point): void
}

/** A drag shorter than this, in ten-thousandths of the picture's height, counts as a tap, because a hand is never quite still. */
const MIN_LINE_LENGTH = 40

type Gesture =
  /** `known`: the two ends of the line of known length that a new length is measured against. */
  | { is: 'drawing'; points: PointerPoint[]; known?: Point[] }
  /** `shape` is the stored shape; `pose` is the shape as it looks at the current frame. */
  | { is: 'moving'; shape: Shape; pose: Shape; from: Point }
  | { is: 'reshaping'; shape: Shape; pose: Shape; handle: number }
  /** The first arm of an angle is done; a second press sets its third point. */
  | { is: 'bending'; points: Point[] }
  /** The known length is marked; a second line marks the length to measure. */
  | { is: 'measuring'; known: Point[] }

/**
 * Turns pointer gestures into shapes: it draws, moves and reshapes them. It does not paint: `$activeShape` is the unfinished shape for the
 * canvas.
 */
export function createShapeEditor(surface: DrawingSurface, settings = createCurrentTool()) {
  const { $instrument, $color, $width, $selected, $inches } = settings
  /** The shape that is being drawn or changed. */
  const $activeShape = atom<Shape | null>(null)
  const $laser = atom<readonly Point[]>([])
  let gesture: Gesture | undefined
  /** Id of the path or stopwatch that the next presses continue. */
  let openId: string | undefined

  const newShape = (tool: DrawingTool, p: number[]): Shape => ({
    id: v7(),
    tool,
    color: $color.get(),
    width: $width.get(),
    p,
    from: surface.frame(),
    ...surface.stay(),
  })
  /** The shape that gets keyframes from the follow tool. It is shown at every frame, so that it can be moved at any frame. */
  const followed = () => ($instrument.get() === 'follow' ? findShapeById($selected.get(), surface.allShapes) : undefined)
  const shownShapes = () => {
    const [shown, more] = [surface.shapes(), followed()]
    return more && !shown.includes(more) ? [...shown, more] : shown
  }
  const selected = () => findShapeById($selected.get(), shownShapes)
  const poseOf = (shape: Shape) => (shape.keyframes ? shapeAtFrame(shape, surface.frame()) : shape)
  const distance = (a: Point, b: Point) => Math.hypot((a.x - b.x) * surface.aspect(), a.y - b.y)
  const end = () => {
    gesture = undefined
    $activeShape.set(null)
    $laser.set([])
  }
  const plumbLine = ({ x }: Point) =>
    encodePoints([
      { x, y: 0 },
      { x, y: PICTURE_SIDE_UNITS },
    ])

  /** Handles a press. `reach`: the distance, in ten-thousandths of the picture's height, within which a press selects a shape. */
  function down(at: PointerPoint, reach: number) {
    const instrument = $instrument.get()
    if (!instrument) return
    if (instrument !== 'laser') surface.begin()
    if (gesture?.is === 'bending') {
      const points = [...gesture.points, at]
      const shape = newShape('angle', encodePoints(points))
      end()
      surface.make(shape)
      return
    }
    if (isSelectionTool(instrument)) return grab(instrument === 'follow', at, reach)
    if (instrument === 'text') return surface.write(at)
    if (instrument === 'path' || instrument === 'stopwatch') return press(instrument, at)
    gesture = { is: 'drawing', points: [at], ...(gesture?.is === 'measuring' && { known: gesture.known }) }
    if (instrument === 'laser') $laser.set([at])
    else if (instrument === 'plumb') $activeShape.set(newShape('line', plumbLine(at)))
    // The first line of an angle or of a length is shown as a plain line until the second one begins.
    else $activeShape.set(newShape(instrument === 'angle' || instrument === 'length' ? 'line' : instrument, encodePoints([at, at])))
  }

  /** Starts to drag a handle of the selected shape, or, if none is at this point, the topmost shape there. */
  function grab(isFollowing: boolean, at: Point, reach: number) {
    const chosen = selected()
    const pose = chosen && poseOf(chosen)
    const handle = pose ? shapeHandles(pose).findIndex(h => distance(h, at) <= reach) : -1
    if (chosen && pose && handle >= 0) {
      gesture = { is: 'reshaping', shape: chosen, pose, handle }
      return
    }
    const topmost = shownShapes()
      .filter(s => !isFollowing || canHaveKeyframes(s))
      .findLast(s => hitsShape(poseOf(s), at, reach, surface.aspect(), isTextOrStopwatchShape(s) ? surface.labelSize(s) : undefined))
    if (topmost) gesture = { is: 'moving', shape: topmost, pose: poseOf(topmost), from: at }
    // With the follow tool, a press next to the selected shape keeps the selection, because a finger easily misses a thin line.
    if (topmost || !isFollowing) $selected.set(topmost?.id)
  }

  /** Stores a changed shape: for all frames, or as a keyframe if it has any or the follow tool moved it at a frame other than its first. */
  function place(shape: Shape, pose: Shape, moved: Shape) {
    if (moved.p.join() === pose.p.join()) return
    const frame = surface.frame()
    const isAtThisFrameOnly = shape.keyframes || ($instrument.get() === 'follow' && frame !== shape.from)
    if (isAtThisFrameOnly && !hasRoomForKeyframe(shape, frame)) return
    const stored = surface.change(shape, isAtThisFrameOnly ? withKeyframe(shape, frame, moved.p) : { ...shape, p: moved.p })
    if ($selected.get() === shape.id) $selected.set(stored.id)
  }

  /** Each press sets the point of the path at the current frame; the second press with the stopwatch stops it. */
  function press(tool: 'path' | 'stopwatch', at: Point) {
    const [frame, { hold }] = [surface.frame(), surface.stay()]
    const open = findShapeById(openId, surface.allShapes)
    // The path must still be visible at the next frame, where the next press sets its next point.
    const stay = Math.max(hold, 2)
    if (tool === 'path') {
      if (open) openId = surface.change(open, withPathPoint(open, frame, at, stay)).id
      else {
        const path = { ...newShape('path', encodePoints([at])), frames: [frame], hold: stay }
        openId = path.id
        surface.make(path)
      }
      return surface.advance()
    }
    if (open) {
      surface.change(open, withStopwatchEnd(open, frame, stay, surface.realTime))
      openId = undefined
      return
    }
    const stopwatch = withStopwatchEnd(
      { ...newShape('stopwatch', encodePoints([at])), frames: [frame, frame] },
      frame,
      stay,
      surface.realTime,
    )
    openId = stopwatch.id
    surface.make(stopwatch)
  }

  /** Handles the pointer positions since the last call, in order. `isConstrained`: Shift is pressed. */
  function move(positions: readonly PointerPoint[], isConstrained = false) {
    const at = positions.at(-1)
    const instrument = $instrument.get()
    if (!at || !gesture || !instrument) return
    switch (gesture.is) {
      case 'moving':
        return $activeShape.set(moveShape(gesture.pose, { x: at.x - gesture.from.x, y: at.y - gesture.from.y }))
      case 'reshaping': {
        const { pose, handle } = gesture
        const points = decodePoints(pose.p)
        const other = fixedEndOf(pose, points, handle)
        const to = isConstrained && other !== points[handle] ? constrainShapeEnd(pose.tool, other, at, surface.aspect()) : at
        return $activeShape.set(moveHandle(pose, handle, to))
      }
      case 'bending':
        return $activeShape.set(newShape('angle', encodePoints([...gesture.points, at])))
      case 'drawing': {
        gesture.points.push(...positions)
        if (instrument === 'laser') return $laser.set([...gesture.points])
        const active = $activeShape.get()!
        if (instrument === 'pen') {
          const z = pressuresOf(gesture.points)
          return $activeShape.set({ ...active, p: encodePoints(gesture.points), ...(z && { z: z.map(p => Math.round(p * 100)) }) })
        }
        if (instrument === 'plumb') return $activeShape.set({ ...active, p: plumbLine(at) })
        const from = gesture.points[0]!
        if (gesture.known)
          return $activeShape.set({ ...active, tool: 'length', inches: $inches.get(), p: encodePoints([...gesture.known, from, at]) })
        const snap = isConstrained ? constrainShapeEnd : snapLineNear45Degrees
        // An angle's first arm is drawn as a line.
        const to = snap(instrument === 'angle' ? instrument : active.tool, from, at, surface.aspect())
        return $activeShape.set({ ...active, p: encodePoints([from, to]) })
      }
    }
  }

  function up() {
    if (!gesture) return
    const active = $activeShape.get()
    switch (gesture.is) {
      case 'moving':
      case 'reshaping': {
        const { shape, pose } = gesture
        end()
        return active ? place(shape, pose, active) : undefined
      }
      case 'bending':
      case 'measuring':
        return
      case 'drawing': {
        const { points } = gesture
        const instrument = $instrument.get()
        if (instrument === 'laser' || !active) return end()
        if (instrument === 'pen') {
          const shape = { ...active, ...simplifyStroke(points, pressuresOf(points), surface.aspect()) }
          end()
          return surface.make(shape)
        }
        const [from, to] = decodePoints(active.p).slice(-2) as [Point, Point]
        if (distance(from, to) < MIN_LINE_LENGTH) return end()
        if (instrument === 'length' && !gesture.known) {
          gesture = { is: 'measuring', known: [from, to] }
          return
        }
        if (instrument === 'angle') {
          // The first arm ends at the corner; the next press sets the end of the second arm.
          gesture = { is: 'bending', points: [from, to] }
          return $activeShape.set(newShape('line', encodePoints([from, to])))
        }
        end()
        return surface.make(active)
      }
    }
  }

  const abandonGesture = (instrument: ToolbarTool | null) => {
    end()
    openId = undefined
    if (!isSelectionTool(instrument)) $selected.set(undefined)
    // The follow tool starts with the newest shape, which was most likely drawn for it.
    else if (instrument === 'follow' && !$selected.get()) $selected.set(surface.shapes().findLast(canHaveKeyframes)?.id)
  }
  $instrument.listen(abandonGesture)

  return {
    ...{ ...settings, $activeShape, $laser },
    ...{ down, move, up },
    /** Discards the unfinished shape, on Escape or when a second finger touches the picture. */
    cancel: end,
    followed,
    /** Whether a press drags or selects a shape instead of drawing one. */
    isSelecting: () => isSelectionTool($instrument.get()),
    busy: () => gesture !== undefined,
    /** Whether an angle or a length still needs its second line. */
    isAwaitingSecondLine: () => gesture?.is === 'bending' || gesture?.is === 'measuring',
    /** While the pointer hovers, shows where the second arm of an angle would be. */
    hover: (at: PointerPoint) => gesture?.is === 'bending' && move([at]),
    choose(instrument: ToolbarTool | null) {
      abandonGesture(instrument)
      $instrument.set(instrument)
    },
    /** Adds a text shape; does nothing if the text is blank. */
    addText(at: Point, text: string) {
      if (text.trim()) surface.make({ ...newShape('text', encodePoints([at])), text: text.trim() })
    },
  }
}
export type ShapeEditor = ReturnType<typeof createShapeEditor>

/** Pressures of a pen, or undefined if the device reports none. */
const pressuresOf = (points: readonly PointerPoint[]) =>
  points[0]?.pressure === undefined ? undefined : points.map(p => p.pressure ?? 0.5)

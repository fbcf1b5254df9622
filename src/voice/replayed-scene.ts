import type { Shape, Voice, VoiceAction } from '../../modules/reviews/contract.ts'
import { PICTURE_SIDE_UNITS } from '../../modules/reviews/policy.ts'
import { decodePoints, encodePoints } from '../drawing/point-encoding-and-simplification.ts'
import { fullViewport, type Viewport } from '../drawing/viewport.ts'

/** A drawing made during a recording: when it began (ms), and the ms from each of its points to the next. */
export interface TimedStroke {
  shape: string
  video: string
  at: number
  gaps: readonly number[]
}

/** The state of the stage at a moment of a recording. */
export interface Scene {
  video: string
  /** The frame shown at `since` (in ms of the recording). While `playing`, later frames follow from the frame table and `rate`. */
  frame: number
  since: number
  playing: boolean
  rate: number
  view: Viewport
  /** Drawings made so far and not erased, the topmost last. */
  strokes: readonly TimedStroke[]
}

type Recorded = Pick<Voice, 'video' | 'frame' | 'actions'>

const initialScene = ({ video, frame }: Recorded): Scene => ({
  video,
  frame,
  since: 0,
  playing: false,
  rate: 1,
  view: fullViewport,
  strokes: [],
})

function applyAction(scene: Scene, action: VoiceAction): Scene {
  const [since, what] = action
  switch (what) {
    case 'play':
    case 'pause':
      return { ...scene, frame: action[2], since, playing: what === 'play' }
    case 'seek':
    case 'at':
      return { ...scene, frame: action[2], since }
    case 'rate':
      return { ...scene, rate: action[2] }
    case 'clip':
      return { ...scene, video: action[2], frame: action[3], since, playing: false, view: fullViewport }
    case 'zoom':
      return { ...scene, view: { scale: action[2] / 1000, x: action[3] / PICTURE_SIDE_UNITS, y: action[4] / PICTURE_SIDE_UNITS } }
    case 'stroke': {
      const [, , shape, ...gaps] = action
      return { ...scene, strokes: [...scene.strokes, { shape, video: scene.video, at: since, gaps }] }
    }
    case 'erase':
      return { ...scene, strokes: scene.strokes.filter(s => s.shape !== action[2]) }
  }
}

/** The scene `ms` into the recording. It is a fold of all actions up to then, so seeking gives the same result as playing. */
export const sceneAt = (voice: Recorded, ms: number): Scene =>
  voice.actions.reduce((scene, action) => (action[0] <= ms ? applyAction(scene, action) : scene), initialScene(voice))

/**
 * The position in the clip, in seconds, that a scene shows `ms` into the recording: the start of the scene's frame, plus what has been
 * played since.
 */
export const clipSecondsOfScene = ({ frame, since, playing, rate }: Scene, ms: number, frameStart: (frame: number) => number): number =>
  frameStart(frame) + (playing ? ((ms - since) / 1000) * rate : 0)

/** A drawing as it looked `elapsed` ms after its first point, or null before that. */
export function partlyDrawnShape(shape: Shape, gaps: readonly number[], elapsed: number): Shape | null {
  if (elapsed < 0) return null
  const points = decodePoints(shape.p)
  let [drawn, remaining] = [1, elapsed]
  for (; drawn < points.length && remaining >= (gaps[drawn - 1] ?? 0); drawn++) remaining -= gaps[drawn - 1] ?? 0
  // A path, a stopwatch or a shape with keyframes changes with the frames of the video, not with the pointer.
  if (drawn >= points.length || shape.frames || shape.keyframes) return shape
  if (shape.tool === 'pen') return { ...shape, p: encodePoints(points.slice(0, drawn)), ...(shape.z && { z: shape.z.slice(0, drawn) }) }
  // All other shapes, such as lines and circles, grow from the last drawn point toward the next one.
  const [from, to] = [points[drawn - 1]!, points[drawn]!]
  const part = remaining / (gaps[drawn - 1] || 1)
  const tip = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
  const { text: _, z: __, inches: ___, ...rest } = shape
  if (shape.tool === 'length') return { ...rest, tool: 'line', p: encodePoints([drawn > 2 ? points[2]! : from, tip]) }
  return { ...rest, tool: shape.tool === 'angle' && drawn === 1 ? 'line' : shape.tool, p: encodePoints([...points.slice(0, drawn), tip]) }
}

/** The drawings on the picture `ms` into the recording, the topmost last. */
export function shapesOfScene({ shapes = [] }: Pick<Voice, 'shapes'>, { video, strokes }: Scene, ms: number): Shape[] {
  return strokes.flatMap(({ shape: id, video: clip, at, gaps }) => {
    const shape = clip === video && shapes.find(s => s.id === id)
    return (shape && partlyDrawnShape(shape, gaps, ms - at)) || []
  })
}

const isCopy = (a: Shape, b: Shape) =>
  a.tool === b.tool &&
  a.from === b.from &&
  a.color === b.color &&
  a.width === b.width &&
  a.text === b.text &&
  a.p.join() === b.p.join() &&
  JSON.stringify([a.frames, a.keyframes]) === JSON.stringify([b.frames, b.keyframes])

/**
 * The drawings of notes without the copies of `spoken`, the drawings that a voice-over itself makes on the stage. A recording that was cut
 * into notes has each drawing twice: the note shows it without the sound, and the voice-over stroke by stroke.
 */
export const withoutVoiceOverCopies = (drawn: readonly Shape[], spoken: readonly Shape[] = []): Shape[] =>
  drawn.filter(shape => !spoken.some(other => isCopy(shape, other)))

/** When an action ends, in ms from the start of the recording: a stroke at its last point, any other action when it happens. */
export const actionEndMs = (action: VoiceAction): number =>
  action[1] === 'stroke' ? (action.slice(3) as number[]).reduce((sum, gap) => sum + gap, action[0]) : action[0]

import type { Action, Shape, Voice } from '../../modules/reviews/contract.ts'
import { COORDINATE_UNITS } from '../../modules/reviews/policy.ts'
import { packed, unpacked } from '../drawing/points.ts'
import { type View, whole } from '../drawing/view.ts'

/** A drawing that was begun while speaking: at which ms of the recording, and the ms from each of its points to the next. */
export interface Stroke {
  shape: string
  video: string
  at: number
  gaps: readonly number[]
}

/** What the instructor saw at a moment of a recording. */
export interface Scene {
  video: string
  /** The frame that was shown at `since`, ms of the recording. While it plays, later ones follow by the frame table, `rate` times as fast. */
  frame: number
  since: number
  playing: boolean
  rate: number
  view: View
  /** Drawings made so far that were not taken back, the last on top. */
  strokes: readonly Stroke[]
}

type Recorded = Pick<Voice, 'video' | 'frame' | 'actions'>

const begin = ({ video, frame }: Recorded): Scene => ({ video, frame, since: 0, playing: false, rate: 1, view: whole, strokes: [] })

/** What an action makes of a scene. */
function after(scene: Scene, action: Action): Scene {
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
      return { ...scene, video: action[2], frame: action[3], since, playing: false, view: whole }
    case 'zoom':
      return { ...scene, view: { scale: action[2] / 1000, x: action[3] / COORDINATE_UNITS, y: action[4] / COORDINATE_UNITS } }
    case 'stroke': {
      const [, , shape, ...gaps] = action
      return { ...scene, strokes: [...scene.strokes, { shape, video: scene.video, at: since, gaps }] }
    }
    case 'erase':
      return { ...scene, strokes: scene.strokes.filter(s => s.shape !== action[2]) }
  }
}

/** What was seen at `ms` of the recording: all that was done until then, one after the other. The same wherever one joins. */
export const stateAt = (voice: Recorded, ms: number): Scene =>
  voice.actions.reduce((scene, action) => (action[0] <= ms ? after(scene, action) : scene), begin(voice))

/** A drawing as far as it was drawn `elapsed` ms after its first point; null where nothing of it is to be seen yet. */
export function grown(shape: Shape, gaps: readonly number[], elapsed: number): Shape | null {
  if (elapsed < 0) return null
  const points = unpacked(shape.p)
  let [drawn, left] = [1, elapsed]
  for (; drawn < points.length && left >= (gaps[drawn - 1] ?? 0); drawn++) left -= gaps[drawn - 1] ?? 0
  if (drawn >= points.length) return shape
  if (shape.tool === 'pen') return { ...shape, p: packed(points.slice(0, drawn)), ...(shape.z && { z: shape.z.slice(0, drawn) }) }
  // What is pulled open by its last point grows towards it.
  const [from, to] = [points[drawn - 1]!, points[drawn]!]
  const part = left / (gaps[drawn - 1] || 1)
  const tip = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
  const { text: _, z: __, ...rest } = shape
  return { ...rest, tool: shape.tool === 'angle' && drawn === 1 ? 'line' : shape.tool, p: packed([...points.slice(0, drawn), tip]) }
}

/** What is drawn on the picture at `ms`, the last on top. */
export function shapesAt({ shapes = [] }: Pick<Voice, 'shapes'>, { video, strokes }: Scene, ms: number): Shape[] {
  return strokes.flatMap(({ shape: id, video: on, at, gaps }) => {
    const shape = on === video && shapes.find(s => s.id === id)
    return (shape && grown(shape, gaps, ms - at)) || []
  })
}

/** Ms of the recording at which an action of a drawing ends; of any other, at which it is. */
export const endOf = (action: Action): number =>
  action[1] === 'stroke' ? (action.slice(3) as number[]).reduce((sum, gap) => sum + gap, action[0]) : action[0]

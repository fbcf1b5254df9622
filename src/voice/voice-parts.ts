import type { Shape, Voice, VoiceAction } from '../../modules/reviews/contract.ts'
import { withNewDrawingIds } from '../draft/renew-drawing-ids.ts'
import { actionEndMs, type Scene, sceneAt } from './replayed-scene.ts'

/** A part of a voice-over, in ms from the start of the recording, and the frame to which its note is pinned. */
export interface VoicePart {
  from: number
  to: number
  video: string
  frame: number
}

type CutVoice = Pick<Voice, 'video' | 'frame' | 'milliseconds' | 'actions' | 'shapes'>

/** A stop without a drawing becomes a separate part only if it lasts at least this long. */
const MIN_STOP_MS = 1200
/** Speech before the first stop is added to that stop's part; if it is longer than this, it is a part of its own. */
const MAX_LEAD_MS = 3000
/** Minimum length of a part; `findVoiceParts` joins a shorter one with its neighbor. */
export const MIN_VOICE_PART_MS = 400

/** A period in which the stage shows one frame, because the video does not play. */
interface Rest extends VoicePart {
  isDrawnOn: boolean
}

/** Finds the periods in which the video does not play, grouped by stop. Playing, or switching to another clip, ends a stop. */
function findStops({ video, frame, milliseconds, actions }: CutVoice): Rest[][] {
  const stops: Rest[][] = [[]]
  let clip = video
  let rest: Rest | undefined = { from: 0, to: milliseconds, video, frame, isDrawnOn: false }
  const end = (ms: number) => {
    if (rest) stops.at(-1)!.push({ ...rest, to: ms })
    rest = undefined
  }
  const begin = (from: number, frame: number) => {
    rest = { from, to: milliseconds, video: clip, frame, isDrawnOn: false }
  }
  for (const action of actions) {
    const [ms, what] = action
    if (what === 'play') {
      end(ms)
      stops.push([])
    } else if (what === 'pause') {
      end(ms)
      begin(ms, action[2])
    } else if (what === 'clip') {
      end(ms)
      clip = action[2]
      stops.push([])
      begin(ms, action[3])
    } else if (what === 'seek' && rest && rest.frame !== action[2]) {
      end(ms)
      begin(ms, action[2])
    } else if (what === 'stroke' && rest) rest.isDrawnOn = true
  }
  end(milliseconds)
  return stops.filter(rests => rests.length)
}

/**
 * Divides a voice-over where its instructor stopped the video or drew: each part starts with a stop and lasts until the next one. If
 * nothing was drawn during a stop, its part gets the frame that was shown longest; otherwise every frame that was drawn on gets a part.
 */
export function findVoiceParts(voice: CutVoice): VoicePart[] {
  const moments = findStops(voice).flatMap(rests => {
    const drawnOn = rests.filter(rest => rest.isDrawnOn)
    const { from } = rests[0]!
    if (drawnOn.length) return drawnOn.map((rest, i) => (i === 0 ? { ...rest, from } : rest))
    if (rests.at(-1)!.to - from < MIN_STOP_MS) return []
    const longest = rests.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a))
    return [{ ...longest, from }]
  })
  const [first] = moments
  const lead: Pick<VoicePart, 'from' | 'video' | 'frame'> = { from: 0, video: voice.video, frame: voice.frame }
  const starts = !first || first.from > MAX_LEAD_MS ? [lead, ...moments] : [{ ...first, from: 0 }, ...moments.slice(1)]
  const parts: VoicePart[] = []
  for (const [i, { from, video, frame }] of starts.entries()) {
    const to = starts[i + 1]?.from ?? voice.milliseconds
    if (to - from >= MIN_VOICE_PART_MS || starts.length === 1) parts.push({ from: parts.length ? from : 0, to, video, frame })
    else if (parts.length) parts[parts.length - 1] = { ...parts.at(-1)!, to }
  }
  return parts
}

/** Joins a part with the next one; the result keeps the frame of the first. */
export const mergeWithNextVoicePart = (parts: readonly VoicePart[], first: number): VoicePart[] =>
  parts.flatMap((part, i) => (i === first ? [{ ...part, to: parts[i + 1]!.to }] : i === first + 1 ? [] : [part]))

/** The frame on the screen at `ms`. While the video plays, it is interpolated between the frames that the recording reports. */
export function frameShownAt(voice: CutVoice, ms: number): number {
  const scene = sceneAt(voice, ms)
  if (!scene.playing) return scene.frame
  const next = voice.actions.find(a => a[0] > ms && ['play', 'pause', 'seek', 'at', 'clip'].includes(a[1]))
  if (!next || (next[1] !== 'at' && next[1] !== 'pause')) return scene.frame
  const share = (ms - scene.since) / (next[0] - scene.since)
  return Math.max(0, Math.round(scene.frame + (next[2] - scene.frame) * share))
}

/** Splits the part that contains `ms` there, unless a half would be too short; the second half gets the frame shown at `ms`. */
export function splitVoicePartAt(voice: CutVoice, parts: readonly VoicePart[], ms: number): VoicePart[] {
  return parts.flatMap(part => {
    if (ms - part.from < MIN_VOICE_PART_MS || part.to - ms < MIN_VOICE_PART_MS) return [part]
    return [
      { ...part, to: ms },
      { from: ms, to: part.to, video: sceneAt(voice, ms).video, frame: frameShownAt(voice, ms) },
    ]
  })
}

const openingActions = (scene: Scene, frame: number): VoiceAction[] => [
  ...(scene.rate !== 1 ? [[0, 'rate', scene.rate] as VoiceAction] : []),
  ...(scene.view.scale !== 1
    ? [
        [
          0,
          'zoom',
          Math.round(scene.view.scale * 1000),
          Math.round(scene.view.x * 10_000),
          Math.round(scene.view.y * 10_000),
        ] as VoiceAction,
      ]
    : []),
  ...(scene.playing ? [[0, 'play', frame] as VoiceAction] : []),
]

/**
 * Cuts a part out of a voice-over, as if the instructor had recorded the part separately: drawings that were visible at its start appear
 * at 0 ms. Its drawings have new ids, because a drawing that stays visible is in several parts.
 */
export function extractVoicePartActionsAndDrawings(voice: CutVoice, { from, to }: Pick<VoicePart, 'from' | 'to'>): CutVoice {
  const scene = sceneAt(voice, from - 1)
  const frame = frameShownAt(voice, from)
  const visibleStrokes = scene.strokes
    .filter(stroke => stroke.video === scene.video)
    .map(({ shape, gaps }): VoiceAction => [0, 'stroke', shape, ...gaps.map(() => 0)])
  const during = voice.actions
    .filter(([ms]) => ms >= from && ms < to)
    .map(action => [Math.round(action[0] - from), ...action.slice(1)] as VoiceAction)
  const actions = [...openingActions(scene, frame), ...visibleStrokes, ...during]
  const drawn = new Set(actions.flatMap(([, what, id]) => (what === 'stroke' ? [id] : [])))
  const shapes = (voice.shapes ?? []).filter(s => drawn.has(s.id))
  return withNewDrawingIds({
    video: scene.video,
    frame,
    milliseconds: Math.max(1, Math.round(to - from)),
    actions,
    ...(shapes.length > 0 && { shapes }),
  })
}

/** The drawings made in a part that are on its frame when the part ends. Its note gets them, so that they are visible without the sound. */
export function drawingsOfPart(voice: CutVoice, { from, to, video, frame }: VoicePart): Shape[] {
  const drawnInPart = new Set(
    voice.actions.flatMap(action => (action[1] === 'stroke' && action[0] >= from && actionEndMs(action) <= to ? [action[2]] : [])),
  )
  const remaining = sceneAt(voice, to - 1).strokes.filter(stroke => stroke.video === video && drawnInPart.has(stroke.shape))
  return remaining.flatMap(({ shape: id }) => voice.shapes?.find(s => s.id === id && s.from === frame) ?? [])
}

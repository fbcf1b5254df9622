import type { Shape, VoiceAction } from '../../modules/reviews/contract.ts'
import { MAX_ACTIONS_PER_VOICE, MAX_VOICE_MS, PICTURE_SIDE_UNITS } from '../../modules/reviews/policy.ts'
import { decodePoints, type Point } from '../drawing/point-encoding-and-simplification.ts'
import type { Viewport } from '../drawing/viewport.ts'

/** Seeks and zooms within this time of each other become one action, because a drag produces more of them than a screen can show. */
const MERGE_WITHIN_MS = 33
/** While the video plays, the track records the current frame at this interval. */
const FRAME_REPORT_INTERVAL_MS = 500
/** If the frame shown is this far from the expected one, in ms of the video, the instructor has jumped to it. */
const SEEK_THRESHOLD_MS = 400

interface InitialStage {
  video: string
  frame: number
  playing: boolean
  rate: number
  view: Viewport
}

const zoom = ({ scale, x, y }: Viewport) =>
  [
    Math.min(8000, Math.max(1000, Math.round(scale * 1000))),
    ...[x, y].map(n => Math.min(PICTURE_SIDE_UNITS, Math.max(0, Math.round(n * PICTURE_SIDE_UNITS)))),
  ] as [number, number, number]

/** Collects the actions of a voice-over. `ms` is the position in the recording; callers must not pass a smaller value than before. */
export function createActionTrack({ video, frame, playing, rate, view }: InitialStage) {
  const actions: VoiceAction[] = []
  /** The run of mergeable actions that the last action belongs to: their kind, and when the run started. */
  let run: { what: string; at: number } | undefined
  let running = playing
  /** The frame of the playing video that was recorded last: its times in the recording and in the video, in ms, and the playback rate. */
  let lastReport = { at: 0, milliseconds: Number.NaN, rate }

  function add(action: VoiceAction) {
    run = undefined
    actions.push(action)
  }
  /** Adds an action, or replaces the previous one if both belong to a run of the same kind that started within `MERGE_WITHIN_MS`. */
  function addMergeable(action: VoiceAction) {
    const [ms, what] = action
    const last = actions.at(-1)
    if (run?.what === what && last?.[1] === what && ms - run.at < MERGE_WITHIN_MS) {
      actions[actions.length - 1] = action
      return
    }
    actions.push(action)
    run = { what, at: ms }
  }
  const at = (ms: number) => Math.min(MAX_VOICE_MS, Math.max(0, Math.round(ms)))

  if (rate !== 1) add([0, 'rate', rate])
  if (view.scale !== 1) add([0, 'zoom', ...zoom(view)])
  if (playing) add([0, 'play', frame])

  return {
    video,
    frame,
    play(ms: number, frame: number) {
      running = true
      lastReport = { ...lastReport, at: at(ms), milliseconds: Number.NaN }
      add([at(ms), 'play', frame])
    },
    pause(ms: number, frame: number) {
      running = false
      add([at(ms), 'pause', frame])
    },
    /** Records that the video shows another frame; `milliseconds` is the frame's time in the video. */
    frameShown(ms: number, frame: number, milliseconds: number) {
      if (!running) return addMergeable([at(ms), 'seek', frame])
      const first = Number.isNaN(lastReport.milliseconds)
      const expected = lastReport.milliseconds + (ms - lastReport.at) * lastReport.rate
      const hasJumped = !first && Math.abs(milliseconds - expected) > SEEK_THRESHOLD_MS
      if (!first && !hasJumped && ms - lastReport.at < FRAME_REPORT_INTERVAL_MS) return
      lastReport = { ...lastReport, at: ms, milliseconds }
      add([at(ms), hasJumped ? 'seek' : 'at', frame])
    },
    rate(ms: number, rate: number, frame: number) {
      // The replay computes later frames with the new rate, so it needs the frame at which the rate changed.
      if (running) add([at(ms), 'at', frame])
      lastReport = { at: ms, milliseconds: Number.NaN, rate }
      add([at(ms), 'rate', rate])
    },
    clip(ms: number, video: string, frame: number) {
      running = false
      add([at(ms), 'clip', video, frame])
    },
    view: (ms: number, view: Viewport) => addMergeable([at(ms), 'zoom', ...zoom(view)]),
    /** Records a finished drawing, and when each of its points was drawn. */
    strokeDrawn(shape: Shape, times: readonly number[]) {
      const [first = 0, ...rest] = times.map(at)
      let before = first
      const gaps = rest.map(time => {
        const gap = Math.max(0, time - before)
        before = Math.max(before, time)
        return gap
      })
      add([first, 'stroke', shape.id, ...gaps])
    },
    strokeErased: (ms: number, shape: string) => add([at(ms), 'erase', shape]),
    /** The actions in order, up to `milliseconds` and at most `MAX_ACTIONS_PER_VOICE`. */
    actions: (milliseconds = MAX_VOICE_MS): VoiceAction[] =>
      limitVoiceActions(
        actions.filter(([ms]) => ms <= milliseconds).sort(([a], [b]) => a - b),
        MAX_ACTIONS_PER_VOICE,
      ),
  }
}
export type VoiceActionTrack = ReturnType<typeof createActionTrack>

/** Keeps at most `maxActions` actions: drops intermediate steps of a sequence (frames, zooms, seeks) first, then the last actions. */
export function limitVoiceActions(actions: readonly VoiceAction[], maxActions: number): VoiceAction[] {
  let remainingActions = [...actions]
  for (const transient of ['at', 'zoom', 'seek']) {
    for (let before = 0; remainingActions.length > maxActions && remainingActions.length !== before; ) {
      before = remainingActions.length
      let nth = 0
      // The last action of a sequence is kept, because it is where the movement ended.
      remainingActions = remainingActions.filter(
        ([, what], i) => what !== transient || remainingActions[i + 1]?.[1] !== transient || nth++ % 2 === 1,
      )
    }
  }
  return remainingActions.slice(0, maxActions)
}

/**
 * When each point of a finished drawing was drawn, in ms from the start of the recording. `timedPoints` are all points that the pointer
 * drew, with their times; the stored drawing is simplified and has fewer points.
 */
export function timesOfSimplifiedStrokePoints(shape: Shape, timedPoints: readonly { point: Point; ms: number }[]): number[] {
  const points = decodePoints(shape.p)
  const first = timedPoints[0]?.ms ?? 0
  const last = timedPoints.at(-1)?.ms ?? first
  if (shape.tool !== 'pen') return points.map((_, i) => (points.length < 2 ? last : first + ((last - first) * i) / (points.length - 1)))
  let from = 0
  return points.map(({ x, y }, i) => {
    for (let at = from; at < timedPoints.length; at++) {
      const { point, ms } = timedPoints[at]!
      if (point.x !== x || point.y !== y) continue
      from = at + 1
      return ms
    }
    return i === points.length - 1 ? last : (timedPoints[from]?.ms ?? last)
  })
}

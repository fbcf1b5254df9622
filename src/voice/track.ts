import type { Action, Shape } from '../../modules/reviews/contract.ts'
import { ACTIONS_PER_VOICE, COORDINATE_UNITS, MAX_VOICE_MS } from '../../modules/reviews/policy.ts'
import { type Point, unpacked } from '../drawing/points.ts'
import type { View } from '../drawing/view.ts'

/** What follows as closely as this, ms, is kept as one: a hand that drags sends more than anybody sees. */
const CLOSE = 33
/** While it plays, where it is at least this often, ms. */
const SEEN_EVERY = 500
/** A picture that comes so much later or earlier than the last, ms of the video, was sought. */
const JUMP = 400

interface Begin {
  video: string
  frame: number
  playing: boolean
  rate: number
  view: View
}

const zoom = ({ scale, x, y }: View) =>
  [
    Math.min(8000, Math.max(1000, Math.round(scale * 1000))),
    ...[x, y].map(n => Math.min(COORDINATE_UNITS, Math.max(0, Math.round(n * COORDINATE_UNITS)))),
  ] as [number, number, number]

/** What is done while somebody speaks. `ms` is the position in the recording; it never goes back. */
export function createTrack({ video, frame, playing, rate, view }: Begin) {
  const actions: Action[] = []
  /** Where a run of close actions of a kind began, and whether the last one is of it. */
  let run: { what: string; at: number } | undefined
  let running = playing
  let seen = { at: 0, milliseconds: Number.NaN, rate }

  function add(action: Action) {
    run = undefined
    actions.push(action)
  }
  /** Takes the place of the last one of its kind, if that came just before. */
  function addClose(action: Action) {
    const [ms, what] = action
    const last = actions.at(-1)
    if (run?.what === what && last?.[1] === what && ms - run.at < CLOSE) {
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
      seen = { ...seen, at: at(ms), milliseconds: Number.NaN }
      add([at(ms), 'play', frame])
    },
    pause(ms: number, frame: number) {
      running = false
      add([at(ms), 'pause', frame])
    },
    /** Another picture is shown; `milliseconds` is its time in the video. */
    showed(ms: number, frame: number, milliseconds: number) {
      if (!running) return addClose([at(ms), 'seek', frame])
      const first = Number.isNaN(seen.milliseconds)
      const expected = seen.milliseconds + (ms - seen.at) * seen.rate
      const jumped = !first && Math.abs(milliseconds - expected) > JUMP
      if (!first && !jumped && ms - seen.at < SEEN_EVERY) return
      seen = { ...seen, at: ms, milliseconds }
      add([at(ms), jumped ? 'seek' : 'at', frame])
    },
    rate(ms: number, rate: number, frame: number) {
      // From here on it is reckoned anew.
      if (running) add([at(ms), 'at', frame])
      seen = { at: ms, milliseconds: Number.NaN, rate }
      add([at(ms), 'rate', rate])
    },
    clip(ms: number, video: string, frame: number) {
      running = false
      add([at(ms), 'clip', video, frame])
    },
    view: (ms: number, view: View) => addClose([at(ms), 'zoom', ...zoom(view)]),
    /** A drawing, and when each of its points was made. */
    drew(shape: Shape, times: readonly number[]) {
      const [first = 0, ...rest] = times.map(at)
      let before = first
      const gaps = rest.map(time => {
        const gap = Math.max(0, time - before)
        before = Math.max(before, time)
        return gap
      })
      add([first, 'stroke', shape.id, ...gaps])
    },
    erased: (ms: number, shape: string) => add([at(ms), 'erase', shape]),
    /** All of it in order, not more than may be kept and not past the end. */
    actions: (milliseconds = MAX_VOICE_MS): Action[] =>
      thinned(
        actions.filter(([ms]) => ms <= milliseconds).sort(([a], [b]) => a - b),
        ACTIONS_PER_VOICE,
      ),
  }
}
export type Track = ReturnType<typeof createTrack>

/** The same with fewer steps on the way, where there are too many: what was shown only in passing goes first. */
export function thinned(actions: readonly Action[], most: number): Action[] {
  let left = [...actions]
  for (const passing of ['at', 'zoom', 'seek']) {
    for (let before = 0; left.length > most && left.length !== before; ) {
      before = left.length
      let nth = 0
      // The last of a run is where it came to rest.
      left = left.filter(([, what], i) => what !== passing || left[i + 1]?.[1] !== passing || nth++ % 2 === 1)
    }
  }
  return left.slice(0, most)
}

/**
 * When each point of a finished drawing was made, by what the hand did: `made` tells for each length of the stroke under way when it had it.
 * Points that were left out to make it simpler leave their times out.
 */
export function timesOf(shape: Shape, way: readonly { point: Point; ms: number }[]): number[] {
  const points = unpacked(shape.p)
  const first = way[0]?.ms ?? 0
  const last = way.at(-1)?.ms ?? first
  if (shape.tool !== 'pen') return points.map((_, i) => (points.length < 2 ? last : first + ((last - first) * i) / (points.length - 1)))
  let from = 0
  return points.map(({ x, y }, i) => {
    for (let at = from; at < way.length; at++) {
      const { point, ms } = way[at]!
      if (point.x !== x || point.y !== y) continue
      from = at + 1
      return ms
    }
    return i === points.length - 1 ? last : (way[from]?.ms ?? last)
  })
}

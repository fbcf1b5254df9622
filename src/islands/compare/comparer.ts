import { atom } from 'nanostores'
import type { Timeline } from '../../../modules/media/frames.ts'
import type { Comparison } from '../../../modules/reviews/contract.ts'
import { type Clip, guessed, type Source, sourceOf } from '../folder/source.ts'
import { createClock } from './clock.ts'
import { packetsOf } from './packets.ts'
import { layoutOf, paint, type Rect } from './paint.ts'
import { type Pictures, Reel } from './reel.ts'
import { Slaved } from './slaved.ts'
import { type Course, course, realTimes } from './timing.ts'

/** What is decoded ahead of the clock: so many pictures of the screen while it plays; so many frames on and back while it stands. */
const AHEAD = 16
const ON = 8
const BACK = 7
/** A picture of the screen, ms. */
const SCREEN = 1000 / 60

interface Side {
  source: Source
  times: Timeline
  real: Timeline
  pictures: Pictures
  exact: boolean
  aspect: number
}
type Plan = Pick<Comparison, 'sides' | 'mode' | 'stretch'>
export type Comparer = ReturnType<typeof createComparer>

/**
 * Shows two clips on one clock. The clock says which frame of each is due by its table; a pair is painted only when both are there, and
 * the clock waits for a picture that is late, so what is shown is never further apart than a frame of the slower. `exact: false`: without
 * decoding single frames, as in a browser that cannot.
 */
export function createComparer({ exact = true }: { exact?: boolean } = {}) {
  const clock = createClock()
  const $state = atom<'loading' | 'ready' | 'failed'>('loading')
  /** How much is here, 0 to 1. */
  const $loaded = atom(0)
  /** Frames that are due. */
  const $frames = atom<readonly [number, number]>([0, 0])
  /** Frames whose pictures are painted. */
  const $shown = atom<readonly [number, number] | null>(null)
  /** The divider, or how strong the ghost is. */
  const $part = atom(0.5)
  /** Counts whatever changes where drawings lie. */
  const $laid = atom(0)
  const videos = [document.createElement('video'), document.createElement('video')]
  let sides: [Side, Side] | undefined
  let plan: Plan | undefined
  let way: Course | undefined
  let canvas: HTMLCanvasElement | undefined
  let due = 0
  let opening = new AbortController()
  /** Moment of the clock whose pictures are painted. */
  let painted = 0

  const wake = () => {
    if (canvas && !due) due = requestAnimationFrame(draw)
  }
  const plot = () => {
    if (!sides || !plan) return
    const [a, b] = sides
    const lane = (side: Side, i: number) => ({ ...plan!.sides[i]!, origin: side.real.clamp(plan!.sides[i]!.origin), times: side.real })
    way = course([lane(a, 0), lane(b, 1)], plan.stretch)
    clock.range(way.from, way.to)
    aimed()
    wake()
  }
  const aimed = () => {
    const next = way?.frames(clock.$at.get())
    if (next && next.join() !== $frames.get().join()) $frames.set(next)
  }
  const rects = () => {
    const { width = 0, height = 0 } = canvas ?? {}
    return layoutOf(plan?.mode ?? 'side', { width, height }, sides ? [sides[0].aspect, sides[1].aspect] : [16 / 9, 16 / 9])
  }

  /** Frames that will be due after `at`, in the order in which they are needed. */
  function coming(which: number, at: number, frame: number): number[] {
    const count = way!.counts[which]!
    if (clock.$playing.get()) {
      const stride = SCREEN * clock.$rate.get()
      const { from, to } = clock.ends()
      const later = Array.from({ length: AHEAD }, (_, k) => at + (k + 1) * stride)
      return later.map(time => way!.frame(which, time > to && clock.$loop.get() ? from + time - to : time))
    }
    const on = Array.from({ length: ON }, (_, k) => frame + k + 1)
    const back = Array.from({ length: BACK }, (_, k) => frame - k - 1)
    return [...on, ...back].filter(f => f >= 0 && f < count)
  }

  function draw() {
    due = 0
    if (!sides || !way || !plan || !canvas) return
    const before = clock.$at.get()
    const at = clock.tick()
    const playing = clock.$playing.get()
    const frames = way.frames(at)
    const speed = playing ? clock.$rate.get() : 0
    const shown = sides.map(({ pictures }, i) => {
      const frame = frames[i]!
      pictures.aim({ frame, coming: coming(i, at, frame), local: way!.local(i, at), speed: speed * way!.speed(i, at) })
      return pictures.shown()
    })
    // Behind the clock by a frame of the slower at most, and never before it.
    const longest = way.slower(frames)
    const fits = shown.every((s, i) => {
      if (!s || s.frame === frames[i] || !sides![i]!.exact) return s !== null
      return s.frame < frames[i]! && at - way!.when(i, s.frame) < longest
    })
    const rested = shown.every((s, i) => s?.frame === frames[i])
    if (playing && !fits) clock.hold(Math.min(before, at))
    else if (shown[0] && shown[1]) {
      aimed()
      painted = at
      paint(canvas.getContext('2d')!, plan.mode, [shown[0].image, shown[1].image], rects(), $part.get())
      const next = [shown[0].frame, shown[1].frame] as const
      if (next.join() !== $shown.get()?.join()) $shown.set(next)
      if ((rested || playing) && $state.get() === 'loading') $state.set('ready')
    }
    if (playing || !rested) wake()
  }

  async function open(clips: readonly [Clip, Clip]) {
    opening.abort()
    const mine = new AbortController()
    opening = mine
    shut()
    $state.set('loading')
    $loaded.set(0)
    const parts = [0, 0]
    try {
      const found = await Promise.all(
        clips.map((clip, i) =>
          Promise.resolve(
            sourceOf(
              clip,
              part => {
                parts[i] = part
                $loaded.set((parts[0]! + parts[1]!) / 2)
              },
              mine.signal,
            ),
          ).then(source => side(clip, source, videos[i]!)),
        ),
      )
      if (mine.signal.aborted) return found.forEach(close)
      sides = found as [Side, Side]
      for (const s of sides) if (!s.exact) canvas?.after(...videos)
      resize()
      plot()
    } catch {
      if (opening === mine) $state.set('failed')
    }
  }

  async function side(clip: Clip, source: Source, video: HTMLVideoElement): Promise<Side> {
    const times = source.times ?? guessed(clip, (clip.media?.milliseconds ?? 10_000) / 1000)
    const real = realTimes(times, clip.media?.captureRate?.rate)
    const { width, height } = clip.rendition ?? {}
    const shape = { width: width || clip.media?.width || 16, height: height || clip.media?.height || 9 }
    const its = { source, times, real, aspect: shape.width / shape.height }
    const slaved = () => new Slaved(video, source, times, real, wake, () => $state.set('failed'))
    const packets =
      exact && source.blob
        ? await source.blob
            .arrayBuffer()
            .then(packetsOf)
            .catch(() => null)
        : null
    if (packets && packets.count === times.frames && (await Reel.can(packets))) {
      const made: Side = { ...its, exact: true, pictures: new Reel(packets, wake, () => fall(made)) }
      const fall = (side: Side) => {
        side.pictures = slaved()
        side.exact = false
        canvas?.after(video)
        wake()
      }
      return made
    }
    return { ...its, exact: false, pictures: slaved() }
  }

  const close = ({ pictures, source }: Side) => {
    pictures.close()
    source.release()
  }
  function shut() {
    sides?.forEach(close)
    sides = undefined
    way = undefined
    $shown.set(null)
  }

  function resize() {
    if (!canvas) return
    const dots = Math.min(2, globalThis.devicePixelRatio || 1)
    const [width, height] = [Math.round(canvas.clientWidth * dots), Math.round(canvas.clientHeight * dots)]
    if (width && height && (width !== canvas.width || height !== canvas.height)) Object.assign(canvas, { width, height })
    for (const [i, rect] of rects().entries()) sides?.[i]?.pictures.size(rect.width, rect.height)
    $laid.set($laid.get() + 1)
    wake()
  }

  const comparer = {
    ...{ $at: clock.$at, $playing: clock.$playing, $rate: clock.$rate, $loop: clock.$loop },
    ...{ $state, $loaded, $frames, $shown, $part, $laid },
    open,

    /** How the two are set against each other; may change at any time. */
    set(next: Plan) {
      const other = plan?.mode !== next.mode
      plan = next
      if (other) resize()
      plot()
    },
    /** Ref of the canvas. */
    attach(element: HTMLCanvasElement | null) {
      if (!element) return
      canvas = element
      const sized = new ResizeObserver(resize)
      sized.observe(element)
      const stop = $part.listen(wake)
      return () => {
        sized.disconnect()
        stop()
        opening.abort()
        cancelAnimationFrame(due)
        due = 0
        shut()
        canvas = undefined
      }
    },

    /** Clock milliseconds of the first and the last moment. */
    ends: clock.ends,
    /** Moment of the clock whose pictures are painted. */
    painted: () => painted,
    /** When a frame of a side begins, by the clock. */
    when: (which: 0 | 1, frame: number) => way?.when(which, frame) ?? 0,
    slower: (frames: readonly [number, number]) => way?.slower(frames) ?? 0,
    counts: () => way?.counts ?? ([1, 1] as [number, number]),
    /** Where each picture lies, in pixels of the page. */
    places: () => {
      const dots = canvas ? canvas.width / (canvas.clientWidth || 1) : 1
      const [a, b] = rects()
      const inPage = (r: Rect): Rect => ({ left: r.left / dots, top: r.top / dots, width: r.width / dots, height: r.height / dots })
      return [inPage(a), inPage(b)] as const
    },

    play() {
      clock.play()
      wake()
    },
    pause: () => clock.pause(),
    toggle: () => (clock.$playing.get() ? comparer.pause() : comparer.play()),
    seek(at: number) {
      clock.seek(at)
      aimed()
      wake()
    },
    /** By moments at which either picture changes. */
    step(by: number) {
      clock.pause()
      let at = clock.$at.get()
      for (let i = 0; i < Math.abs(by); i++) at = way?.step(at, by < 0 ? -1 : 1) ?? at
      comparer.seek(at)
    },
    speed: (rate: number) => clock.rate(rate),
  }
  return comparer
}

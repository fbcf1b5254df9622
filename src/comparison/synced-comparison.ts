import { atom, computed } from 'nanostores'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { type Clip, openSource, UnpreparedError } from '../player/source.ts'
import { type ComparedClip, closeClip, prepareClip } from './compared-clip.ts'
import { createComparisonCanvas } from './comparison-canvas.ts'
import { createClock } from './comparison-clock.ts'
import { framesToPrefetch } from './prefetch-window.ts'
import { type ComparisonTiming, comparisonTiming } from './timing.ts'

type ComparisonPlan = Pick<Comparison, 'sides' | 'mode' | 'stretch'>
export type SyncedComparison = ReturnType<typeof createSyncedComparison>

/**
 * Shows two clips on one clock. The clock and the frame tables say which frame of each clip is due; two pictures are painted only together,
 * and the clock waits for a late one, so the clips are never more than a frame of the slower one apart. `exact: false` follows a <video> in
 * place of decoding single frames, as where a browser cannot decode them.
 */
export function createSyncedComparison({ exact = true }: { exact?: boolean } = {}) {
  const clock = createClock()
  const $state = atom<'loading' | 'ready' | 'failed' | 'unprepared'>('loading')
  /** How much of both clips has been downloaded, 0 to 1. */
  const $loadedPart = atom(0)
  /** The frame of each side that is due by the clock. */
  const $dueFrames = atom<readonly [number, number]>([0, 0])
  /** The frames whose pictures are on the canvas; null before the first ones. */
  const $shownFrames = atom<readonly [number, number] | null>(null)
  /** The <video> of a side whose single frames the browser cannot decode. */
  const videos: HTMLVideoElement[] = []
  const videoOf = (side: number) => {
    videos[side] ??= document.createElement('video')
    return videos[side]
  }
  let pair: [ComparedClip, ComparedClip] | undefined
  let plan: ComparisonPlan | undefined
  let schedule: ComparisonTiming | undefined
  let drawRequest = 0
  let opening = new AbortController()
  /** The clock's time of the pictures on the canvas, ms. */
  let paintedTime = 0

  const requestDraw = () => {
    if (canvas.isAttached() && !drawRequest) drawRequest = requestAnimationFrame(draw)
  }
  const canvas = createComparisonCanvas(requestDraw, pictures => {
    for (const [i, { width, height }] of pictures.entries()) pair?.[i]?.pictures.setSize(width, height)
  })
  const applyPlan = () => {
    if (!plan) return
    const [first, second] = plan.sides
    const aspects = pair ? ([pair[0].aspectRatio, pair[1].aspectRatio] as const) : ([16 / 9, 16 / 9] as const)
    canvas.setLayout(plan.mode, aspects, [!!first.mirrored, !!second.mirrored])
    if (!pair) return
    const [a, b] = pair
    const lane = ({ realTimeline }: ComparedClip, i: number) => ({
      ...plan!.sides[i]!,
      origin: realTimeline.clamp(plan!.sides[i]!.origin),
      times: realTimeline,
    })
    schedule = comparisonTiming([lane(a, 0), lane(b, 1)], plan.stretch)
    clock.setRange(schedule.from, schedule.to)
    updateDueFrames()
    requestDraw()
  }
  const updateDueFrames = () => {
    const next = schedule?.frames(clock.$time.get())
    if (next && next.join() !== $dueFrames.get().join()) $dueFrames.set(next)
  }

  function draw() {
    drawRequest = 0
    if (!pair || !schedule || !canvas.isAttached()) return
    const before = clock.$time.get()
    const at = clock.tick()
    const playing = clock.$playing.get()
    const frames = schedule.frames(at)
    const speed = playing ? clock.$rate.get() : 0
    const shown = pair.map(({ pictures }, i) => {
      const frame = frames[i]!
      pictures.setTarget({
        frame,
        upcoming: framesToPrefetch(schedule!, clock, i, at, frame),
        seconds: schedule!.local(i, at),
        speed: speed * schedule!.speed(i, at),
      })
      return pictures.picture()
    })
    // A picture may be behind the clock by one frame of the slower clip, and never ahead of it.
    const longest = schedule.slower(frames)
    const isInTime = shown.every((s, i) => {
      if (!s || s.frame === frames[i] || !pair![i]!.isExact) return s !== null
      return s.frame < frames[i]! && at - schedule!.when(i, s.frame) < longest
    })
    const isSettled = shown.every((s, i) => s?.frame === frames[i])
    if (playing && !isInTime) clock.hold(Math.min(before, at))
    else if (shown[0] && shown[1]) {
      updateDueFrames()
      paintedTime = at
      canvas.paint([shown[0].image, shown[1].image])
      const next = [shown[0].frame, shown[1].frame] as const
      if (next.join() !== $shownFrames.get()?.join()) $shownFrames.set(next)
      if ((isSettled || playing) && $state.get() === 'loading') $state.set('ready')
    }
    if (playing || !isSettled) requestDraw()
  }

  async function open(clips: readonly [Clip, Clip]) {
    opening.abort()
    const mine = new AbortController()
    opening = mine
    closeClips()
    $state.set('loading')
    $loadedPart.set(0)
    const parts = [0, 0]
    const load = async (clip: Clip, i: number) => {
      const onLoaded = (part: number) => {
        parts[i] = part
        $loadedPart.set((parts[0]! + parts[1]!) / 2)
      }
      const onFallback = () => {
        canvas.addVideo(videoOf(i))
        requestDraw()
      }
      return prepareClip(clip, await openSource(clip, onLoaded, mine.signal), {
        ...{ exact, video: () => videoOf(i), onPicture: requestDraw, onFallback, onFailed: () => $state.set('failed') },
      })
    }
    try {
      const prepared = await Promise.all(clips.map(load))
      if (mine.signal.aborted) return prepared.forEach(closeClip)
      pair = prepared as [ComparedClip, ComparedClip]
      for (const [i, { isExact }] of pair.entries()) if (!isExact) canvas.addVideo(videoOf(i))
      applyPlan()
      canvas.resize()
    } catch (error) {
      if (opening === mine) $state.set(error instanceof UnpreparedError ? 'unprepared' : 'failed')
    }
  }

  function closeClips() {
    pair?.forEach(closeClip)
    pair = undefined
    schedule = undefined
    $shownFrames.set(null)
  }

  const comparer = {
    ...{ $time: clock.$time, $playing: clock.$playing, $rate: clock.$rate, $loop: clock.$loop },
    ...{ $state, $loadedPart, $dueFrames, $shownFrames, $blend: canvas.$blend, $layoutVersion: canvas.$layoutVersion, $view: canvas.$view },
    /** For each side the frame on the canvas; before the first picture, the frame that is due. */
    $frameOfSide: [0, 1].map(which => computed([$shownFrames, $dueFrames], (shown, due) => (shown ?? due)[which]!)),
    open,
    /** Sets how the clips are aligned and laid out; may change at any time. */
    setPlan(next: ComparisonPlan) {
      plan = next
      applyPlan()
    },
    /** Ref of the canvas. */
    attach(element: HTMLCanvasElement | null) {
      if (!element) return
      const detach = canvas.attach(element)
      return () => {
        detach()
        opening.abort()
        cancelAnimationFrame(drawRequest)
        drawRequest = 0
        closeClips()
      }
    },
    ...{ pictureRects: canvas.pictureRects, zoom: canvas.zoom },

    /** When the comparison begins and ends by the clock, ms. */
    range: clock.range,
    /** The clock's time of the pictures on the canvas, ms. */
    paintedTime: () => paintedTime,
    /** When a frame of a side begins by the clock, ms. */
    timeOfFrame: (which: 0 | 1, frame: number) => schedule?.when(which, frame) ?? 0,
    /** How long the longer of two frames is shown, ms of the clock. */
    slowerFrameMs: (frames: readonly [number, number]) => schedule?.slower(frames) ?? 0,
    frameCounts: () => schedule?.counts ?? ([1, 1] as [number, number]),

    play() {
      clock.play()
      requestDraw()
    },
    pause: () => clock.pause(),
    toggle: () => (clock.$playing.get() ? comparer.pause() : comparer.play()),
    seek(at: number) {
      clock.seek(at)
      updateDueFrames()
      requestDraw()
    },
    /** Moves by changes of either picture; back where `by` is negative. */
    step(by: number) {
      clock.pause()
      let at = clock.$time.get()
      for (let i = 0; i < Math.abs(by); i++) at = schedule?.step(at, by < 0 ? -1 : 1) ?? at
      comparer.seek(at)
    },
    setSpeed: (rate: number) => clock.setRate(rate),
  }
  return comparer
}

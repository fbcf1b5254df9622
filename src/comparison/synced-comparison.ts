import { atom, computed } from 'nanostores'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { ClipNotPreparedError, openClipSource, type VideoPlayerClip } from '../player/clip-source.ts'
import { createComparisonClock } from './comparison-clock.ts'
import { type ComparisonTimeMapper, createComparisonTiming } from './comparison-timing.ts'
import { DEFAULT_ONION_SKIN } from './onion-skin-layers.ts'
import { closeComparedClip, type LoadedComparisonClip, openComparedClip, waitForBothClipsToOpen } from './open-compared-clip.ts'
import { framesToPrefetch } from './prefetch-window.ts'
import { createZoomableComparisonCanvas } from './zoomable-comparison-canvas.ts'

type ComparisonPlan = Pick<Comparison, 'sides' | 'mode' | 'stretch' | 'onionSkin'>
export type SyncedComparisonController = ReturnType<typeof createSyncedComparison>

/**
 * Shows two clips on one clock. The clock and the frame tables determine which frame of each clip is due. The two pictures are always
 * painted together, and the clock waits for a late one, so the clips are never more than one frame of the slower clip apart. `exact: false`
 * uses a <video> that follows the clock instead of decoding single frames, as in browsers that cannot decode them.
 */
export function createSyncedComparison({ exact = true }: { exact?: boolean } = {}) {
  const clock = createComparisonClock()
  const $state = atom<'loading' | 'ready' | 'failed' | 'unprepared'>('loading')
  /** How much of both clips has been downloaded, 0 to 1. */
  const $loadedPart = atom(0)
  /** The frame of each side that is due according to the clock. */
  const $dueFrames = atom<readonly [number, number]>([0, 0])
  /** The frames whose pictures are on the canvas; null before the first ones. */
  const $shownFrames = atom<readonly [number, number] | null>(null)
  /** The <video> of each side whose frames are not decoded one by one; created when it is first needed. */
  const videos: HTMLVideoElement[] = []
  const videoOf = (side: number) => {
    videos[side] ??= document.createElement('video')
    return videos[side]
  }
  let pair: [LoadedComparisonClip, LoadedComparisonClip] | undefined
  let plan: ComparisonPlan | undefined
  let schedule: ComparisonTimeMapper | undefined
  let drawRequest = 0
  let opening = new AbortController()
  /** The clock time of the pictures on the canvas, in ms. */
  let paintedTime = 0

  const requestDraw = () => {
    if (canvas.isAttached() && !drawRequest) drawRequest = requestAnimationFrame(draw)
  }
  const canvas = createZoomableComparisonCanvas(requestDraw, pictures => {
    for (const [i, { width, height }] of pictures.entries()) pair?.[i]?.pictures.setSize(width, height)
  })
  const applyPlan = () => {
    if (!plan) return
    const [first, second] = plan.sides
    const aspects = pair ? ([pair[0].aspectRatio, pair[1].aspectRatio] as const) : ([16 / 9, 16 / 9] as const)
    canvas.$onionSkin.set(plan.onionSkin ?? DEFAULT_ONION_SKIN)
    canvas.setLayout(plan.mode, aspects, [!!first.mirrored, !!second.mirrored])
    if (!pair) return
    const [a, b] = pair
    const timedClip = ({ realTimeline }: LoadedComparisonClip, i: number) => ({
      ...plan!.sides[i]!,
      origin: realTimeline.clamp(plan!.sides[i]!.origin),
      times: realTimeline,
    })
    schedule = createComparisonTiming([timedClip(a, 0), timedClip(b, 1)], plan.stretch)
    clock.setRange(schedule.from, schedule.to)
    updateDueFrames()
    requestDraw()
  }
  /** The frames of a side that an onion skin shows around its current one. */
  const framesAround = (side: number, frame: number) =>
    side === 1 && plan?.mode === 'ghost'
      ? (plan.onionSkin?.around ?? []).map(distance => frame + distance).filter(f => f >= 0 && f < schedule!.counts[1])
      : []
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
        upcoming: [...framesAround(i, frame), ...framesToPrefetch(schedule!, clock, i, at, frame)],
        seconds: schedule!.local(i, at),
        speed: speed * schedule!.speed(i, at),
      })
      return pictures.picture()
    })
    // Pictures may lag behind the clock by less than one frame of the slower clip, but must never be ahead of the clock.
    const longest = schedule.slowerFrameMs(frames)
    const isInTime = shown.every((s, i) => {
      if (!s || s.frame === frames[i] || !pair![i]!.isExact) return s !== null
      return s.frame < frames[i]! && at - schedule!.when(i, s.frame) < longest
    })
    const isSettled = shown.every((s, i) => s?.frame === frames[i])
    if (playing && !isInTime) clock.hold(Math.min(before, at))
    else if (shown[0] && shown[1]) {
      updateDueFrames()
      paintedTime = at
      const [first, second] = plan!.sides
      const around = schedule.frames(at)[1]
      canvas.paint([shown[0].image, shown[1].image], first.video === second.video && shown[0].frame === shown[1].frame, distance =>
        pair![1].pictures.pictureOf(around + distance),
      )
      const next = [shown[0].frame, shown[1].frame] as const
      if (next.join() !== $shownFrames.get()?.join()) $shownFrames.set(next)
      if ((isSettled || playing) && $state.get() === 'loading') $state.set('ready')
    }
    if (playing || !isSettled) requestDraw()
  }

  async function open(clips: readonly [VideoPlayerClip, VideoPlayerClip]) {
    opening.abort()
    const abortController = new AbortController()
    opening = abortController
    closeClips()
    $state.set('loading')
    $loadedPart.set(0)
    const parts = [0, 0]
    const load = async (clip: VideoPlayerClip, i: number) => {
      const onLoaded = (part: number) => {
        parts[i] = part
        $loadedPart.set((parts[0]! + parts[1]!) / 2)
      }
      const onFallback = () => {
        canvas.addVideo(videoOf(i))
        requestDraw()
      }
      return openComparedClip(clip, await openClipSource(clip, onLoaded, abortController.signal), {
        exact,
        video: () => videoOf(i),
        onPicture: requestDraw,
        onFallback,
        onFailed: () => $state.set('failed'),
      })
    }
    try {
      pair = await waitForBothClipsToOpen([load(clips[0], 0), load(clips[1], 1)], abortController.signal)
      for (const [i, { isExact }] of pair.entries()) if (!isExact) canvas.addVideo(videoOf(i))
      applyPlan()
      canvas.resize()
    } catch (error) {
      if (!abortController.signal.aborted) $state.set(error instanceof ClipNotPreparedError ? 'unprepared' : 'failed')
    }
  }

  function closeClips() {
    pair?.forEach(closeComparedClip)
    pair = undefined
    schedule = undefined
    $shownFrames.set(null)
  }

  const comparer = {
    $time: clock.$time,
    $playing: clock.$playing,
    $rate: clock.$rate,
    $loop: clock.$loop,
    $state,
    $loadedPart,
    $dueFrames,
    $shownFrames,
    $divider: canvas.$divider,
    $onionSkin: canvas.$onionSkin,
    $layoutVersion: canvas.$layoutVersion,
    $view: canvas.$view,
    /** For each side, the frame on the canvas; before the first picture, the frame that is due. */
    $frameOfSide: [0, 1].map(which => computed([$shownFrames, $dueFrames], (shown, due) => (shown ?? due)[which]!)),
    open,
    /** Sets how the clips are aligned and laid out; can be called at any time. */
    setPlan(next: ComparisonPlan) {
      plan = next
      applyPlan()
    },
    /** A React ref callback for the canvas. */
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
    pictureRects: canvas.pictureRects,
    zoom: canvas.zoom,

    /** Start and end of the comparison on the clock, in ms. */
    range: clock.range,
    /** The clock time of the pictures on the canvas, in ms. */
    paintedTime: () => paintedTime,
    /** The clock time at which a frame of a side begins, in ms. */
    timeOfFrame: (which: 0 | 1, frame: number) => schedule?.when(which, frame) ?? 0,
    /** The position of a frame in its own clip, in ms rounded up, as notes store it. */
    millisecondsInClip: (which: 0 | 1, frame: number) => pair?.[which].timeline.milliseconds(frame) ?? 0,
    /** The duration of the longer of two frames, in ms on the clock. */
    slowerFrameMs: (frames: readonly [number, number]) => schedule?.slowerFrameMs(frames) ?? 0,
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
    /** Pauses, and steps `by` times to the next moment at which either picture changes, or to the previous one if `by` is negative. */
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

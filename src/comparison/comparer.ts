import { atom, computed } from 'nanostores'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { type Clip, openSource } from '../player/source.ts'
import { coming } from './ahead.ts'
import { createClock } from './clock.ts'
import { closeFilm, type Film, filmOf } from './film.ts'
import { createSurface } from './surface.ts'
import { type Course, course } from './timing.ts'

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
  /** For a side whose single frames cannot be decoded. */
  const videos: HTMLVideoElement[] = []
  const videoOf = (side: number) => {
    videos[side] ??= document.createElement('video')
    return videos[side]
  }
  let films: [Film, Film] | undefined
  let plan: Plan | undefined
  let way: Course | undefined
  let due = 0
  let opening = new AbortController()
  /** Moment of the clock whose pictures are painted. */
  let painted = 0

  const wake = () => {
    if (surface.ready() && !due) due = requestAnimationFrame(draw)
  }
  const surface = createSurface(wake, pictures => {
    for (const [i, { width, height }] of pictures.entries()) films?.[i]?.pictures.size(width, height)
  })
  const plot = () => {
    if (!plan) return
    surface.lay(plan.mode, films ? [films[0].aspect, films[1].aspect] : [16 / 9, 16 / 9])
    if (!films) return
    const [a, b] = films
    const lane = ({ real }: Film, i: number) => ({ ...plan!.sides[i]!, origin: real.clamp(plan!.sides[i]!.origin), times: real })
    way = course([lane(a, 0), lane(b, 1)], plan.stretch)
    clock.range(way.from, way.to)
    aimed()
    wake()
  }
  const aimed = () => {
    const next = way?.frames(clock.$at.get())
    if (next && next.join() !== $frames.get().join()) $frames.set(next)
  }

  function draw() {
    due = 0
    if (!films || !way || !surface.ready()) return
    const before = clock.$at.get()
    const at = clock.tick()
    const playing = clock.$playing.get()
    const frames = way.frames(at)
    const speed = playing ? clock.$rate.get() : 0
    const shown = films.map(({ pictures }, i) => {
      const frame = frames[i]!
      pictures.aim({ frame, coming: coming(way!, clock, i, at, frame), local: way!.local(i, at), speed: speed * way!.speed(i, at) })
      return pictures.shown()
    })
    // Behind the clock by a frame of the slower at most, and never before it.
    const longest = way.slower(frames)
    const fits = shown.every((s, i) => {
      if (!s || s.frame === frames[i] || !films![i]!.exact) return s !== null
      return s.frame < frames[i]! && at - way!.when(i, s.frame) < longest
    })
    const rested = shown.every((s, i) => s?.frame === frames[i])
    if (playing && !fits) clock.hold(Math.min(before, at))
    else if (shown[0] && shown[1]) {
      aimed()
      painted = at
      surface.paint([shown[0].image, shown[1].image])
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
    const load = async (clip: Clip, i: number) => {
      const told = (part: number) => {
        parts[i] = part
        $loaded.set((parts[0]! + parts[1]!) / 2)
      }
      const fell = () => {
        surface.beside(videoOf(i))
        wake()
      }
      return filmOf(clip, await openSource(clip, told, mine.signal), {
        ...{ exact, video: () => videoOf(i), changed: wake, fell, failed: () => $state.set('failed') },
      })
    }
    try {
      const found = await Promise.all(clips.map(load))
      if (mine.signal.aborted) return found.forEach(closeFilm)
      films = found as [Film, Film]
      for (const [i, film] of films.entries()) if (!film.exact) surface.beside(videoOf(i))
      plot()
      surface.resize()
    } catch {
      if (opening === mine) $state.set('failed')
    }
  }

  function shut() {
    films?.forEach(closeFilm)
    films = undefined
    way = undefined
    $shown.set(null)
  }

  const comparer = {
    ...{ $at: clock.$at, $playing: clock.$playing, $rate: clock.$rate, $loop: clock.$loop },
    ...{ $state, $loaded, $frames, $shown, $part: surface.$part, $laid: surface.$laid, $view: surface.$view },
    /** The frame of each side whose picture is painted; before there is one, the frame that is due. */
    $framesOf: [0, 1].map(which => computed([$shown, $frames], (shown, due) => (shown ?? due)[which]!)),
    open,
    /** How the two are set against each other; may change at any time. */
    set(next: Plan) {
      plan = next
      plot()
    },
    /** Ref of the canvas. */
    attach(element: HTMLCanvasElement | null) {
      if (!element) return
      const detach = surface.attach(element)
      return () => {
        detach()
        opening.abort()
        cancelAnimationFrame(due)
        due = 0
        shut()
      }
    },
    ...{ places: surface.places, zoom: surface.zoom },

    /** Clock milliseconds of the first and the last moment. */
    ends: clock.ends,
    /** Moment of the clock whose pictures are painted. */
    painted: () => painted,
    /** When a frame of a side begins, by the clock. */
    when: (which: 0 | 1, frame: number) => way?.when(which, frame) ?? 0,
    slower: (frames: readonly [number, number]) => way?.slower(frames) ?? 0,
    counts: () => way?.counts ?? ([1, 1] as [number, number]),

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

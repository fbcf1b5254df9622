import { atom } from 'nanostores'
import type { Timeline } from '../../modules/media/frames.ts'
import { type Clock, clock } from './media-time.ts'
import { type Clip, given, guessed, type Source, sourceOf } from './source.ts'

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2] as const

/**
 * `lost`: it stopped loading, and a fresh address is asked for. `away`: that did not help, as the server or the store is out of reach.
 * `unplayable`: this browser cannot decode it.
 */
type Ability = 'loading' | 'ready' | 'lost' | 'away' | 'unplayable'

/** A moment to begin at: a frame, or the milliseconds of a note from before frames were counted. */
interface Moment {
  frame?: number | undefined
  at?: number
  play: boolean
}

/** Whether the browser tells each frame that it shows. */
const FRAMES = 'requestVideoFrameCallback' in (globalThis.HTMLVideoElement?.prototype ?? {})
/** Whoever waits longer for a picture sees a still meanwhile, ms. */
const SLOW = 60
/** A seek is over and its picture has not come for so long, ms: it is asked for again, … */
const PATIENCE = 150
/** … so many times in all. */
const TRIES = 3
/** The window has had its size for so long, ms: the page is laid out. */
const LAID = 150

/**
 * Drives one <video> by whole frames. The frame one is on is a number of ours: a step changes it and the video is sought to the middle of
 * that frame by the frame table; what the browser says it shows only confirms (`$sure`). Only while it plays does the picture lead.
 * All of it lives in stores, so that a frame re-renders only what shows it.
 *
 * `renew` gives a video (by its id) with fresh addresses; it is asked once an address, and the video goes on where it stopped.
 */
export function createPlayer(renew: (video: string) => Promise<Clip>) {
  const $frame = atom(0)
  /** How many there are; 0 until that is known. */
  const $frames = atom(0)
  /** When the frame begins, whole milliseconds, rounded up. */
  const $time = atom(0)
  const $length = atom(0)
  /** The picture shown is that of `$frame`. */
  const $sure = atom(false)
  /** The frame of an original whose picture nothing proved: this browser never will. */
  const $refused = atom<number | null>(null)
  /** Pictures take their time: that of `$frame`, or that of a frame one has left meanwhile. */
  const $late = atom(false)
  const $playing = atom(false)
  const $speed = atom(1)
  const $ability = atom<Ability>('loading')
  /** How much of the rendition is here, 0 to 1. */
  const $loaded = atom(0)
  /** Frames that are played again and again; `whole`: all there are, whatever note is shown. */
  const $loop = atom<{ from: number; to: number; whole?: boolean } | null>(null)
  let video: HTMLVideoElement | null = null
  let clip: Clip | undefined
  let source: Source | undefined
  let times: Timeline = guessed({ id: '', url: '' }, 1)
  /** Where to begin, until the video is ready. */
  let wanted: Moment | undefined
  /** The frame whose picture is being waited for. */
  let aim: number | undefined
  /** What the browser's times are worth, and where it was sought to last, seconds. */
  let told: Clock | undefined
  let target = 0
  /** Time of the picture that the browser showed last, seconds; it does not tell again when a seek ends at the same picture. */
  let shown: number | undefined
  /** The frame that this picture is known to be. */
  let proven: number | undefined
  /** The picture of `$frame` was asked for, or the video played, and it is not known which picture is shown. */
  let doubtful = false
  let tries = 0
  let patience: ReturnType<typeof setTimeout> | undefined
  let laid: ReturnType<typeof setTimeout> | undefined
  let aside = false
  let slow: ReturnType<typeof setTimeout> | undefined
  let opening = new AbortController()
  /** Addresses that failed, for which a fresh one was asked. */
  const renewed = new Set<string>()

  function on(frame: number) {
    $frame.set(frame)
    $time.set(times.milliseconds(frame))
  }

  function watch(element: HTMLVideoElement) {
    element.requestVideoFrameCallback((_, { mediaTime }) => {
      if (element !== video) return
      seen(mediaTime)
      watch(element)
    })
  }

  /** The browser shows the picture of this time. */
  function seen(mediaTime: number) {
    if (!video || !source || !told) return
    if (aim !== undefined) {
      const answer = told.shows(aim, target, mediaTime)
      proven = answer === 'yes' ? aim : undefined
      source.behind = told.behind()
      shown = told.seconds(mediaTime)
      // Anything else is the picture of an earlier seek.
      if (answer === 'yes') arrived(source.times !== null)
      else if (answer === 'again') seek(aim, true)
    } else if (!video.paused && !video.seeking) {
      const sure = told.plays()
      shown = told.seconds(mediaTime)
      on(times.at(shown))
      proven = sure ? $frame.get() : undefined
      doubtful = !sure
      $sure.set(sure)
      const loop = $loop.get()
      if (loop && ($frame.get() >= loop.to || $frame.get() < loop.from))
        video.currentTime = times.middle(times.clamp(loop.from)) - source.behind
    } else if (video.paused && !video.seeking && doubtful && told.shows($frame.get(), target, mediaTime) === 'yes') {
      // It came after all, later than anybody waited for it.
      shown = told.seconds(mediaTime)
      proven = $frame.get()
      doubtful = false
      $sure.set(source.times !== null)
    } else {
      if (!video.seeking) told.rests(mediaTime)
      shown = told.seconds(mediaTime)
    }
  }

  const isShown = (frame: number) => proven === frame && !!source?.times

  function arrived(sure: boolean) {
    clearTimeout(patience)
    const here = aim === $frame.get()
    aim = undefined
    tries = 0
    clearTimeout(slow)
    if (!here) return go()
    $late.set(false)
    doubtful = !sure
    $sure.set(sure)
    if (!sure && !source?.prepared) $refused.set($frame.get())
  }

  /** Seeks to `$frame`. One seek at a time: what is asked meanwhile comes next. */
  function go() {
    if (!video || !source || aim !== undefined) return
    if ($sure.get() && video.paused && isShown($frame.get())) return
    aim = $frame.get()
    tries++
    $sure.set(false)
    $refused.set(null)
    clearTimeout(slow)
    slow = setTimeout(() => $late.set(aim !== undefined), SLOW)
    seek(aim, tries > 1)
  }

  /** To where a frame is found and no rounding shows its neighbour; `again` to another such place: one seeks in vain to where one is. */
  function seek(frame: number, again: boolean) {
    aside = again && !aside
    const [start, end] = [times.start(frame), times.end(frame)]
    target = times.middle(frame) + (end - start) * (told!.parts(frame)[aside ? 1 : 0] - 1 / 2) - source!.behind
    video!.currentTime = target
  }

  function sought() {
    if (aim === undefined) return
    if (video && !video.paused) {
      aim = undefined
      tries = 0
      clearTimeout(slow)
      $late.set(false)
      return
    }
    clearTimeout(patience)
    patience = setTimeout(
      () => {
        if (aim === undefined) return
        if (isShown(aim)) return arrived(true)
        if (!FRAMES || aim !== $frame.get() || tries >= TRIES) return arrived(!FRAMES && source?.prepared === true)
        aim = undefined
        go()
      },
      FRAMES ? PATIENCE : 0,
    )
  }

  /** Paused: the picture is made that of the frame one is on. */
  function settle() {
    $playing.set(false)
    if (!video || video.seeking || $ability.get() !== 'ready') return
    $sure.set(false)
    go()
    improve()
  }

  /**
   * The page is laid out anew: WebKit loses a still picture where the boxes around it change. It is asked for again.
   */
  function repaint() {
    if (!video?.paused || video.seeking || !source || shown === undefined || aim !== undefined) return
    seek($frame.get(), true)
  }

  function ready() {
    if (!video || !source) return
    // Sound without a picture is what is left of a codec that the browser lacks.
    if (!video.videoWidth) return $ability.set('unplayable')
    const seconds = Number.isFinite(video.duration) ? video.duration : 0
    times = source.times ?? guessed(clip!, seconds)
    told = clock(source, seconds)
    source.behind = told.behind()
    $frames.set(times.frames)
    $length.set(Math.round((source.times ? times.end(times.frames - 1) : seconds) * 1000))
    $ability.set('ready')
    video.playbackRate = $speed.get()
    const { frame, at, play } = here()
    wanted = undefined
    on(times.clamp(frame ?? times.noted(at ?? 0)))
    // An original shows its still until it is touched, and fetches nothing for it.
    if ($frame.get() > 0 || source.prepared) go()
    if (play) video.play().catch(() => {})
    improve()
  }

  /** Where one is now, to go on from there. */
  const here = (): Moment => wanted ?? { ...(source?.times ? { frame: $frame.get() } : { at: $time.get() }), play: $playing.get() }

  async function open(next: Clip) {
    opening.abort()
    const mine = new AbortController()
    opening = mine
    clip = next
    if (!video) return
    wanted = here()
    $ability.set('loading')
    $loaded.set(0)
    try {
      const finding = sourceOf(next, $loaded.set, mine.signal)
      const found = 'src' in finding ? finding : await finding
      if (mine.signal.aborted) found.release()
      else turnTo(found)
    } catch {
      if (opening === mine) await lost(next.rendition?.url ?? next.url)
    }
  }

  function turnTo(found: Source) {
    source?.release()
    source = found
    clearTimeout(patience)
    clearTimeout(slow)
    $late.set(false)
    aim = undefined
    told = undefined
    shown = undefined
    proven = undefined
    doubtful = false
    tries = 0
    if (!video) return
    video.src = found.src
    video.load()
  }

  /** Takes the rendition in place of the original, once it is there and nobody is watching the video play. */
  async function improve() {
    const { signal } = opening
    const better = () => clip?.rendition?.state === 'ready' && source?.prepared === false && !$playing.get() && !signal.aborted
    if (!clip || !better()) return
    const found = await Promise.resolve(sourceOf(clip, () => {}, signal)).catch(() => null)
    if (!found) return
    if (!better()) return found.release()
    wanted = here()
    $ability.set('loading')
    turnTo(found)
  }

  /** An address does not give (all of) its video. `streamed`: it was given to the <video>, which may also not know what to do with it. */
  async function lost(url: string, streamed = false) {
    const mine = opening
    const played = $ability.get() === 'ready'
    wanted = here()
    $playing.set(false)
    let next: Ability = 'away'
    if (renewed.has(url)) {
      if (streamed && !played && (await given(url))) next = 'unplayable'
    } else {
      renewed.add(url)
      $ability.set('lost')
      // The same address again is worth a second try, too: the line may have broken for a moment.
      const fresh = await renew(clip!.id).catch(() => null)
      if (fresh && opening === mine) return open(fresh)
    }
    // Another video may have been chosen meanwhile.
    if (opening === mine) $ability.set(next)
  }

  async function failed() {
    const { code } = video?.error ?? {}
    if (!code || !clip || !source) return
    if (code !== MediaError.MEDIA_ERR_DECODE && !source.src.startsWith('blob:')) return lost(source.src, true)
    wanted = here()
    $playing.set(false)
    $ability.set('unplayable')
  }

  const player = {
    $frame,
    $frames,
    $time,
    $length,
    $sure,
    $refused,
    $late,
    $playing,
    $speed,
    $ability,
    $loaded,
    $loop,

    /** Ref of the <video>. */
    attach(element: HTMLVideoElement | null) {
      if (!element) return
      video = element
      const listen = new AbortController()
      const hear = (event: string, then: () => void) => element.addEventListener(event, then, { signal: listen.signal })
      hear('loadedmetadata', ready)
      hear('error', failed)
      hear('play', () => $playing.set(true))
      hear('pause', settle)
      // At its end a browser stops by itself; it begins at the first frame, and a part is sought from there.
      hear('ended', () => $loop.get() && player.play())
      hear('seeked', sought)
      let wide = globalThis.innerWidth
      const resized = () => {
        // A phone's own bars come and go with every scroll, and move no box.
        if (innerWidth === wide) return
        wide = innerWidth
        clearTimeout(laid)
        laid = setTimeout(repaint, LAID)
      }
      addEventListener('resize', resized, { signal: listen.signal })
      addEventListener('online', () => $ability.get() === 'away' && player.again(), { signal: listen.signal })
      if (FRAMES) watch(element)
      else hear('timeupdate', () => aim === undefined && !element.paused && on(times.at(element.currentTime + (source?.behind ?? 0))))
      if (clip) open(clip)
      return () => {
        listen.abort()
        opening.abort()
        clearTimeout(patience)
        clearTimeout(slow)
        // Whoever reads a video on asks for it again and again once its address is gone.
        element.removeAttribute('src')
        element.load()
        clearTimeout(laid)
        source?.release()
        source = undefined
        video = null
      }
    },

    /**
     * Shows a clip, from a moment of it. The same clip under other addresses goes on undisturbed, unless it could not be shown so far, or
     * its rendition is there now.
     */
    load(next: Clip, then?: Moment) {
      if (clip?.id === next.id) {
        const stuck = $ability.get() === 'away' || $ability.get() === 'unplayable'
        const changed = next.url !== clip.url || next.rendition?.url !== clip.rendition?.url
        clip = next
        if (then) player.moment(then)
        if (stuck && changed) open(next)
        else if ($ability.get() === 'ready') improve()
        return
      }
      wanted = then ?? { frame: 0, play: false }
      $frames.set(0)
      $length.set(0)
      $frame.set(wanted.frame ?? 0)
      $time.set(wanted.at ?? 0)
      $sure.set(false)
      open(next)
    },

    /** Another try for a video that did not load. */
    again() {
      if (!clip) return
      renewed.clear()
      open(clip)
    },

    /** The frame whose picture is on the screen; undefined where the browser does not tell. */
    seen: () => (shown === undefined ? undefined : times.at(shown)),
    /** The frame of a note on the video that is shown. */
    frameOf: (note: { frame?: number | undefined; at: number }) => times.clamp(note.frame ?? times.noted(note.at)),
    /** Goes to a frame or, where that is not known, to the frame of some milliseconds. */
    moment(to: Moment) {
      if ($ability.get() !== 'ready') {
        wanted = { ...to, play: to.play || (wanted?.play ?? false) }
        return
      }
      player.show(to.frame ?? times.noted(to.at ?? 0))
      if (to.play) player.play()
    },
    show(frame: number) {
      if ($ability.get() !== 'ready') {
        wanted = { frame: Math.max(0, frame), play: wanted?.play ?? false }
        return
      }
      on(times.clamp(frame))
      go()
    },
    /** To the frame of some milliseconds. */
    seek: (at: number) => player.moment({ at: Math.max(0, at), play: false }),
    /** Where a note is pinned that is made now: the frame, if frames are counted and it is known which is shown, and its milliseconds. */
    pin: () => ({ at: $time.get(), frame: source?.times && !doubtful ? $frame.get() : undefined }),
    play() {
      if (video && $ability.get() === 'ready') {
        video.play().catch(() => {})
        // It is asked to from now on; on a busy machine its event comes much later.
        $playing.set(!video.paused)
      } else if (wanted) wanted.play = true
    },
    pause() {
      if (wanted) wanted.play = false
      video?.pause()
    },
    toggle: () => (video?.paused && !wanted?.play ? player.play() : player.pause()),
    /** Moves by whole frames. */
    step(frames: number) {
      player.pause()
      player.show($frame.get() + frames)
    },
    speed(rate: number) {
      $speed.set(rate)
      if (video) video.playbackRate = rate
    },
    // What follows another clock, as the video of a voice-over does, reckons in seconds of the frame table.
    /** Where it is; null where it is nowhere yet. */
    position: () => (video && source ? video.currentTime + source.behind : null),
    startOf: (frame: number) => times.start(frame),
    frameAt: (seconds: number) => times.at(seconds),
    last: () => times.frames - 1,
    /** Runs so many times as fast as its speed, to keep up. */
    follow(factor: number) {
      const rate = $speed.get() * factor
      if (video && Math.abs(video.playbackRate - rate) > 0.001) video.playbackRate = rate
    },
    mute(silent: boolean) {
      if (video) video.muted = silent
    },
    fullscreen(around: HTMLElement | null) {
      if (document.fullscreenElement) document.exitFullscreen()
      else if (around?.requestFullscreen) around.requestFullscreen()
      // iPhones know full screen for the video alone.
      else (video as unknown as { webkitEnterFullscreen?: () => void })?.webkitEnterFullscreen?.()
    },
  }
  return player
}
export type Player = ReturnType<typeof createPlayer>

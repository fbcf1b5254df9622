import { atom } from 'nanostores'

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2] as const

/** `lost`: the address has run out or the line is gone, a fresh one is asked for. `unplayable`: this device cannot decode it. */
type Ability = 'loading' | 'ready' | 'lost' | 'unplayable'

interface Clip {
  id: string
  url: string
}

/** Whether the browser tells each frame that it shows. */
const FRAMES = 'requestVideoFrameCallback' in (globalThis.HTMLVideoElement?.prototype ?? {})

/** After this long, a video that fails again gets a fresh address again. */
const RENEWAL = 15_000

/**
 * Drives one <video>, in milliseconds of presentation time. Times live in stores, so that a frame re-renders only what shows the time.
 * `renew` is called when the signed address no longer works; the next `load` brings the new one.
 */
export function createPlayer(renew: () => void) {
  const $time = atom(0)
  const $length = atom(0)
  const $playing = atom(false)
  const $speed = atom(1)
  const $ability = atom<Ability>('loading')
  let video: HTMLVideoElement | null = null
  let clip: Clip | undefined
  let wanted: { at: number; play: boolean } | undefined
  let renewed = 0
  /** Milliseconds a frame, learned while it plays. */
  let frame = 1000 / 30
  let last = -1

  const shown = () => $time.get()
  function now(seconds: number) {
    $time.set(Math.round(seconds * 1000))
  }

  function watch(element: HTMLVideoElement) {
    element.requestVideoFrameCallback((_, { mediaTime }) => {
      const between = (mediaTime - last) * 1000
      if (!element.paused && between > 4 && between < frame - 0.5) frame = between
      last = mediaTime
      if (element === video) {
        now(mediaTime)
        watch(element)
      }
    })
  }

  function ready() {
    if (!video) return
    $length.set(Number.isFinite(video.duration) ? Math.round(video.duration * 1000) : 0)
    $ability.set('ready')
    video.playbackRate = $speed.get()
    if (!wanted) return
    const { at, play } = wanted
    wanted = undefined
    video.currentTime = at / 1000
    if (play) video.play().catch(() => {})
  }

  function failed() {
    if (!video || !clip) return
    const undecodable = video.error?.code === MediaError.MEDIA_ERR_DECODE
    if (undecodable || Date.now() - renewed < RENEWAL) {
      $ability.set('unplayable')
      return
    }
    renewed = Date.now()
    wanted = { at: shown(), play: $playing.get() }
    clip = { ...clip, url: '' }
    $ability.set('lost')
    renew()
  }

  const player = {
    $time,
    $length,
    $playing,
    $speed,
    $ability,

    /** Ref of the <video>. */
    attach(element: HTMLVideoElement | null) {
      if (!element) return
      video = element
      const listen = new AbortController()
      const on = (event: string, then: () => void) => element.addEventListener(event, then, { signal: listen.signal })
      on('loadedmetadata', ready)
      on('error', failed)
      on('play', () => $playing.set(true))
      on('pause', () => $playing.set(false))
      if (FRAMES) watch(element)
      else for (const event of ['timeupdate', 'seeked']) on(event, () => now(element.currentTime))
      const first = clip
      clip = undefined
      if (first) player.load(first, wanted)
      return () => {
        listen.abort()
        video = null
      }
    },

    /** Shows a clip. The same clip under a new address goes on undisturbed, unless the old address had run out. */
    load(next: Clip, then?: { at: number; play: boolean }) {
      if (clip?.id === next.id && clip.url) {
        if (then) {
          player.seek(then.at)
          if (then.play) player.play()
        }
        return
      }
      if (clip?.id !== next.id) {
        wanted = then ?? { at: 0, play: false }
        frame = 1000 / 30
        last = -1
      }
      clip = next
      if (!video) return
      $ability.set('loading')
      $time.set(wanted?.at ?? 0)
      video.src = next.url
      video.load()
    },

    seek(at: number) {
      if (!video || $ability.get() !== 'ready') {
        wanted = { at: Math.max(0, at), play: wanted?.play ?? false }
        return
      }
      const to = Math.max(0, Math.min(at, $length.get() || at))
      video.currentTime = to / 1000
      $time.set(Math.round(to))
    },
    play() {
      if (video && $ability.get() === 'ready') video.play().catch(() => {})
      else if (wanted) wanted.play = true
    },
    pause: () => video?.pause(),
    toggle: () => (video?.paused ? player.play() : player.pause()),
    /** Moves by whole frames. Aims at the middle of a frame, so that rounding never shows its neighbour. */
    step(frames: number) {
      player.pause()
      player.seek(shown() + frame * (frames + 0.5))
    },
    speed(rate: number) {
      $speed.set(rate)
      if (video) video.playbackRate = rate
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

import { atom } from 'nanostores'

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2] as const

/**
 * `lost`: it stopped loading, and a fresh address is asked for. `away`: that did not help, as the server or the store is out of reach.
 * `unplayable`: this browser cannot decode it.
 */
type Ability = 'loading' | 'ready' | 'lost' | 'away' | 'unplayable'

interface Clip {
  id: string
  url: string
}

/** Whether the browser tells each frame that it shows. */
const FRAMES = 'requestVideoFrameCallback' in (globalThis.HTMLVideoElement?.prototype ?? {})

/** Whether the store gives the first byte of a video: then it is the browser that cannot take it. */
const given = (url: string) =>
  // Not from the cache, where what a <video> asked for lies without leave for scripts.
  fetch(url, { headers: { range: 'bytes=0-0' }, cache: 'no-store' }).then(
    reply => reply.ok,
    () => false,
  )

/**
 * Drives one <video>, in milliseconds of presentation time. Times live in stores, so that a frame re-renders only what shows the time.
 * `renew` gives a fresh address for a video (its id) whose signed one no longer works; it is asked once an address, and the video goes
 * on where it stopped.
 */
export function createPlayer(renew: (video: string) => Promise<string>) {
  const $time = atom(0)
  const $length = atom(0)
  const $playing = atom(false)
  const $speed = atom(1)
  const $ability = atom<Ability>('loading')
  let video: HTMLVideoElement | null = null
  let clip: Clip | undefined
  let wanted: { at: number; play: boolean } | undefined
  /** Addresses that failed, for which a fresh one was asked. */
  const renewed = new Set<string>()
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
    // Sound without a picture is what is left of a codec that the browser lacks.
    if (!video.videoWidth) return $ability.set('unplayable')
    $length.set(Number.isFinite(video.duration) ? Math.round(video.duration * 1000) : 0)
    $ability.set('ready')
    video.playbackRate = $speed.get()
    if (!wanted) return
    const { at, play } = wanted
    wanted = undefined
    video.currentTime = at / 1000
    if (play) video.play().catch(() => {})
  }

  function open(next: Clip) {
    clip = next
    if (!video) return
    $ability.set('loading')
    $time.set(wanted?.at ?? 0)
    video.src = next.url
    video.load()
  }

  async function failed() {
    const { code } = video?.error ?? {}
    const stale = clip
    if (!code || !stale) return
    const played = $ability.get() === 'ready'
    if (played) wanted = { at: shown(), play: $playing.get() }
    $playing.set(false)
    if (code === MediaError.MEDIA_ERR_DECODE) return $ability.set('unplayable')
    let next: Ability = 'away'
    if (renewed.has(stale.url)) {
      if (!played && (await given(stale.url))) next = 'unplayable'
    } else {
      renewed.add(stale.url)
      $ability.set('lost')
      // The same address again is worth a second try, too: the line may have broken for a moment.
      const url = await renew(stale.id).catch(() => null)
      if (url && clip === stale) return open({ ...stale, url })
    }
    // Another video may have been chosen meanwhile.
    if (clip === stale) $ability.set(next)
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
      addEventListener('online', () => $ability.get() === 'away' && player.again(), { signal: listen.signal })
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

    /** Shows a clip. The same clip under another address goes on undisturbed, unless it could not be shown under the last one. */
    load(next: Clip, then?: { at: number; play: boolean }) {
      if (clip?.id === next.id) {
        if (then) {
          player.seek(then.at)
          if (then.play) player.play()
        }
        const stuck = $ability.get() === 'away' || $ability.get() === 'unplayable'
        if (stuck && next.url !== clip.url) open(next)
        return
      }
      wanted = then ?? { at: 0, play: false }
      frame = 1000 / 30
      last = -1
      open(next)
    },

    /** Another try for a video that did not load. */
    again() {
      if (!clip) return
      renewed.delete(clip.url)
      open(clip)
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
    pause() {
      if (wanted) wanted.play = false
      video?.pause()
    },
    toggle: () => (video?.paused && !wanted?.play ? player.play() : player.pause()),
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

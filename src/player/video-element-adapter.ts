import { onWindowWidthChange } from '../browser-quirks/repaint-after-resize.ts'
import { HAS_FRAME_CALLBACKS, onNextFrameIfReported } from '../browser-quirks/video-frame-callback-support.ts'
import { ClipNotPreparedError, isMediaUrlReachable, openClipSource, type VideoElementSource, type VideoPlayerClip } from './clip-source.ts'
import type { VideoElementState, VideoPlayerEffect, VideoPlayerInput, VideoPlayerTimerName } from './player-input-and-effect-types.ts'

/**
 * Connects the state machine to the browser: sends it the events of the <video>, the network and the timers, and performs its effects.
 * `renew` takes the id of a video and returns the video with fresh URLs.
 */
export function createVideoElementAdapter(send: (input: VideoPlayerInput) => void, renew: (video: string) => Promise<VideoPlayerClip>) {
  let video: HTMLVideoElement | null = null
  let heldSource: VideoElementSource | null = null
  let downloads = new AbortController()
  const timers: Partial<Record<VideoPlayerTimerName, ReturnType<typeof setTimeout>>> = {}

  /** Reports every picture that the browser presents in this <video> while it is attached. */
  function watchPictures(element: HTMLVideoElement) {
    onNextFrameIfReported(element, mediaTime => {
      if (element !== video) return
      send({ type: 'presented', mediaTime })
      watchPictures(element)
    })
  }

  function listen(element: HTMLVideoElement, signal: AbortSignal) {
    const on = (event: string, report: () => void) => element.addEventListener(event, report, { signal })
    on('loadedmetadata', () => send({ type: 'metadataLoaded', seconds: element.duration, hasPicture: element.videoWidth > 0 }))
    on('error', () => {
      const { code } = element.error ?? {}
      if (code) send({ type: 'failed', isDecodeError: code === MediaError.MEDIA_ERR_DECODE })
    })
    on('play', () => send({ type: 'started' }))
    on('pause', () => send({ type: 'paused' }))
    on('ended', () => send({ type: 'ended' }))
    on('seeked', () => send({ type: 'seeked' }))
    onWindowWidthChange(() => send({ type: 'widthChanged' }), signal)
    addEventListener('online', () => send({ type: 'online' }), { signal })
    if (HAS_FRAME_CALLBACKS) watchPictures(element)
    else on('timeupdate', () => send({ type: 'timeUpdated' }))
  }

  function setSource(source: VideoElementSource | null) {
    if (video && source) video.src = source.src
    else video?.removeAttribute('src')
    video?.load()
    // The previous source is released only now, because a <video> that still reads a revoked URL requests it again and again.
    heldSource?.release()
    heldSource = source
  }

  async function open(clip: VideoPlayerClip, opening: number) {
    downloads.abort()
    const abortController = new AbortController()
    downloads = abortController
    const report = (part: number) => send({ type: 'downloadProgressed', opening, part })
    let source: VideoElementSource
    try {
      const opened = openClipSource(clip, report, abortController.signal)
      // If nothing has to be fetched, the <video> gets its source in the same task.
      source = 'src' in opened ? opened : await opened
    } catch (error) {
      return send({ type: error instanceof ClipNotPreparedError ? 'sourceMissing' : 'sourceUnreachable', opening })
    }
    send({ type: 'sourceOpened', opening, source })
  }

  async function openRendition(clip: VideoPlayerClip, opening: number) {
    const open = async () => openClipSource(clip, () => {}, downloads.signal)
    send({ type: 'renditionOpened', opening, source: await open().catch(() => null) })
  }

  function stopTimer(timer: VideoPlayerTimerName) {
    clearTimeout(timers[timer])
    delete timers[timer]
  }

  return {
    element: () => video,

    /** The state of the <video> at this moment; null while none is attached. */
    read: (): VideoElementState => video && { isPaused: video.paused, isSeeking: video.seeking, seconds: video.currentTime },

    /** Attaches a <video>. Returns a function that detaches it. */
    attach(element: HTMLVideoElement) {
      video = element
      const detached = new AbortController()
      listen(element, detached.signal)
      send({ type: 'attached' })
      return () => {
        detached.abort()
        downloads.abort()
        stopTimer('seekRetry')
        stopTimer('slowSeek')
        setSource(null)
        video = null
        send({ type: 'detached' })
      }
    },

    perform(effect: VideoPlayerEffect) {
      switch (effect.type) {
        case 'seek':
          if (video) video.currentTime = effect.seconds
          return
        case 'play':
          video?.play().catch(() => {})
          // The browser's own `play` event may arrive much later on a busy machine.
          if (video && !video.paused) send({ type: 'started' })
          return
        case 'pause':
          return video?.pause()
        case 'setRate':
          if (video) video.playbackRate = effect.rate
          return
        case 'startTimer':
          stopTimer(effect.timer)
          timers[effect.timer] = setTimeout(send, effect.milliseconds, { type: 'timerElapsed', timer: effect.timer })
          return
        case 'stopTimer':
          return stopTimer(effect.timer)
        case 'openSource':
          return void open(effect.clip, effect.opening)
        case 'openRendition':
          return void openRendition(effect.clip, effect.opening)
        case 'setSource':
          return setSource(effect.source)
        case 'release':
          return effect.source.release()
        case 'renew':
          return void renew(effect.clipId).then(
            clip => send({ type: 'renewed', opening: effect.opening, clip }),
            () => send({ type: 'renewed', opening: effect.opening, clip: null }),
          )
        case 'testFetch':
          return void isMediaUrlReachable(effect.url).then(found =>
            send({ type: 'fetchTested', opening: effect.opening, isFetchable: found }),
          )
      }
    },
  }
}

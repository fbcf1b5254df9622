import { createFrameSeeker } from './frame-seeking.ts'
import { createMediaTimeCalibration } from './media-time.ts'
import { createPlayerMedia, createPlayerStores, currentTarget, type SeekTarget } from './player-state.ts'
import { onWidthChanged } from './quirks/after-resize.ts'
import { toggleFullscreen } from './quirks/fullscreen.ts'
import { REPORTS_FRAMES } from './quirks/reports-frames.ts'
import { type Clip, guessTimeline } from './source.ts'
import { createSourceLoader } from './source-loading.ts'

/**
 * Drives one <video> by whole frames. The current frame is a number that the player itself keeps: a step changes the number, and the <video>
 * is sought to that frame's time in the frame table; what the browser reports only confirms it (`$isConfirmed`). Only while the video plays
 * do the browser's reports set the number.
 *
 * `renew` returns a video (by its id) with fresh addresses; it is called once for each address that failed, and the video goes on where it
 * stopped.
 */
export function createPlayer(renew: (video: string) => Promise<Clip>) {
  const stores = createPlayerStores()
  const media = createPlayerMedia()
  const seeker = createFrameSeeker(media, stores)
  const loader = createSourceLoader(media, stores, seeker, renew)
  const { $frame, $frames, $time, $duration, $isConfirmed, $playing, $speed, $status, $loop } = stores

  /** The browser knows the length of the video: goes to where the last source stopped, or where the caller wants to begin. */
  function handleMetadata() {
    const { video, source, clip } = media
    if (!video || !source) return
    // A browser that lacks the codec of the picture plays the sound alone.
    if (!video.videoWidth) return $status.set('unplayable')
    const seconds = Number.isFinite(video.duration) ? video.duration : 0
    const timeline = source.timeline ?? guessTimeline(clip!, seconds)
    const calibration = createMediaTimeCalibration(source, seconds)
    Object.assign(media, { timeline, calibration })
    source.timestampOffset = calibration.timestampOffset()
    $frames.set(timeline.frames)
    $duration.set(Math.round((source.timeline ? timeline.end(timeline.frames - 1) : seconds) * 1000))
    $status.set('ready')
    video.playbackRate = $speed.get()
    const { frame, at, play } = currentTarget(media, stores)
    media.pending = undefined
    seeker.setFrame(timeline.clamp(frame ?? timeline.noted(at ?? 0)))
    // An original shows its poster until somebody moves it, and downloads nothing before.
    if ($frame.get() > 0 || source.isRendition) seeker.seekToFrame()
    if (play) video.play().catch(() => {})
    loader.switchToRendition()
  }

  /** When the video stops playing, the picture is made that of the current frame. */
  function handlePause() {
    $playing.set(false)
    if (!media.video || media.video.seeking || $status.get() !== 'ready') return
    $isConfirmed.set(false)
    seeker.seekToFrame()
    loader.switchToRendition()
  }

  /** Without reports of single frames the current frame follows the time of the <video>. */
  function handleTimeUpdate() {
    const { video, source, timeline } = media
    if (!seeker.isSeeking() && video && !video.paused) seeker.setFrame(timeline.at(video.currentTime + (source?.timestampOffset ?? 0)))
  }

  const player = {
    ...stores,

    /** Ref of the <video>. */
    attach(video: HTMLVideoElement | null) {
      if (!video) return
      media.video = video
      const detached = new AbortController()
      const { signal } = detached
      const on = (event: string, handle: () => void) => video.addEventListener(event, handle, { signal })
      on('loadedmetadata', handleMetadata)
      on('error', loader.handleError)
      on('play', () => $playing.set(true))
      on('pause', handlePause)
      // A browser stops at the end of the video by itself; playing begins at the first frame, and a loop of a part seeks from there.
      on('ended', () => $loop.get() && player.play())
      on('seeked', seeker.handleSeeked)
      onWidthChanged(seeker.repaint, signal)
      addEventListener('online', () => $status.get() === 'unreachable' && loader.retry(), { signal })
      if (REPORTS_FRAMES) seeker.watchPictures(video)
      else on('timeupdate', handleTimeUpdate)
      if (media.clip) loader.open(media.clip)
      return () => {
        detached.abort()
        seeker.stop()
        // A <video> that still reads would request its source again and again once the blob or the address is gone.
        video.removeAttribute('src')
        video.load()
        loader.close()
        media.video = null
      }
    },

    /**
     * Shows a clip, from `target` if that is given. The same clip under other addresses goes on undisturbed, unless it could not be shown so
     * far, or its rendition is there now.
     */
    load(clip: Clip, target?: SeekTarget) {
      if (media.clip?.id === clip.id) {
        const isStuck = ['unreachable', 'unplayable', 'unprepared'].includes($status.get())
        const hasNewAddress = clip.url !== media.clip.url || clip.rendition?.url !== media.clip.rendition?.url
        media.clip = clip
        if (target) player.goTo(target)
        if (isStuck && hasNewAddress) loader.open(clip)
        else if ($status.get() === 'ready') loader.switchToRendition()
        return
      }
      const start = target ?? { frame: 0, play: false }
      media.pending = start
      $frames.set(0)
      $duration.set(0)
      $frame.set(start.frame ?? 0)
      $time.set(start.at ?? 0)
      $isConfirmed.set(false)
      loader.open(clip)
    },

    /** Tries once more to load a video that was unreachable. */
    retry: loader.retry,
    shownFrame: seeker.shownFrame,
    /** The frame of a note on this clip. */
    frameOf: (note: { frame?: number | undefined; at: number }) => media.timeline.clamp(note.frame ?? media.timeline.noted(note.at)),
    goTo(target: SeekTarget) {
      if ($status.get() !== 'ready') {
        media.pending = { ...target, play: target.play || (media.pending?.play ?? false) }
        return
      }
      player.showFrame(target.frame ?? media.timeline.noted(target.at ?? 0))
      if (target.play) player.play()
    },
    showFrame(frame: number) {
      if ($status.get() !== 'ready') {
        media.pending = { frame: Math.max(0, frame), play: media.pending?.play ?? false }
        return
      }
      seeker.setFrame(media.timeline.clamp(frame))
      seeker.seekToFrame()
    },
    /** Goes to the frame of some milliseconds. */
    seek: (at: number) => player.goTo({ at: Math.max(0, at), play: false }),
    /** Where a note is pinned that is written now: milliseconds, and the frame where it is certain which one is shown. */
    notePosition: () => ({ at: $time.get(), frame: seeker.isFrameCertain() ? $frame.get() : undefined }),
    play() {
      const { video, pending } = media
      if (video && $status.get() === 'ready') {
        video.play().catch(() => {})
        // The browser's `play` event may come much later on a busy machine.
        $playing.set(!video.paused)
      } else if (pending) pending.play = true
    },
    pause() {
      if (media.pending) media.pending.play = false
      media.video?.pause()
    },
    toggle: () => (media.video?.paused && !media.pending?.play ? player.play() : player.pause()),
    /** Pauses, and moves by whole frames; back where `frames` is negative. */
    step(frames: number) {
      player.pause()
      player.showFrame($frame.get() + frames)
    },
    setSpeed(rate: number) {
      $speed.set(rate)
      if (media.video) media.video.playbackRate = rate
    },

    // A voice-over leads the video by these, in seconds of the frame table.
    /** Seconds at which the video is; null where there is none yet. */
    currentSeconds: () => (media.video && media.source ? media.video.currentTime + media.source.timestampOffset : null),
    frameStart: (frame: number) => media.timeline.start(frame),
    frameAt: (seconds: number) => media.timeline.at(seconds),
    lastFrame: () => media.timeline.frames - 1,
    /** Plays so many times as fast as `$speed`, to catch up or to fall back. */
    adjustRate(factor: number) {
      const rate = $speed.get() * factor
      if (media.video && Math.abs(media.video.playbackRate - rate) > 0.001) media.video.playbackRate = rate
    },
    setMuted(isMuted: boolean) {
      if (media.video) media.video.muted = isMuted
    },
    toggleFullscreen: (stage: HTMLElement | null) => toggleFullscreen(stage, media.video),
  }
  return player
}
export type Player = ReturnType<typeof createPlayer>

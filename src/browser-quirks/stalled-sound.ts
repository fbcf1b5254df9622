/** The sound counts as stalled if it does not move this far within `STALL_TIMEOUT_MS`. */
const SOUND_MOVED_MS = 20
const STALL_TIMEOUT_MS = 1000
/** The last part of a recording need not be buffered for it to be there as a whole. */
const BUFFERED_TO_END_SECONDS = 0.1

/** Watches a sound that plays. WebKitGTK sometimes stalls although all of it is buffered; pausing and playing makes it continue. */
export function createStallWatch() {
  /** The last movement of the sound: its position and the time of the page, both in ms. */
  let lastProgress: { position: number; at: number } | null = null
  return {
    /** `position` of the sound, in ms. Call it in each animation frame while the sound plays. */
    restartIfStalled(element: HTMLAudioElement, position: number) {
      const now = performance.now()
      if (!lastProgress || Math.abs(position - lastProgress.position) > SOUND_MOVED_MS) lastProgress = { position, at: now }
      const { buffered, duration, readyState, seeking } = element
      const isBuffered = buffered.length > 0 && buffered.end(buffered.length - 1) > duration - BUFFERED_TO_END_SECONDS
      if (now - lastProgress.at < STALL_TIMEOUT_MS || seeking || !isBuffered || readyState > element.HAVE_CURRENT_DATA) return
      lastProgress = { ...lastProgress, at: now }
      element.pause()
      element.play().catch(() => {})
    },
    /** The sound does not play: begins anew when it does. */
    reset() {
      lastProgress = null
    },
  }
}

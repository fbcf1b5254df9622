/** The sound counts as stalled if it moves less than this within `STALL_TIMEOUT_MS`. */
const SOUND_MOVED_MS = 20
const STALL_TIMEOUT_MS = 1000
/** A recording counts as completely buffered if at most this much is missing at its end. */
const BUFFERED_TO_END_SECONDS = 0.1

/** Watches a playing sound. WebKitGTK sometimes stalls although the sound is completely buffered; pausing and playing makes it continue. */
export function createSoundStallWatchdog() {
  /** When the sound last moved: its position in ms, and `performance.now()`. */
  let lastProgress: { position: number; at: number } | null = null
  return {
    /** `position`: the sound's position in ms. Call this in each animation frame while the sound plays. */
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
    /** Call this when the sound is not playing, so that the measurement restarts when it plays again. */
    reset() {
      lastProgress = null
    },
  }
}

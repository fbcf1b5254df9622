/** A clock for the position in the sound that is being recorded. It starts when it is created, and stops during pauses. */
export class RecordingClock {
  private readonly maxMs: number
  private startedAt = performance.now()
  /** The position in ms while the clock is paused; undefined while it runs. */
  private pausedMs: number | undefined

  constructor(maxMs: number) {
    this.maxMs = maxMs
  }

  /** Milliseconds of sound so far, at most `maxMs`. */
  position() {
    return Math.min(this.maxMs, this.pausedMs ?? performance.now() - this.startedAt)
  }

  pause() {
    this.pausedMs = this.position()
  }

  resume() {
    if (this.pausedMs === undefined) return
    this.startedAt = performance.now() - this.pausedMs
    this.pausedMs = undefined
  }
}

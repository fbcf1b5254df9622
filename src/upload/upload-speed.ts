/** How fast an upload is, and how long it will still take. */
export interface UploadSpeedEstimate {
  bytesPerSecond: number
  /** Null during the first second, and while nothing is being sent. */
  secondsLeft: number | null
}

/** The speed of an upload that is not sending anything, for example because it is paused or offline. */
export const IDLE_UPLOAD_SPEED: UploadSpeedEstimate = { bytesPerSecond: 0, secondsLeft: null }

const WINDOW_MS = 10_000

/**
 * Measures the speed of an upload of `total` bytes over the last ten seconds, so that short stalls do not make the time left jump.
 * @returns a function to call with the bytes sent so far and the time in milliseconds
 */
export function createUploadSpeedMeter(total: number) {
  const samples: { at: number; bytes: number }[] = []
  return (bytes: number, at: number): UploadSpeedEstimate => {
    samples.push({ at, bytes })
    while (samples.length > 2 && at - samples[0]!.at > WINDOW_MS) samples.shift()
    const first = samples[0]!
    const seconds = (at - first.at) / 1000
    const speed = seconds > 0 ? Math.max(0, (bytes - first.bytes) / seconds) : 0
    return { bytesPerSecond: speed, secondsLeft: seconds >= 1 && speed > 0 ? (total - bytes) / speed : null }
  }
}

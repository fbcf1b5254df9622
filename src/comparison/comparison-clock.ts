import { atom } from 'nanostores'

export type ComparisonClock = ReturnType<typeof createComparisonClock>

/** Creates the shared clock of a comparison, which runs in milliseconds within a range. `now` returns a monotonic time in milliseconds. */
export function createComparisonClock(now: () => number = () => performance.now()) {
  const $time = atom(0)
  const $playing = atom(false)
  const $rate = atom(1)
  const $loop = atom(true)
  let range = { from: 0, to: 0 }
  /** The value of `now` from which the next tick measures how much time has passed. */
  let lastTick = 0

  const clamp = (at: number) => Math.max(range.from, Math.min(range.to, at))
  return {
    $time,
    $playing,
    $rate,
    $loop,
    /** Sets the start and the end of the clock, in ms. */
    setRange(from: number, to: number) {
      range = { from, to }
      $time.set(clamp($time.get()))
    },
    range: () => range,
    /** Advances the clock to now; at the end it starts over or stops. Returns the time in ms. */
    tick(): number {
      const time = now()
      if ($playing.get()) {
        const at = $time.get() + (time - lastTick) * $rate.get()
        if (at < range.to) $time.set(Math.max(range.from, at))
        else if ($loop.get() && range.to > range.from) $time.set(range.from)
        else {
          $time.set(range.to)
          $playing.set(false)
        }
      }
      lastTick = time
      return $time.get()
    },
    /** Sets the clock back to an earlier time until the next tick, because the pictures for the current time are not ready. */
    hold(at: number) {
      $time.set(at)
      lastTick = now()
    },
    seek(at: number) {
      $time.set(clamp(at))
      lastTick = now()
    },
    play() {
      if ($time.get() >= range.to - 1) $time.set(range.from)
      lastTick = now()
      $playing.set(true)
    },
    pause: () => $playing.set(false),
    setRate(rate: number) {
      $rate.set(rate)
    },
  }
}

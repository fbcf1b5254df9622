import { atom } from 'nanostores'

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2] as const

export type Clock = ReturnType<typeof createClock>

/** The one clock of a comparison, in milliseconds between two ends. `now`: a clock that always goes on. */
export function createClock(now: () => number = () => performance.now()) {
  const $at = atom(0)
  const $playing = atom(false)
  const $rate = atom(1)
  const $loop = atom(true)
  let ends = { from: 0, to: 0 }
  /** What `now` said when `$at` was right. */
  let since = 0

  const clamp = (at: number) => Math.max(ends.from, Math.min(ends.to, at))
  return {
    $at,
    $playing,
    $rate,
    $loop,
    /** Milliseconds at which it begins and ends. */
    range(from: number, to: number) {
      ends = { from, to }
      $at.set(clamp($at.get()))
    },
    ends: () => ends,
    /** Goes on to now. At the end it begins again, or stops. */
    tick(): number {
      const time = now()
      if ($playing.get()) {
        const at = $at.get() + (time - since) * $rate.get()
        if (at < ends.to) $at.set(Math.max(ends.from, at))
        else if ($loop.get() && ends.to > ends.from) $at.set(ends.from)
        else {
          $at.set(ends.to)
          $playing.set(false)
        }
      }
      since = time
      return $at.get()
    },
    /** Stands still until the next tick, at an earlier moment: the pictures of now are not there yet. */
    hold(at: number) {
      $at.set(at)
      since = now()
    },
    seek(at: number) {
      $at.set(clamp(at))
      since = now()
    },
    play() {
      if ($at.get() >= ends.to - 1) $at.set(ends.from)
      since = now()
      $playing.set(true)
    },
    pause: () => $playing.set(false),
    rate(rate: number) {
      $rate.set(rate)
    },
  }
}

import { useContext, useSyncExternalStore } from 'react'
import { dateFormatter } from './date-formatter.ts'
import { RenderedAtContext } from './hydrated.ts'

/** Made for the first time that is told. */
let relative: Intl.RelativeTimeFormat | undefined
const absolute = dateFormatter({ dateStyle: 'medium', timeStyle: 'short' })
const steps = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 7 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['year', 365 * 86_400_000],
] as const

/** A device's clock may be so much behind the server's, ms: what just happened is not to come. */
const SLOW = 5 * 60_000
/** How often what is shown is told anew, ms. */
const OFTEN = 30_000

/** '3 hours ago', 'tomorrow', 'just now' within a minute; of what is past only whole units count. `at` and `now` in milliseconds. */
export function formatRelativeTime(at: number, now: number): string {
  const away = at - now
  if (away > -60_000 && away < SLOW) return 'just now'
  const [unit, size] = steps.findLast(([, ms]) => Math.abs(away) >= ms)!
  relative ??= new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
  return relative.format(away < 0 ? Math.ceil(away / size) : Math.round(away / size), unit)
}

let now = Date.now()
const tick = (changed: () => void) => {
  // Nobody may have looked at the clock for long.
  if (Date.now() - now > OFTEN) now = Date.now()
  const timer = setInterval(() => {
    now = Date.now()
    changed()
  }, OFTEN)
  return () => clearInterval(timer)
}

/** Now, ms, told anew twice a minute; at first when the page was made, if it came with what it shows. */
export function useNow(): number {
  const made = useContext(RenderedAtContext)
  return useSyncExternalStore(
    tick,
    () => now,
    () => made ?? now,
  )
}

/** A time, relative to now; the absolute one in the viewer's zone on hover. */
export function RelativeTime({ at }: { at: string }) {
  const current = useNow()
  const date = new Date(at)
  return (
    <time
      dateTime={at}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = absolute(date)
      }}
    >
      {formatRelativeTime(date.getTime(), current)}
    </time>
  )
}

import { useContext, useSyncExternalStore } from 'react'
import { dateFormatter } from './date-formatter.ts'
import { RenderedAtContext } from './use-hydrated.ts'

/** Created on first use, because creating it is slow. */
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

/** Tolerated lag of a device's clock behind the server's: events that just happened must not appear to be in the future. */
const MAX_CLOCK_LAG_MS = 5 * 60_000
/** How often the shown times are updated. */
const UPDATE_MS = 30_000

/**
 * '3 hours ago', 'tomorrow', or 'just now' from a minute ago to `MAX_CLOCK_LAG_MS` ahead. Past times are rounded down to whole units,
 * future times to the nearest unit. `at` and `now` are in ms since 1970.
 */
export function formatRelativeTime(at: number, now: number): string {
  const away = at - now
  if (away > -60_000 && away < MAX_CLOCK_LAG_MS) return 'just now'
  const [unit, size] = steps.findLast(([, ms]) => Math.abs(away) >= ms)!
  relative ??= new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
  return relative.format(away < 0 ? Math.ceil(away / size) : Math.round(away / size), unit)
}

let now = Date.now()
const tick = (changed: () => void) => {
  // Without a mounted component, nothing has kept `now` up to date.
  if (Date.now() - now > UPDATE_MS) now = Date.now()
  const timer = setInterval(() => {
    now = Date.now()
    changed()
  }, UPDATE_MS)
  return () => clearInterval(timer)
}

/**
 * The current time in ms since 1970, updated twice a minute. During hydration of a page with preloaded data, it is the time at which the
 * server rendered the page, so that the markup matches.
 */
export function useNow(): number {
  const made = useContext(RenderedAtContext)
  return useSyncExternalStore(
    tick,
    () => now,
    () => made ?? now,
  )
}

/** A time relative to now; a tooltip shows the absolute time in the viewer's zone. */
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

import { dateFormatter } from '../ui/date-formatter.ts'

const DAY = 86_400_000

/** A step between two dates on an axis, from the finest to the coarsest, and how a date on it is written. */
const STEPS = [
  { months: 0, days: 1, as: { month: 'short', day: 'numeric' } },
  { months: 0, days: 2, as: { month: 'short', day: 'numeric' } },
  { months: 0, days: 7, as: { month: 'short', day: 'numeric' } },
  { months: 0, days: 14, as: { month: 'short', day: 'numeric' } },
  { months: 1, days: 0, as: { month: 'short' } },
  { months: 2, days: 0, as: { month: 'short' } },
  { months: 3, days: 0, as: { month: 'short', year: 'numeric' } },
  { months: 6, days: 0, as: { month: 'short', year: 'numeric' } },
  { months: 12, days: 0, as: { year: 'numeric' } },
  { months: 60, days: 0, as: { year: 'numeric' } },
] as const satisfies { months: number; days: number; as: Intl.DateTimeFormatOptions }[]

const oneDay = dateFormatter(STEPS[0].as)

interface Tick {
  at: number
  label: string
}
interface Axis {
  from: number
  to: number
  ticks: Tick[]
  /** Where a time lies on it, 0 to 1. */
  place: (at: number) => number
}

const midnight = (at: number) => {
  const day = new Date(at)
  day.setHours(0, 0, 0, 0)
  return day
}

/** Days, or months on their first, that lie within `from` and `to`. */
function days(from: number, to: number, { months, days }: (typeof STEPS)[number]): number[] {
  const day = midnight(from)
  if (months) {
    day.setDate(1)
    day.setMonth(Math.floor(day.getMonth() / months) * months)
    if (months > 12) day.setFullYear(Math.floor(day.getFullYear() / 5) * 5)
  }
  const found: number[] = []
  for (; day.getTime() <= to; months ? day.setMonth(day.getMonth() + months) : day.setDate(day.getDate() + days))
    if (day.getTime() >= from) found.push(day.getTime())
  return found
}

/**
 * An axis of real time that holds all of these, with a little room at its ends: equal distances are equal times. Its ticks are whole days or
 * the first of a month in the viewer's zone, at most `most` of them; what is of one day has that day below it. Milliseconds since 1970.
 */
export function timeAxis(times: readonly number[], most = 5): Axis {
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const room = Math.max((last - first) * 0.06, DAY * (last === first ? 10 : 0.5))
  const [from, to] = [first - room, last + room]
  const place = (t: number) => (t - from) / (to - from)
  if (+midnight(first) === +midnight(last)) return { from, to, place, ticks: [{ at: (first + last) / 2, label: oneDay(first) }] }
  const fitting = STEPS.map(step => ({ step, at: days(from, to, step) }))
  const { step, at } = fitting.find(s => s.at.length <= most && s.at.length > 0) ?? fitting.at(-1)!
  const format = new Intl.DateTimeFormat('en-US', step.as)
  return { from, to, place, ticks: at.map(t => ({ at: t, label: format.format(t) })) }
}

/** The end of an axis from 0 that holds `value`: 1, 2 or 5 times a power of ten. */
export function niceEnd(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return [1, 2, 5, 10].map(n => n * power).find(end => end >= value)!
}

import { dateFormatter } from '../ui/date-formatter.ts'

const DAY_MS = 86_400_000

/** Possible intervals between ticks, from the finest to the coarsest, with the format of their labels. */
const STEPS = [
  { months: 0, tickDays: 1, as: { month: 'short', day: 'numeric' } },
  { months: 0, tickDays: 2, as: { month: 'short', day: 'numeric' } },
  { months: 0, tickDays: 7, as: { month: 'short', day: 'numeric' } },
  { months: 0, tickDays: 14, as: { month: 'short', day: 'numeric' } },
  { months: 1, tickDays: 0, as: { month: 'short' } },
  { months: 2, tickDays: 0, as: { month: 'short' } },
  { months: 3, tickDays: 0, as: { month: 'short', year: 'numeric' } },
  { months: 6, tickDays: 0, as: { month: 'short', year: 'numeric' } },
  { months: 12, tickDays: 0, as: { year: 'numeric' } },
  { months: 60, tickDays: 0, as: { year: 'numeric' } },
] as const satisfies { months: number; tickDays: number; as: Intl.DateTimeFormatOptions }[]

const oneDay = dateFormatter(STEPS[0].as)

interface Tick {
  at: number
  label: string
}
interface Axis {
  from: number
  to: number
  ticks: Tick[]
  /** Position of a time on the axis, 0 to 1. */
  place: (at: number) => number
}

const midnight = (at: number) => {
  const day = new Date(at)
  day.setHours(0, 0, 0, 0)
  return day
}

/** Ticks between `from` and `to`: midnights, or the first days of months. */
function tickDays(from: number, to: number, { months, tickDays }: (typeof STEPS)[number]): number[] {
  const day = midnight(from)
  if (months) {
    day.setDate(1)
    day.setMonth(Math.floor(day.getMonth() / months) * months)
    if (months > 12) day.setFullYear(Math.floor(day.getFullYear() / 5) * 5)
  }
  const ticks: number[] = []
  for (; day.getTime() <= to; months ? day.setMonth(day.getMonth() + months) : day.setDate(day.getDate() + tickDays))
    if (day.getTime() >= from) ticks.push(day.getTime())
  return ticks
}

/**
 * A linear time axis that contains all `times` (ms since 1970) with some margin at both ends. It has at most `maxTicks` ticks, at midnights
 * or first days of months in the viewer's time zone; if all times are on one day, it has a single tick for that day.
 */
export function timeAxis(times: readonly number[], maxTicks = 5): Axis {
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const room = Math.max((last - first) * 0.06, DAY_MS * (last === first ? 10 : 0.5))
  const [from, to] = [first - room, last + room]
  const place = (t: number) => (t - from) / (to - from)
  if (+midnight(first) === +midnight(last)) return { from, to, place, ticks: [{ at: (first + last) / 2, label: oneDay(first) }] }
  const fitting = STEPS.map(step => ({ step, at: tickDays(from, to, step) }))
  const { step, at } = fitting.find(s => s.at.length <= maxTicks && s.at.length > 0) ?? fitting.at(-1)!
  const format = new Intl.DateTimeFormat('en-US', step.as)
  return { from, to, place, ticks: at.map(t => ({ at: t, label: format.format(t) })) }
}

/** The end of an axis that starts at 0: the smallest of 1, 2, 5, 10, 20, 50, … that is at least `value`, so never less than 1. */
export function roundedAxisEnd(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return [1, 2, 5, 10].map(n => n * power).find(end => end >= value)!
}

import type { AnyEvent } from './kernel/decider.ts'

/** What an event, or a chapter of a story, carries. It may be of another time: nothing in it is sure to be there. */
type Data = Record<string, unknown>

/** What people read of each event of a module: the log says `audit` after the name of who did it, a folder's story says `story`. */
export type Words<E extends AnyEvent> = {
  [T in E['type']]: { audit: (data: Data) => string; story?: (who: string, detail: Data) => string }
}

export const asText = (value: unknown) => (typeof value === 'string' ? value : '')
export const countWithNoun = (n: unknown, noun: string) => (n === 1 ? `1 ${noun}` : `${Number(n)} ${noun}s`)

/** Made for the first amount: a screen without one begins sooner. */
let usd: Intl.NumberFormat | undefined
/** Integer cents as dollars, always with cents: 1500 → '$15.00'. */
export function money(cents: number) {
  usd ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  return usd.format(cents / 100)
}
export const asMoney = (value: unknown) => (typeof value === 'number' ? money(value) : 'an amount')

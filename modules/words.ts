import type { AnyEvent } from './kernel/decider.ts'

/** What an event, or a chapter of a story, carries. It may be of another time: nothing in it is sure to be there. */
type Data = Record<string, unknown>

interface EventWords {
  /**
   * Whom the sentence of the log begins with: who did it (the default); `owner`, the person whom it happened to; or `none`, where `audit` is the
   * whole sentence.
   */
  subject?: 'owner' | 'none'
  /** `owner`: the name of the person whom it happened to, where it is known. */
  audit: (data: Data, owner?: string) => string
  story?: (who: string, detail: Data) => string
}

/** What people read of each event of a module: the log says `audit`, a folder's story says `story`. */
export type Words<E extends AnyEvent> = { [T in E['type']]: EventWords }

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

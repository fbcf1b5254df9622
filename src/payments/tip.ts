import { MAX_TIP_CENTS } from '../../modules/payments/policy.ts'

/** The base for percentage tips, in cents: the sum of the bill's positive items, before discounts and before the cap on the fee. */
export const tipBaseCents = (items: { cents: number }[]) => items.reduce((sum, i) => sum + Math.max(0, i.cents), 0)
export const percentTipCents = (percent: number, base: number) => Math.round((base * percent) / 100)

/** Parses dollars as people type them ('5', '5.50', '$5.5') into cents, or returns a sentence that says what is wrong. */
export function parseTip(text: string): { cents: number } | { wrong: string } {
  const plain = text
    .trim()
    .replace(/^\$/, '')
    .replace(/,(?=\d{3}\b)/g, '')
  if (!/^\d{1,6}(\.\d{0,2})?$/.test(plain)) return { wrong: 'Enter an amount like 5 or 7.50' }
  const cents = Math.round(Number(plain) * 100)
  return cents > MAX_TIP_CENTS ? { wrong: `A tip may be up to $${MAX_TIP_CENTS / 100}` } : { cents }
}

/** The fields of the form in which a player or a guardian chooses a tip. */
export interface TipFormValues {
  /** A percentage, '0', or 'other'. */
  choice: string
  /** The amount in dollars as typed, for 'other'. */
  amount: string
}

/** The chosen tip in cents; 0 while the typed amount is invalid. */
export function tipCents({ choice, amount }: TipFormValues, items: { cents: number }[]): number {
  const typed = choice === 'other' ? parseTip(amount) : { cents: percentTipCents(Number(choice), tipBaseCents(items)) }
  return 'cents' in typed ? typed.cents : 0
}

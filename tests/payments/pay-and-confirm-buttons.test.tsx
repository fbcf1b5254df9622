import { renderToString } from 'react-dom/server'
import { useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import type { Payment } from '../../modules/payments/contract.ts'
import { type BankConfirmationPage, BankConfirmationPrompt, PayButton } from '../../src/payments/PayAndConfirmButtons.tsx'
import type { TipFormValues } from '../../src/payments/tip.ts'

const payment = { items: [{ label: 'Feedback session', cents: 1500 }], total: 1500 } as Payment

function Buttons({ values, page }: { values: TipFormValues; page: BankConfirmationPage | null }) {
  const { control } = useForm({ defaultValues: values })
  return (
    <>
      <BankConfirmationPrompt control={control} payment={payment} page={page} />
      <PayButton control={control} payment={payment} page={page} busy={false} isRetry={false} />
    </>
  )
}
/** Renders the buttons with this tip chosen. Returns the bank's page to which they link, the pay button's text, and if it is primary. */
const buttons = (choice: string, amount: string, page: BankConfirmationPage | null) => {
  const html = renderToString(<Buttons values={{ choice, amount }} page={page} />)
  const [, look, text] = html.match(/<button type="submit" class="([^"]*)".*?>([^<]*)<\/button>/)!
  return { href: html.match(/href="(.*?)"/)?.[1], text, isPrimary: look!.includes('bg-field') }
}

test("the bank's page is offered only while its charge has the chosen tip", () => {
  const page = { url: 'https://bank.test/1', tip: 300 }
  expect(buttons('20', '', page)).toEqual({ href: page.url, text: 'Pay $18.00', isPrimary: false })
  expect(buttons('other', '3', page)).toEqual({ href: page.url, text: 'Pay $18.00', isPrimary: false })
  expect(buttons('0', '', page)).toEqual({ href: undefined, text: 'Pay $15.00', isPrimary: true })
  expect(buttons('25', '', page)).toEqual({ href: undefined, text: 'Pay $18.75', isPrimary: true })
  expect(buttons('0', '', { ...page, tip: 0 })).toEqual({ href: page.url, text: 'Pay $15.00', isPrimary: false })
  expect(buttons('20', '', null)).toEqual({ href: undefined, text: 'Pay $18.00', isPrimary: true })
})

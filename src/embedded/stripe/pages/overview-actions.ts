import { payOutWholeBalance } from '../calculate-account-balance-and-pay-out.ts'
import { advanceClockHours } from '../clock-and-starting-balance.ts'
import { openDispute, settleDispute } from '../resources/disputes.ts'
import { setCardBehavior } from '../resources/payment-methods.ts'
import { settleRefund } from '../resources/refunds.ts'
import { StripeError } from '../stripe-error.ts'
import { testControlSchema } from '../test-controls.ts'
import { noticePage, type SandboxPageRequest, type SandboxPageResponse } from './page-request-and-response.ts'

/** Performs the action named in the path, and redirects to the overview. If that is not possible, shows a notice. */
export function performSandboxOverviewAction(visit: SandboxPageRequest): SandboxPageResponse {
  const { store, faultInjector, form } = visit
  const id = form.get('id') ?? ''
  const number = (name: string) => Number(form.get(name) ?? '')
  const set = (asked: object) => {
    const { calls, webhooks } = testControlSchema.parse(asked)
    if (calls) faultInjector.calls.push(...calls)
    if (webhooks) faultInjector.webhooks = webhooks
  }
  const [how, when] = (form.get('what') ?? '').split(' ')
  const actions: Record<string, () => void> = {
    dispute: () => openDispute(store, id, 'fraudulent'),
    prevent: () => openDispute(store, id, 'fraudulent', { prevented: true }),
    payout: () => payOutWholeBalance(store, id),
    days: () => advanceClockHours(store, 24 * Math.min(365, Math.max(1, number('days')))),
    won: () => settleDispute(store, id, 'won'),
    lost: () => settleDispute(store, id, 'lost'),
    succeeded: () => settleRefund(store, id, 'succeeded'),
    failed: () => settleRefund(store, id, 'failed'),
    card: () => setCardBehavior(store, id, form.get('number') ?? ''),
    calls: () => set({ calls: [{ how, when, times: number('times'), match: form.get('match')?.trim() ?? '', ms: 5000 }] }),
    webhooks: () =>
      set({ webhooks: { delay: number('delay'), copies: number('copies'), order: form.get('order'), hold: form.get('hold') === 'true' } }),
    reset: () => faultInjector.reset(),
  }
  try {
    if (visit.at[0] === 'resend' && store.get('event', id)) visit.resend(id)
    else store.transaction(actions[visit.at[0]!] ?? (() => {}))
  } catch (e) {
    const back = { href: '/', label: 'Back to the overview' }
    if (e instanceof StripeError) return noticePage('That did not work', e.message, { status: 400, link: back })
    if (e instanceof Error && e.name === 'ZodError')
      return noticePage('That did not work', 'One of the values is out of range.', { status: 422, link: back })
    throw e
  }
  return { redirect: '/' }
}

import { resumePaymentIntentAfterAuthentication } from '../resources/payment-intent-confirmation.ts'
import { resumeSetupIntentAfterAuthentication } from '../resources/setup-intents.ts'
import { StripeError } from '../stripe-error.ts'
import { checkoutSessionOfIntent } from './checkout.ts'
import { cardBrandName, formatMoney, html } from './html-template-and-formatting.ts'
import { notFoundPage, noticePage, type SandboxPageRequest, type SandboxPageResponse } from './page-request-and-response.ts'

/** The bank's 3-D Secure page, where the cardholder confirms or refuses a payment, or the saving of a card. */
export function handleBankAuthenticationPage({ store, at, method, form, origin }: SandboxPageRequest): SandboxPageResponse {
  const [id, token] = at as [string, string]
  const intent = store.get('payment_intent', id) ?? store.get('setup_intent', id)
  if (!intent || intent.client_secret !== `${id}_secret_${token}`) return notFoundPage
  const back = intent.next_action?.redirect_to_url?.return_url
  if (intent.status !== 'requires_action' || !back)
    return noticePage('Nothing left to do here', 'Your bank has your answer already. You can go back to DiamondLink.')
  if (method === 'POST') return { redirect: withResult(back, answer()) }

  function answer() {
    const yes = form.get('answer') === 'complete'
    try {
      const done = store.transaction(() =>
        intent!.object === 'payment_intent'
          ? resumePaymentIntentAfterAuthentication(store, intent!, yes, origin)
          : resumeSetupIntentAfterAuthentication(store, intent!, yes, origin),
      )
      return done.status === 'succeeded' ? 'succeeded' : 'failed'
    } catch (e) {
      if (e instanceof StripeError) return 'failed'
      throw e
    }
  }
  function withResult(url: string, result: string) {
    const to = new URL(url)
    to.searchParams.set(intent!.object, id)
    to.searchParams.set(`${intent!.object}_client_secret`, intent!.client_secret!)
    to.searchParams.set('redirect_status', result)
    return to.href
  }

  const card = store.get('payment_method', intent.payment_method as string)!.card!
  return {
    title: 'Confirm with your bank',
    leadsTo: [back, checkoutSessionOfIntent(store, id)?.session.success_url],
    body: html`<main class="narrow">
      <div class="card bank">
        <p class="eyebrow">Sandbox Bank · 3-D Secure</p>
        <h1>Is this you?</h1>
        <dl>
          <div><dt>Merchant</dt><dd>DiamondLink</dd></div>
          <div><dt>Card</dt><dd>${cardBrandName(card.brand)} ending in ${card.last4}</dd></div>
          <div><dt>Amount</dt><dd>${intent.object === 'payment_intent' ? formatMoney(intent.amount) : 'Nothing now'}</dd></div>
        </dl>
        ${intent.object === 'setup_intent' && html`<p class="soft">Your card is being saved for later payments.</p>`}
        <form method="post">
          <button class="button" name="answer" value="complete">Complete authentication</button>
          <button class="button quiet" name="answer" value="fail">Fail authentication</button>
        </form>
        <p class="hint">A real bank would ask for a code or a fingerprint here.</p>
      </div>
    </main>`,
  }
}

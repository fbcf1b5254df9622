import { accountBalanceCents } from '../calculate-account-balance-and-pay-out.ts'
import { platformBalanceOf } from '../resources/balance.ts'
import type { SandboxStore } from '../store.ts'
import { testCards } from '../test-cards.ts'
import { faultInjectionForms, htmlSelectOptions } from './fault-injection-forms.ts'
import { cardBrandName, formatMoney, html, timeElement } from './html-template-and-formatting.ts'
import type { SandboxPageRequest, SandboxPageResponse } from './page-request-and-response.ts'
import { type HtmlTableCell, htmlTable } from './table.ts'

const LISTED_ROWS = 25
const last = <T>(all: T[]) => all.slice(-LISTED_ROWS).reverse()

/** A section of the page with a table, or with a sentence if it has no rows. */
const part = (id: string, title: string, heads: string[], rows: HtmlTableCell[][], nothing: string, total = rows.length) =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title} <span class="count">${total}</span></h2>
    ${rows.length === 0 ? html`<p class="nothing">${nothing}</p>` : htmlTable(title, heads, rows)}
    ${total > rows.length && html`<p class="hint">The latest ${rows.length} of ${total}.</p>`}</section>`

const code = (id: unknown) => html`<code>${String(id ?? '–')}</code>`
const pill = (status: string | null) =>
  html`<span class="pill ${(status ?? '').replaceAll(/[^a-z_]/g, '')}">${(status ?? '').replaceAll('_', ' ')}</span>`
/** A button that submits one action. */
const act = (action: string, id: string, label: string, about: string) =>
  html`<form method="post" action="/_/${action}"><input type="hidden" name="id" value="${id}"><button class="small" aria-label="${label}: ${about}">${label}</button></form>`

function cards(store: SandboxStore) {
  const behaviours: [string, string][] = testCards.map(c => [c.number, c.does])
  return last(store.all('payment_method').filter(m => m.customer)).map((m): HtmlTableCell[] => {
    const vault = store.get('vault', m.id)!
    return [
      html`${cardBrandName(m.card!.brand)} •••• ${m.card!.last4}`,
      code(m.id),
      code(m.customer),
      html`<form method="post" action="/_/card" class="inline"><input type="hidden" name="id" value="${m.id}">
        <select name="number" aria-label="From now on ${m.id}">${htmlSelectOptions(behaviours, vault.behavesAs ?? vault.number)}</select>
        <button class="small">Set</button></form>`,
    ]
  })
}

function payments(store: SandboxStore) {
  return last(store.all('payment_intent')).map((p): HtmlTableCell[] => {
    const charge = p.latest_charge ? store.get('charge', p.latest_charge as string) : undefined
    const why = p.last_payment_error?.decline_code ?? p.last_payment_error?.code
    const status = charge?.disputed ? 'disputed' : charge?.refunded ? 'refunded' : p.status
    return [
      timeElement(p.created),
      formatMoney(p.amount),
      html`${pill(status)} ${p.status !== 'succeeded' && why && html`<span class="soft">${why.replaceAll('_', ' ')}</span>`}`,
      html`${code(p.id)}${charge && html`<br>${code(charge.id)}`}${p.customer && html`<br>${code(p.customer)}`}`,
      charge?.paid && !charge.disputed && !charge.refunded
        ? html`<span class="inline">${act('dispute', charge.id, 'Open a dispute', charge.id)}${act('prevent', charge.id, 'Prevent a dispute', charge.id)}</span>`
        : '',
    ]
  })
}

function events(store: SandboxStore) {
  return last(store.all('event')).map((e): HtmlTableCell[] => {
    const waiting = store.get('delivery', e.id)
    const done = store.get('delivered', e.id)
    const state = waiting ? (waiting.attempts ? `waiting, ${waiting.attempts} failed: ${waiting.last}` : 'waiting') : (done?.last ?? '')
    const { id } = e.data.object as { id?: string }
    return [timeElement(e.created), e.type, html`${code(e.id)}<br>${code(id)}`, state, act('resend', e.id, 'Send again', e.id)]
  })
}

const sections = [
  ['payments', 'Payments'],
  ['cards', 'Saved cards'],
  ['disputes', 'Disputes'],
  ['refunds', 'Refunds'],
  ['transfers', 'Transfers'],
  ['accounts', 'Payout accounts'],
  ['customers', 'Customers'],
  ['events', 'Events'],
  ['trouble', 'Make trouble'],
] as const

/** The overview of all the sandbox's data, with buttons that trigger events. */
export function overviewPage(visit: SandboxPageRequest): SandboxPageResponse {
  const { store } = visit
  const { available, pending } = platformBalanceOf(store)
  const all = {
    customers: store.all('customer'),
    transfers: store.all('transfer'),
    refunds: store.all('refund'),
    disputes: store.all('dispute'),
    accounts: store.all('account'),
  }
  const body = html`<main class="wide">
    <h1>Stripe sandbox</h1>
    <nav aria-label="On this page">${sections.map(([id, name]) => html`<a href="#${id}">${name}</a>`)}</nav>
    <p class="soft">Balance ${formatMoney(available)}, and ${formatMoney(pending)} pending · Webhooks go to <code>${visit.webhookUrl}</code></p>
    ${part('payments', 'Payments', ['Time (UTC)', 'n:Amount', 'Status', 'Intent, charge, customer', 'Action'], payments(store), 'No payments yet.', store.all('payment_intent').length)}
    ${part('cards', 'Saved cards', ['Card', 'Payment method', 'Customer', 'From now on'], cards(store), 'No saved cards yet.')}
    ${part(
      'disputes',
      'Disputes',
      ['Time (UTC)', 'n:Amount', 'Status', 'Dispute', 'Charge', 'Action'],
      last(all.disputes).map(d => [
        timeElement(d.created),
        formatMoney(d.amount),
        pill(d.status),
        code(d.id),
        code(d.charge),
        d.status === 'won' || d.status === 'prevented'
          ? ''
          : html`<span class="inline">${act('won', d.id, 'Won', d.id)}${d.status !== 'lost' && act('lost', d.id, 'Lost', d.id)}</span>`,
      ]),
      'No disputes. Open one from a payment above.',
      all.disputes.length,
    )}
    ${part(
      'refunds',
      'Refunds',
      ['Time (UTC)', 'n:Amount', 'Status', 'Refund', 'Charge', 'Action'],
      last(all.refunds).map(r => [
        timeElement(r.created),
        formatMoney(r.amount),
        pill(r.status),
        code(r.id),
        code(r.charge),
        html`<span class="inline">${r.status === 'pending' && act('succeeded', r.id, 'Succeed', r.id)}${r.status !== 'failed' && act('failed', r.id, 'Fail', r.id)}</span>`,
      ]),
      'No refunds yet.',
      all.refunds.length,
    )}
    ${part(
      'transfers',
      'Transfers',
      ['Time (UTC)', 'n:Amount', 'n:Taken back', 'Transfer', 'To', 'Group'],
      last(all.transfers).map(t => [
        timeElement(t.created),
        formatMoney(t.amount),
        formatMoney(t.amount_reversed),
        code(t.id),
        code(t.destination),
        code(t.transfer_group),
      ]),
      'No transfers yet.',
      all.transfers.length,
    )}
    ${part(
      'accounts',
      'Payout accounts',
      ['E-mail', 'Account', 'State', 'n:Balance', 'Action'],
      last(all.accounts).map(a => [
        a.email ?? '–',
        code(a.id),
        pill(a.payouts_enabled ? 'payouts enabled' : a.details_submitted ? 'needs a bank account' : 'unfinished'),
        formatMoney(accountBalanceCents(store, a.id)),
        a.payouts_enabled ? act('payout', a.id, 'Pay out', a.id) : '',
      ]),
      'No payout accounts yet.',
      all.accounts.length,
    )}
    ${part(
      'customers',
      'Customers',
      ['Time (UTC)', 'Customer', 'Metadata'],
      last(all.customers).map(c => [timeElement(c.created), code(c.id), html`<code>${JSON.stringify(c.metadata)}</code>`]),
      'No customers yet.',
      all.customers.length,
    )}
    ${part('events', 'Events', ['Time (UTC)', 'Type', 'Event and object', 'Webhook', 'Action'], events(store), 'No events yet.', store.all('event').length)}
    ${faultInjectionForms(visit.faultInjector)}
  </main>`
  return { title: 'Overview', body }
}

import { testCards } from '../cards.ts'
import { controlSchema } from '../control.ts'
import { Fault } from '../fault.ts'
import { available } from '../resources/balance.ts'
import { openDispute, settleDispute } from '../resources/disputes.ts'
import { behaveAs } from '../resources/methods.ts'
import type { Store } from '../store.ts'
import { html, Markup, money, time } from './html.ts'
import { notice, type Shown, type Visit } from './visit.ts'

const LAST = 50
const last = <T>(all: T[]) => all.slice(-LAST).reverse()

type Cell = Markup | string | number | null
/** `n:` before a heading sets its column in figures. */
function table(id: string, title: string, heads: string[], rows: Cell[][], nothing: string, total = rows.length) {
  const cell = (tag: string, i: number, of: Cell) =>
    html`${new Markup(`<${tag}${heads[i]!.startsWith('n:') ? ' class="n"' : ''}>`)}${of}${new Markup(`</${tag}>`)}`
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title} <span class="count">${total}</span></h2>
    ${
      rows.length === 0
        ? html`<p class="nothing">${nothing}</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}"><table>
      <thead><tr>${heads.map((h, i) => cell('th', i, h.replace('n:', '')))}</tr></thead>
      <tbody>${rows.map(r => html`<tr>${r.map((c, i) => cell('td', i, c))}</tr>`)}</tbody>
    </table></div>`
    }
    ${total > rows.length && html`<p class="hint">The latest ${rows.length} of ${total}.</p>`}</section>`
}

const code = (id: unknown) => html`<code>${String(id ?? '–')}</code>`
const pill = (status: string | null) =>
  html`<span class="pill ${(status ?? '').replaceAll(/[^a-z_]/g, '')}">${(status ?? '').replaceAll('_', ' ')}</span>`
/** A button that does one thing. */
const act = (action: string, id: string, label: string, about: string) =>
  html`<form method="post" action="/_/${action}"><input type="hidden" name="id" value="${id}"><button class="small" aria-label="${label}: ${about}">${label}</button></form>`

const options = (values: [string, string][], selected?: string) =>
  values.map(([value, label]) => html`<option value="${value}" ${value === selected && new Markup('selected')}>${label}</option>`)

function cards(store: Store) {
  const behaviours: [string, string][] = testCards.map(c => [c.number, c.does])
  return last(store.all('payment_method').filter(m => m.customer)).map((m): Cell[] => {
    const vault = store.get('vault', m.id)!
    return [
      html`${m.card!.brand} •••• ${m.card!.last4}`,
      code(m.id),
      code(m.customer),
      html`<form method="post" action="/_/card" class="inline"><input type="hidden" name="id" value="${m.id}">
        <select name="number" aria-label="From now on ${m.id}">${options(behaviours, vault.behavesAs ?? vault.number)}</select>
        <button class="small">Set</button></form>`,
    ]
  })
}

function payments(store: Store) {
  return last(store.all('payment_intent')).map((p): Cell[] => {
    const charge = p.latest_charge ? store.get('charge', p.latest_charge as string) : undefined
    const why = p.last_payment_error?.decline_code ?? p.last_payment_error?.code
    const status = charge?.disputed ? 'disputed' : charge?.refunded ? 'refunded' : p.status
    return [
      time(p.created),
      money(p.amount),
      html`${pill(status)} ${p.status !== 'succeeded' && why && html`<span class="soft">${why.replaceAll('_', ' ')}</span>`}`,
      html`${code(p.id)}<br>${charge && code(charge.id)}`,
      code(p.customer),
      charge?.paid && !charge.disputed && !charge.refunded ? act('dispute', charge.id, 'Open a dispute', charge.id) : '',
    ]
  })
}

function events(store: Store) {
  return last(store.all('event')).map((e): Cell[] => {
    const waiting = store.get('delivery', e.id)
    const done = store.get('delivered', e.id)
    const state = waiting ? (waiting.attempts ? `waiting, ${waiting.attempts} failed: ${waiting.last}` : 'waiting') : (done?.last ?? '')
    const { id } = e.data.object as { id?: string }
    return [time(e.created), e.type, html`${code(e.id)}<br>${code(id)}`, state, act('resend', e.id, 'Send again', e.id)]
  })
}

function misfortune({ control }: Visit) {
  const { hold, delay, copies, order } = control.webhooks
  return html`<section aria-labelledby="trouble"><h2 id="trouble">Make trouble</h2>
    <div class="panels">
      <form class="card" method="post" action="/_/calls">
        <h3>The next API calls</h3>
        <div class="row">
          <label>How many <input name="times" type="number" min="1" max="1000" value="1"></label>
          <label>What happens <select name="what">${options([
            ['error before', 'Answer 500'],
            ['error after', 'Do the work, answer 500'],
            ['drop before', 'Drop the connection'],
            ['drop after', 'Do the work, drop the connection'],
            ['hang before', 'Never answer'],
            ['hang after', 'Do the work, never answer'],
            ['slow before', 'Answer after 5 seconds'],
            ['busy before', 'Too many requests (429)'],
          ])}</select></label>
          <label>Only those that begin with <input name="match" placeholder="POST /v1/payment_intents"></label>
        </div>
        <button class="small">Set</button>
        ${control.calls.map(r => html`<p class="hint">${r.times} × ${r.how} ${r.when} ${r.match || 'any call'}</p>`)}
      </form>
      <form class="card" method="post" action="/_/webhooks">
        <h3>Webhooks</h3>
        <div class="row">
          <label>Delay (ms) <input name="delay" type="number" min="0" max="600000" value="${delay}"></label>
          <label>Copies of each <input name="copies" type="number" min="1" max="10" value="${copies}"></label>
          <label>Order <select name="order">${options(
            [
              ['sent', 'As they happened'],
              ['reversed', 'Latest first'],
              ['random', 'Random'],
            ],
            order,
          )}</select></label>
          <label class="check"><input name="hold" type="checkbox" value="true" ${hold && new Markup('checked')}> Keep them back</label>
        </div>
        <button class="small">Set</button>
      </form>
    </div>
    <form method="post" action="/_/reset"><button class="small">Stop all trouble</button></form></section>`
}

/** All that the sandbox knows, and the buttons that make things happen. */
export function overviewPage(visit: Visit): Shown {
  const { store } = visit
  const all = {
    customers: store.all('customer'),
    transfers: store.all('transfer'),
    refunds: store.all('refund'),
    disputes: store.all('dispute'),
    accounts: store.all('account'),
  }
  const body = html`<main class="wide">
    <h1>Stripe sandbox</h1>
    <p class="soft">Balance ${money(available(store))} · Webhooks go to <code>${visit.webhookUrl}</code></p>
    ${table('payments', 'Payments', ['Time (UTC)', 'n:Amount', 'Status', 'Intent and charge', 'Customer', ''], payments(store), 'No payments yet.', store.all('payment_intent').length)}
    ${table('cards', 'Saved cards', ['Card', 'Payment method', 'Customer', 'From now on'], cards(store), 'No saved cards yet.')}
    ${table(
      'disputes',
      'Disputes',
      ['Time (UTC)', 'n:Amount', 'Status', 'Dispute', 'Charge', ''],
      last(all.disputes).map(d => [
        time(d.created),
        money(d.amount),
        pill(d.status),
        code(d.id),
        code(d.charge),
        d.status === 'won' || d.status === 'lost'
          ? ''
          : html`<span class="inline">${act('won', d.id, 'Won', d.id)}${act('lost', d.id, 'Lost', d.id)}</span>`,
      ]),
      'No disputes. Open one from a payment above.',
      all.disputes.length,
    )}
    ${table(
      'refunds',
      'Refunds',
      ['Time (UTC)', 'n:Amount', 'Status', 'Refund', 'Charge'],
      last(all.refunds).map(r => [time(r.created), money(r.amount), pill(r.status), code(r.id), code(r.charge)]),
      'No refunds yet.',
      all.refunds.length,
    )}
    ${table(
      'transfers',
      'Transfers',
      ['Time (UTC)', 'n:Amount', 'n:Taken back', 'Transfer', 'To', 'Group'],
      last(all.transfers).map(t => [
        time(t.created),
        money(t.amount),
        money(t.amount_reversed),
        code(t.id),
        code(t.destination),
        code(t.transfer_group),
      ]),
      'No transfers yet.',
      all.transfers.length,
    )}
    ${table(
      'accounts',
      'Payout accounts',
      ['E-mail', 'Account', 'State'],
      last(all.accounts).map(a => [
        a.email ?? '–',
        code(a.id),
        pill(a.payouts_enabled ? 'payouts enabled' : a.details_submitted ? 'needs a bank account' : 'unfinished'),
      ]),
      'No payout accounts yet.',
      all.accounts.length,
    )}
    ${table(
      'customers',
      'Customers',
      ['Time (UTC)', 'Customer', 'Metadata'],
      last(all.customers).map(c => [time(c.created), code(c.id), html`<code>${JSON.stringify(c.metadata)}</code>`]),
      'No customers yet.',
      all.customers.length,
    )}
    ${table('events', 'Events', ['Time (UTC)', 'Type', 'Event and object', 'Webhook', ''], events(store), 'No events yet.', store.all('event').length)}
    ${misfortune(visit)}
  </main>`
  return { title: 'Overview', body }
}

/** What the buttons of the overview do. */
export function overviewAction(visit: Visit): Shown {
  const { store, control, form } = visit
  const id = form.get('id') ?? ''
  const number = (name: string) => Number(form.get(name) ?? '')
  const set = (asked: object) => {
    const { calls, webhooks } = controlSchema.parse(asked)
    if (calls) control.calls.push(...calls)
    if (webhooks) control.webhooks = webhooks
  }
  const [how, when] = (form.get('what') ?? '').split(' ')
  const actions: Record<string, () => void> = {
    dispute: () => openDispute(store, id, 'fraudulent'),
    won: () => settleDispute(store, id, 'won'),
    lost: () => settleDispute(store, id, 'lost'),
    card: () => behaveAs(store, id, form.get('number') ?? ''),
    calls: () => set({ calls: [{ how, when, times: number('times'), match: form.get('match')?.trim() ?? '', ms: 5000 }] }),
    webhooks: () =>
      set({ webhooks: { delay: number('delay'), copies: number('copies'), order: form.get('order'), hold: form.get('hold') === 'true' } }),
    reset: () => control.reset(),
  }
  try {
    if (visit.at[0] === 'resend' && store.get('event', id)) visit.resend(id)
    else store.transaction(actions[visit.at[0]!] ?? (() => {}))
  } catch (e) {
    const back = { href: '/', label: 'Back to the overview' }
    if (e instanceof Fault) return notice('That did not work', e.message, { status: 400, link: back })
    if (e instanceof Error && e.name === 'ZodError')
      return notice('That did not work', 'One of the values is out of range.', { status: 422, link: back })
    throw e
  }
  return { redirect: '/' }
}

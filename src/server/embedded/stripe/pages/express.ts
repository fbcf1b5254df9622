import { accountOf } from '../resources/accounts.ts'
import { html, money, time } from './html.ts'
import { notFound, type Shown, type Visit } from './visit.ts'

/** What an instructor sees of their own account. */
export function expressPage({ store, at }: Visit): Shown {
  const link = store.get('link', at[1]!)
  if (link?.kind !== 'express' || link.account !== at[0] || link.expires < Date.now()) return notFound
  const account = accountOf(store, link.account)
  const transfers = store
    .all('transfer')
    .filter(t => t.destination === account.id)
    .reverse()
  const total = transfers.reduce((sum, t) => sum + t.amount - t.amount_reversed, 0)
  return {
    title: 'Your payouts',
    body: html`<main class="wide">
      <p class="eyebrow">Express dashboard</p>
      <h1>Your payouts</h1>
      <p class="soft">${account.email ?? account.id}</p>
      <p class="total">${money(total)}</p>
      <p class="soft">${account.payouts_enabled ? 'Paid to the bank account ending in 6789 each day.' : 'Add a bank account to be paid.'}</p>
      <h2>From DiamondLink</h2>
      ${
        transfers.length === 0
          ? html`<p class="nothing">Nothing yet. Transfers show up here once a player pays.</p>`
          : html`<div class="scroll"><table>
          <thead><tr><th>Date (UTC)</th><th>Transfer</th><th class="n">Amount</th><th class="n">Taken back</th></tr></thead>
          <tbody>${transfers.map(
            t =>
              html`<tr><td>${time(t.created)}</td><td><code>${t.id}</code></td><td class="n">${money(t.amount)}</td><td class="n">${t.amount_reversed > 0 ? money(t.amount_reversed) : '–'}</td></tr>`,
          )}</tbody>
        </table></div>`
      }
    </main>`,
  }
}

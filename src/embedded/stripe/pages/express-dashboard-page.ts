import { connectedAccountOf } from '../resources/accounts.ts'
import { formatMoney, html, timeElement } from './html-template-and-formatting.ts'
import { notFoundPage, type SandboxPageRequest, type SandboxPageResponse } from './page-request-and-response.ts'
import { htmlTable } from './table.ts'

/** The page on which an instructor sees their own payout account. */
export function expressDashboardPage({ store, at }: SandboxPageRequest): SandboxPageResponse {
  const link = store.get('link', at[1]!)
  if (link?.kind !== 'express' || link.account !== at[0] || link.expires < Date.now()) return notFoundPage
  const account = connectedAccountOf(store, link.account)
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
      <p class="total">${formatMoney(total)}</p>
      <p class="soft">${account.payouts_enabled ? 'Paid to the bank account ending in 6789 each day.' : 'Add a bank account to be paid.'}</p>
      <h2>From DiamondLink</h2>
      ${
        transfers.length === 0
          ? html`<p class="nothing">Nothing yet. Transfers show up here once a player pays.</p>`
          : htmlTable(
              'Transfers',
              ['Date (UTC)', 'Transfer', 'n:Amount', 'n:Taken back'],
              transfers.map(t => [
                timeElement(t.created),
                html`<code>${t.id}</code>`,
                formatMoney(t.amount),
                t.amount_reversed > 0 ? formatMoney(t.amount_reversed) : '–',
              ]),
            )
      }
    </main>`,
  }
}

import { randomUUID } from 'node:crypto'
import { disablePreloadedData, expect, test } from '../support/playwright-base-fixtures.ts'
import { signUpAsPlayer } from './api-setup.ts'

const DAY_MS = 24 * 3600_000
const daysBefore = (days: number) => new Date(Date.UTC(2026, 0, 30) - days * DAY_MS).toISOString()
const common = () => ({
  id: randomUUID(),
  player: randomUUID(),
  playerName: 'Mia Torres',
  card: { brand: 'visa', last4: '4242' },
  refunded: 0,
})
const paymentOf = (n: number) => ({
  ...common(),
  folder: randomUUID(),
  folderName: `Session ${n}`,
  instructor: randomUUID(),
  instructorName: 'Ray Ostrander',
  status: 'paid',
  items: [{ label: 'Feedback', cents: 1550 }],
  total: 1550,
  tip: 0,
  overdue: false,
  failure: null,
  share: 1240,
  transferred: null,
  opened: daysBefore(n),
  due: daysBefore(n - 7),
  paid: daysBefore(n),
  receipt: `DL-260101-0000${1000 + n}`,
})
const packageOf = (n: number) => ({
  ...common(),
  label: 'Single',
  folders: 1,
  cents: 1500,
  status: 'paid',
  bought: daysBefore(2 * n - 0.5),
  receipt: `DL-260101-0000${2000 + n}`,
})

test('past payments and packages load together, newest first and without a gap', { tag: '@sweep' }, async ({
  page,
  problems,
  shoot,
  accessible,
}) => {
  await signUpAsPlayer(page)
  await disablePreloadedData(page)
  // There is a payment every day, and a package every other day.
  const payments = Array.from({ length: 30 }, (_, n) => paymentOf(n + 1))
  const purchases = Array.from({ length: 30 }, (_, n) => packageOf(n + 1))
  await page.route('**/api/billing', route =>
    route.fulfill({
      json: {
        cards: [],
        credits: 2,
        payments: payments.slice(0, 25),
        settled: { total: 30, next: 'eyJ' },
        purchases: purchases.slice(0, 25),
        purchasePages: { total: 30, next: 'eyK' },
      },
    }),
  )
  await page.route('**/api/billing/settled?before=eyJ', route =>
    route.fulfill({ json: { payments: payments.slice(25), total: 30, next: null } }),
  )
  await page.route('**/api/billing/purchases?before=eyK', route =>
    route.fulfill({ json: { purchases: purchases.slice(25), total: 30, next: null } }),
  )
  await page.goto('/player/payment')
  const past = page.getByRole('region', { name: 'Paid' })
  const receipts = past.getByRole('link', { name: /^Receipt for/ })
  const newestFirst = [...payments, ...purchases]
    .map(p => ({ receipt: p.receipt, at: 'paid' in p ? p.paid : p.bought }))
    .sort((a, b) => b.at.localeCompare(a.at))
    .map(p => p.receipt)
  // Packages that are older than the 25 loaded payments are shown only once the next payments have loaded.
  await expect(receipts).toHaveText(newestFirst.slice(0, 37))
  await expect(past.getByText('37 of 60 shown')).toBeVisible()
  await shoot('player-payments-more')
  await accessible()
  await past.getByRole('button', { name: 'Show more' }).click()
  await expect(receipts).toHaveText(newestFirst)
  await expect(past.getByText('All 60 shown')).toBeFocused()

  // A package's receipt can be opened even if the package is not on the first page.
  problems.expect(/404/)
  const old = purchases.at(-1)!
  await page.route(`**/api/payments/${old.id}`, route => route.fulfill({ status: 404, json: { message: 'There is nothing here.' } }))
  await page.route(`**/api/purchases/${old.id}`, route => route.fulfill({ json: { ...old, books: null } }))
  await page.goto(`/player/payment?receipt=${old.id}`)
  await expect(page.getByRole('heading', { name: `Receipt ${old.receipt}` })).toBeAttached()
  await expect(page.getByText('Single, 1 session')).toBeVisible()
})

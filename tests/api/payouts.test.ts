import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { ORIGIN } from './test-server.ts'
import { textInDataExportOf } from './text-in-data-export.ts'

let t: ServerWithStripe
let admin: Awaited<ReturnType<ServerWithStripe['admin']>>
beforeAll(async () => {
  t = await startServerWithStripe()
  admin = await t.admin()
})
afterAll(() => t.end())

const earnings = async (who: TestUser) => (await who.call('GET', '/api/earnings')).body
const account = (who: TestUser) => who.call('POST', '/api/payouts/account')
const pay = async (player: TestUser, payment: string, tip = 0) => {
  expect((await player.call('POST', `/api/payments/${payment}/pay`, { tip, total: 1550 })).body.status).toBe('paid')
  await t.waitUntilIdle()
}
async function ready() {
  const instructor = await t.instructor()
  await t.onboard(instructor)
  await instructor.call('POST', '/api/payouts/refresh')
  return instructor
}

test('an instructor sees only their own earnings, transfers and waiting shares', async () => {
  const [instructor, other, player] = await Promise.all([ready(), ready(), t.player()])
  await t.saveCardOf(player)
  for (const tip of [0, 500]) await pay(player, (await t.createDeliveredFolder(player, instructor)).payment, tip)
  await pay(player, (await t.createDeliveredFolder(player, other)).payment)
  expect(await earnings(instructor)).toMatchObject({ earned: 2900, transferred: 2900, waiting: 0 })

  await t.control({ calls: [{ match: 'POST /v1/transfers', how: 'busy', times: 5 }] })
  const late = (await t.createDeliveredFolder(player, instructor)).payment
  const due = (await t.createDeliveredFolder(player, instructor)).payment
  expect((await player.call('POST', `/api/payments/${late}/pay`, { tip: 0, total: 1550 })).body.status).toBe('paid')
  await expect.poll(async () => (await earnings(instructor)).earned).toBe(4100)
  const all = await earnings(instructor)
  expect(all).toMatchObject({ earned: 4100, transferred: 2900, waiting: 1200, account: { status: 'ready', requirements: [] } })
  expect(all.payments).toHaveLength(4)
  expect(all.payments.find((p: { id: string }) => p.id === due)).toMatchObject({ status: 'due', share: 1200, paid: null })
  expect(await earnings(other)).toMatchObject({ earned: 1200, transferred: 1200, waiting: 0, payments: [{}] })
  // Only the player and administrators see which card paid.
  const cardFor = async (who: Pick<TestUser, 'call'>) => (await who.call('GET', `/api/payments/${late}`)).body.card
  expect(await Promise.all([player, admin, instructor].map(cardFor))).toEqual([
    { brand: 'visa', last4: '4242' },
    { brand: 'visa', last4: '4242' },
    null,
  ])
  expect(all.payments.map((p: { card: unknown }) => p.card)).toEqual([null, null, null, null])
  await t.control({ calls: [] })
  await t.makeDue('payment.share')
  expect(await earnings(instructor)).toMatchObject({ transferred: 4100, waiting: 0 })
})

test('a share that cannot be reversed becomes a debt deducted from the next share', async () => {
  const [instructor, player] = await Promise.all([ready(), t.player()])
  await t.saveCardOf(player)
  const gone = (await t.createDeliveredFolder(player, instructor)).payment
  await pay(player, gone)
  const { account } = (await t.stripe.transfers.list({ transfer_group: gone })).data.map(tr => ({ account: tr.destination as string }))[0]!
  await t.control({ payouts: [account] })
  const body = { refund: randomUUID(), cents: 1550, reason: 'Wrong folder' }
  expect((await admin.call('POST', `/api/admin/payments/${gone}/refund`, body)).status).toBe(204)
  await t.waitUntilIdle()
  expect(await earnings(instructor)).toMatchObject({ debt: 1200, earned: 0, payments: [{ status: 'refunded', owed: 1200, netted: 0 }] })
  const person = await admin.call('GET', `/api/admin/people/${instructor.id}`)
  const seenBy = async (who: Pick<TestUser, 'call'>) => (await who.call('GET', `/api/payments/${gone}`)).body.owed
  expect([person.body.debt, await seenBy(admin), await seenBy(instructor), await seenBy(player)]).toEqual([1200, 1200, 1200, null])

  const repaying = (await t.createDeliveredFolder(player, instructor)).payment
  await pay(player, repaying, 500)
  const after = await earnings(instructor)
  expect(after).toMatchObject({ debt: 0, earned: 1700, transferred: 1700 })
  expect(after.payments.map((p: { netted: number }) => p.netted)).toContain(1200)
  // The instructor's data export contains the debt; the player's contains neither the debt nor the provider's data.
  const earned = JSON.parse(await textInDataExportOf(t, instructor, 'Payments/earnings.json'))
  expect(earned.earned).toMatchObject([
    { id: repaying, netted: 1200 },
    { id: gone, owed: 1200 },
  ])
  const receipts = await textInDataExportOf(t, player, 'Payments/receipts.json')
  expect(JSON.parse(receipts).sessions).toMatchObject([{ id: repaying, tip: 500 }, { id: gone }])
  expect(receipts).not.toMatch(/netted|owed|disputes|refunding/)
})

test('a waived debt is not deducted; instructor and administrator see its reason', async () => {
  const [instructor, player] = await Promise.all([ready(), t.player()])
  await t.saveCardOf(player)
  const gone = (await t.createDeliveredFolder(player, instructor)).payment
  await pay(player, gone)
  const { account } = (await t.stripe.transfers.list({ transfer_group: gone })).data.map(tr => ({ account: tr.destination as string }))[0]!
  await t.control({ payouts: [account] })
  await admin.call('POST', `/api/admin/payments/${gone}/refund`, { refund: randomUUID(), cents: 1550, reason: 'Wrong folder' })
  await t.waitUntilIdle()
  const waive = (cents: number, waiver = randomUUID(), who: Pick<TestUser, 'call'> = admin, of = instructor.id) =>
    who.call('POST', `/api/admin/instructors/${of}/debt-waivers`, { waiver, cents, reason: 'We refunded it by mistake.' })
  expectRefusal(await waive(1201), 409, 'debt-changed')
  expectRefusal(await waive(1, randomUUID(), instructor), 403, 'forbidden')
  expectRefusal(await waive(1, randomUUID(), admin, randomUUID()), 404, 'not-found')
  const waiver = randomUUID()
  expect([(await waive(1200, waiver)).status, (await waive(1200, waiver)).status]).toEqual([204, 204])
  const waivers = [{ amount: 1200, reason: 'We refunded it by mistake.', at: expect.any(String) }]
  expect(await earnings(instructor)).toMatchObject({ debt: 0, waivers })
  expect((await admin.call('GET', `/api/admin/people/${instructor.id}`)).body).toMatchObject({ debt: 0, waivers })
  const { events } = (await admin.call('GET', '/api/admin/events?type=DebtWaived')).body
  expect(events).toMatchObject([{ stream: `payout-${instructor.id}`, data: { amount: 1200 }, about: { id: instructor.id } }])

  await pay(player, (await t.createDeliveredFolder(player, instructor)).payment, 500)
  expect(await earnings(instructor)).toMatchObject({ debt: 0, earned: 1700, transferred: 1700 })
  expect((await earnings(instructor)).payments.map((p: { netted: number }) => p.netted)).toEqual([0, 0])
})

test('an instructor opens one payout account; its links return to the earnings page', async () => {
  const instructor = await t.instructor()
  const { email } = (await instructor.call('GET', '/api/user')).body
  expect((await instructor.call('POST', '/api/payouts/refresh')).body).toEqual({ status: 'none' })
  const links = [await account(instructor), await account(instructor)].map(a => new URL(a.body.url))
  const ids = links.map(link => link.pathname.split('/')[3])
  expect(ids[0]).toBe(ids[1])
  expect((await t.stripe.accounts.retrieve(ids[0]!)).email).toBe(email)
  expect((await earnings(instructor)).account.status).toBe('started')

  const opened = async () => new URL((await fetch(links[0]!, { redirect: 'manual' })).headers.get('location')!, links[0])
  const page = await opened()
  const left = await t.submit(page.href, { action: 'leave' })
  expect(left.headers.get('location')).toBe(`${ORIGIN}/instructor/payments?back=1`)
  // A link works once.
  expect((await opened()).href).toBe(`${ORIGIN}/instructor/payments?refresh=1`)

  await t.onboard(instructor)
  expect((await instructor.call('POST', '/api/payouts/refresh')).body).toEqual({ status: 'ready' })
  const { body } = await account(instructor)
  expect(await (await fetch(body.url)).text()).toContain('Your payouts')
})

test('a payout account that could not be opened is opened by the next request', async () => {
  const instructor = await t.instructor()
  for (const how of ['error', 'busy']) {
    await t.control({ calls: [{ match: 'POST /v2/core/accounts', how }] })
    const answer = await account(instructor)
    expectRefusal(answer, 503, 'payments-away')
    expect(answer.headers.get('retry-after')).toBe('30')
  }
  expect((await account(instructor)).status).toBe(200)
})

test('the card and package pages state their purpose, and return to the right page', async () => {
  const player = await t.player()
  const session = (answer: { body: { url: string } }) => t.stripe.checkout.sessions.retrieve(/(cs_\w+)/.exec(answer.body.url)![1]!)
  const card = await session(await player.call('POST', '/api/cards/setup', { back: '/player/dashboard' }))
  expect(card).toMatchObject({ cancel_url: `${ORIGIN}/player/dashboard`, client_reference_id: player.id })
  for (const [type, name, folders] of [
    ['single', /feedback session$/, '1'],
    ['triple', /feedback sessions$/, '3'],
  ] as const) {
    const answer = await player.call('POST', '/api/packages/checkout', { package: type })
    const page = await session(answer)
    expect(page).toMatchObject({
      cancel_url: `${ORIGIN}/player/payment?package=${type}`,
      client_reference_id: player.id,
      customer: card.customer,
      metadata: { package: type, folders, player: player.id },
    })
    const { data } = await t.stripe.checkout.sessions.listLineItems(page.id)
    expect(data[0]!.description).toMatch(name)
    expect(data[0]!.description).toContain(`: ${folders} feedback`)
  }
  const { packages } = (await player.call('GET', '/api/packages')).body
  expect(packages.map((p: Record<string, unknown>) => [p.type, p.folders, p.cents])).toEqual([
    ['single', 1, 1500],
    ['triple', 3, 4200],
    ['season', 10, 13_000],
  ])
})

test('paying again opens a lost authentication page, which returns to the folder', async () => {
  const player = await t.player()
  await t.saveCardOf(player)
  const instructor = await t.instructor()
  const { payment, folder } = await t.createDeliveredFolder(player, instructor)
  const { cards } = (await player.call('GET', '/api/billing')).body
  await t.control({ cards: { [cards[0].id]: '4000002760003184' } })
  const pay = () => player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: 1550 }, { 'idempotency-key': key })
  const key = randomUUID()
  await t.control({ calls: [{ match: 'GET /v1/payment_intents', how: 'error' }] })
  const without = await pay()
  expect([without.status, without.body]).toMatchObject([200, { status: 'failed', failure: { reason: 'authentication-needed' }, url: null }])
  const { url } = (await pay()).body
  const back = await t.submit(url, { answer: 'fail' })
  const to = new URL(back.headers.get('location')!)
  expect([to.origin, to.pathname, to.searchParams.get('session'), to.searchParams.get('authenticated')]).toEqual([
    ...[ORIGIN, `/player/folder/${folder}`, payment, '1'],
  ])
})

test('an unknown package can neither be refunded nor read', async () => {
  const asked = { refund: randomUUID(), what: 'whole', cents: 1500, reason: 'The season is over.' }
  expectRefusal(await admin.call('POST', `/api/admin/purchases/${randomUUID()}/refund`, asked), 404, 'not-found')
  expectRefusal(await admin.call('GET', `/api/purchases/${randomUUID()}`), 404, 'not-found')
})

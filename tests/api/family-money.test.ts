import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { purchases } from '../../projections/package-purchases.ts'
import { createFolderWithVideo, expectRefusal, newReviewInput, type TestUser } from './full-server.ts'
import {
  approveSession,
  readFamilyMoney,
  type ServerWithFamilies,
  setMonthlyLimit,
  startServerWithFamilyHelpers,
} from './server-with-families.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

let t: ServerWithFamilies['t']
let coach: ServerWithFamilies['coach']
let families: ServerWithFamilies['families']
beforeAll(async () => {
  ;({ t, coach, families } = await startServerWithFamilyHelpers())
})
afterAll(() => t.end())

const family = (more?: { card?: boolean }) => families.family(more)
const requestSession = (leo: TestUser) => families.requestSession(leo)
const customerOf = async (owner: string) =>
  (await t.deps.store.read(`wallet-${owner}`)).find(e => e.type === 'CustomerMade')!.data as { customer: string }

describe('a session of a minor', () => {
  test('is requested at the price the player saw, and assigned once approved', async () => {
    const { leo, maria } = await family()
    const { assignment, folder, answer, shown } = await requestSession(leo)
    expect(answer.status).toBe(204)
    expect(await shown()).toMatchObject({
      status: 'open',
      approval: { id: assignment, status: 'pending', quote: { total: 1550, atMost: 2500 } },
    })
    const { approvals } = await readFamilyMoney(maria)
    expect(approvals).toMatchObject([
      {
        id: assignment,
        folder,
        player: { id: leo.id },
        message: 'Is my elbow too high?',
        quote: { total: 1550, atMost: 2500 },
        checks: expect.any(Array),
      },
    ])
    expect((await approveSession(maria, assignment)).status).toBe(204)
    expect(await shown()).toMatchObject({ status: 'assigned', approval: null, instructor: { id: coach.id } })
    expect((await readFamilyMoney(maria)).approvals).toEqual([])
    expect((await maria.call('GET', `/api/family/approvals/${assignment}`)).body).toMatchObject({ id: assignment, status: 'approved' })
    // Approving again changes nothing.
    expect((await approveSession(maria, assignment)).status).toBe(204)
  })

  test('stays with the player after a refusal; they see the reason and may ask again', async () => {
    const { leo, maria } = await family()
    const { assignment, folder, shown } = await requestSession(leo)
    const no = { reason: 'Let us wait for the season.' }
    expect((await maria.call('POST', `/api/family/approvals/${assignment}/decline`, no)).status).toBe(204)
    expect(await shown()).toMatchObject({ status: 'open', approval: { status: 'declined', reason: no.reason } })
    expectRefusal(await approveSession(maria, assignment), 409, 'request-over')
    const again = { assignment: randomUUID(), instructor: coach.id }
    expect((await leo.call('POST', `/api/folders/${folder}/assign`, again)).status).toBe(204)
    expect(await shown()).toMatchObject({ approval: { id: again.assignment, status: 'pending' } })
  })

  test('can be withdrawn until the guardian answers', async () => {
    const { leo, maria } = await family()
    const { assignment, folder, shown } = await requestSession(leo)
    expect((await leo.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
    expect(await shown()).toMatchObject({ status: 'open', approval: null })
    expectRefusal(await approveSession(maria, assignment), 409, 'request-over')
  })

  test("needs the guardian's card, even if the minor has saved one", async () => {
    const { leo, maria } = await family({ card: false })
    await t.saveCard(leo.id)
    const { assignment } = await requestSession(leo)
    const ask = 'Add a card first, then approve. It is charged only after the feedback.'
    expectRefusal(await approveSession(maria, assignment), 409, 'card-needed', ask)
    await families.addCard(maria)
    expect((await approveSession(maria, assignment)).status).toBe(204)
  })

  test('can be answered only by the guardian of the child', async () => {
    const [{ leo }, other] = [await family(), await family()]
    const { assignment } = await requestSession(leo)
    expect((await approveSession(other.maria, assignment)).status).toBe(404)
    expect((await other.maria.call('POST', `/api/family/approvals/${assignment}/decline`, { reason: 'No' })).status).toBe(404)
    expect((await readFamilyMoney(other.maria)).approvals).toEqual([])
    expect((await other.maria.call('GET', `/api/family/approvals/${assignment}`)).status).toBe(404)
  })

  test.each<[string, (ray: TestUser) => Promise<{ status: number }>]>([
    [
      'is suspended',
      async ray => (await t.admin()).call('POST', `/api/admin/instructors/${ray.id}/suspend`, { reason: 'A parent wrote.' }),
    ],
    ['leaves', ray => ray.call('POST', '/api/account/deletion', { password: newPlayerInput().password })],
  ])('is canceled without an answer if the instructor %s', async (_, end) => {
    const [{ leo, maria }, ray] = [await family(), await t.instructor()]
    const { folder } = await createFolderWithVideo(leo)
    const assignment = randomUUID()
    await leo.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: ray.id })
    expect((await end(ray)).status).toBe(204)
    await t.waitUntilIdle()
    expect((await leo.call('GET', `/api/folders/${folder}`)).body.approval).toMatchObject({ status: 'lapsed', reason: 'instructor' })
    expectRefusal(await approveSession(maria, assignment), 409, 'request-over')
  })
})

describe('a monthly limit', () => {
  test('approves sessions within the limit, and asks the guardian about all others', async () => {
    const { leo, maria } = await family()
    await setMonthlyLimit(maria, leo, 4000)
    const first = await requestSession(leo)
    expect(await first.shown()).toMatchObject({ status: 'assigned', approval: null })
    expect((await readFamilyMoney(maria)).children).toMatchObject([{ monthly: 4000, spent: 2500 }])
    const second = await requestSession(leo)
    expect(await second.shown()).toMatchObject({ status: 'open', approval: { status: 'pending' } })
    // Withdrawing the first folder frees the part of the monthly limit that its session used.
    await leo.call('POST', `/api/folders/${first.folder}/withdraw`)
    await t.waitUntilIdle()
    expect((await readFamilyMoney(maria)).children).toMatchObject([{ spent: 0 }])
    const third = await requestSession(leo)
    expect(await third.shown()).toMatchObject({ status: 'assigned' })
  })

  test('still asks for approval if the guardian has no card', async () => {
    const { leo, maria } = await family({ card: false })
    await setMonthlyLimit(maria, leo, 9000)
    expect(await (await requestSession(leo)).shown()).toMatchObject({ status: 'open', approval: { status: 'pending' } })
  })

  test('counts the actual bill as soon as there is one', async () => {
    const { leo, maria } = await family()
    await setMonthlyLimit(maria, leo, 4000)
    const { folder, video } = await requestSession(leo)
    await coach.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))
    await t.waitUntilIdle()
    expect((await readFamilyMoney(maria)).children).toMatchObject([{ spent: 1550 }])
  })
})

describe('the bill of a minor', () => {
  test('is paid by the guardian, with their card and a tip, and never by the minor', async () => {
    const { leo, maria, id, payment } = await families.familyWithBill()
    expect((await readFamilyMoney(maria)).payments).toMatchObject([{ id: payment, status: 'due', total: 1550 }])
    expectRefusal(await leo.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: 1550 }), 409, 'guardian-pays')
    const paid = await maria.call('POST', `/api/family/payments/${payment}/pay`, { tip: 300, total: 1550 })
    expect([paid.status, paid.body.status]).toEqual([200, 'paid'])
    const attempted = (await t.deps.store.read(`payment-${payment}`)).find(e => e.type === 'PaymentAttempted')!
    expect(attempted.data).toMatchObject({ by: 'guardian', amount: 1850 })
    expect(attempted.data).toMatchObject(await customerOf(id))
  })

  test("is charged to the guardian's card after a week", async () => {
    const { payment, id } = await families.familyWithBill()
    await t.makeDue('payment.collect')
    const events = await t.deps.store.read(`payment-${payment}`)
    expect(events.find(e => e.type === 'PaymentAttempted')!.data).toMatchObject({ by: 'schedule' })
    expect(events.find(e => e.type === 'PaymentAttempted')!.data).toMatchObject(await customerOf(id))
    expect(events.at(-1)!.type).toMatch(/PaymentSucceeded|ShareHeld|TransferMade/)
  })

  test('keeps the guardian from removing their last card until the bill is paid', async () => {
    const { maria, payment } = await families.familyWithBill()
    const [{ id: card }] = (await readFamilyMoney(maria)).cards
    expectRefusal(await maria.call('DELETE', `/api/family/cards/${card}`), 409, 'card-in-use')
    await maria.call('POST', `/api/family/payments/${payment}/pay`, { tip: 0, total: 1550 })
    await t.waitUntilIdle()
    // Each assignment blocks the removal of the last card for ten minutes, even if the assignment ends sooner.
    t.advanceClock(11 * 60_000)
    expect((await maria.call('DELETE', `/api/family/cards/${card}`)).status).toBe(204)
  })

  test('stops the minor from requesting more sessions while it is overdue', async () => {
    const { leo, maria, payment } = await families.familyWithBill()
    t.advanceClock(8 * 24 * 3600_000)
    const { folder } = await createFolderWithVideo(leo)
    const refused = await leo.call('POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: coach.id })
    t.advanceClock(-8 * 24 * 3600_000)
    expectRefusal(refused, 409, 'overdue')
    expect(refused.body.message).toContain('parent or guardian')
    await maria.call('POST', `/api/family/payments/${payment}/pay`, { tip: 0, total: 1550 })
  })

  test('is mentioned to the minor only as unpaid, not as theirs to pay', async () => {
    const { leo, folder, video } = await families.familyWithBill()
    const { obstacle } = (await leo.call('GET', '/api/account/deletion')).body
    expect(obstacle).toBe('You received feedback that has not been paid for yet. Ask your parent or guardian to pay for it first.')
    const change = await leo.call('DELETE', `/api/folders/${folder}/videos/${video}`)
    expectRefusal(change, 409, 'payment-due', 'The feedback on this folder has not been paid for yet. It has to be paid for first.')
  })

  test('cannot be read or paid by another guardian', async () => {
    const [{ payment }, other] = [await families.familyWithBill(), await family()]
    expect((await other.maria.call('POST', `/api/family/payments/${payment}/pay`, { tip: 0, total: 1550 })).status).toBe(404)
    expect((await readFamilyMoney(other.maria)).payments).toEqual([])
  })
})

describe('cards and packages of a minor', () => {
  test('a minor can neither save a card nor buy a package', async () => {
    const { leo } = await family()
    expectRefusal(await leo.call('POST', '/api/cards/setup', { back: '/player/payment' }), 409, 'guardian-pays')
    expectRefusal(await leo.call('POST', '/api/packages/checkout', { package: 'triple' }), 409, 'minor')
  })

  test('a card that a minor once saved is usable only after the guardian takes it over', async () => {
    const { leo, maria, id } = await family({ card: false })
    await t.sql`update users set born = '1990-01-01' where id = ${leo.id}`
    const card = await t.saveCardOf(leo)
    await t.sql`update users set born = ${birthDateForAge(15)} where id = ${leo.id}`
    expect((await readFamilyMoney(maria)).children).toMatchObject([{ cards: [{ id: card.id }] }])
    const other = await family()
    expect((await other.maria.call('POST', `/api/family/cards/${card.id}/take-over`)).status).toBe(404)
    for (let again = 0; again < 2; again++) expect((await maria.call('POST', `/api/family/cards/${card.id}/take-over`)).status).toBe(204)
    expect(await readFamilyMoney(maria)).toMatchObject({ cards: [{ id: card.id, preferred: true }], children: [{ cards: [] }] })
    expect((await t.deps.store.read(`wallet-${id}`)).map(e => e.type)).toEqual(['CardTakenOver'])
    // The card remains with the Stripe customer for whom it was saved, and can still be charged.
    const { assignment, folder, video } = await requestSession(leo)
    await approveSession(maria, assignment)
    await coach.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))
    await t.waitUntilIdle()
    const paid = await maria.call('POST', `/api/family/payments/${assignment}/pay`, { tip: 0, total: 1550 })
    expect(paid.body.status).toBe('paid')
  })

  test('a guardian who has withdrawn consent cannot buy a package', async () => {
    const { leo, maria } = await family()
    expect((await maria.call('POST', `/api/family/children/${leo.id}/consent/withdraw`, { reviews: 'finish' })).status).toBe(204)
    expectRefusal(await maria.call('POST', '/api/family/packages/checkout', { package: 'triple', player: leo.id }), 409, 'guardian-needed')
  })

  test("a guardian is told that the child's account is about to be deleted", async () => {
    const { leo, maria } = await family()
    const { assignment } = await requestSession(leo)
    expect((await leo.call('POST', '/api/account/deletion', { password: newPlayerInput().password })).status).toBe(204)
    const message = "Ana's account is scheduled for deletion. To continue, first keep it on Ana's page."
    expectRefusal(await approveSession(maria, assignment), 409, 'deletion-scheduled', message)
    const purchase = await maria.call('POST', '/api/family/packages/checkout', { package: 'triple', player: leo.id })
    expectRefusal(purchase, 409, 'deletion-scheduled', message)
  })

  test('a guardian buys a package, and the next session of the child costs only the fee', async () => {
    const { leo, maria } = await family()
    const { body } = await maria.call('POST', '/api/family/packages/checkout', { package: 'triple', player: leo.id })
    const back = await t.enterCard(body.url)
    const session = new URL(back).searchParams.get('session')
    expect(new URL(back).pathname).toBe('/family/money')
    expect((await maria.call('POST', '/api/family/packages/confirm', { session })).body).toEqual({ credits: 3 })
    await t.waitUntilIdle()
    expect(await readFamilyMoney(maria)).toMatchObject({ children: [{ credits: 3 }], purchases: [{ player: leo.id, cents: 4200 }] })
    const { shown } = await requestSession(leo)
    expect((await shown()).approval.quote).toMatchObject({ total: 50 })
    expect((await readFamilyMoney(maria)).children).toMatchObject([{ credits: 2 }])
    const { purchases: packages, purchasePages } = await readFamilyMoney(maria)
    expect(purchasePages).toEqual({ total: 1, next: null })
    const receipt = (who: typeof maria) => who.call('GET', `/api/family/purchases/${packages[0].id}`)
    expect((await receipt(maria)).body).toEqual(packages[0])
    const other = await family()
    expect((await receipt(other.maria)).status).toBe(404)
    expect((await other.maria.call('POST', '/api/family/packages/checkout', { package: 'triple', player: leo.id })).status).toBe(404)
  })

  test("a guardian's list has the packages of all their children, in pages", async () => {
    const { leo, maria, id } = await family({ card: false })
    const other = await t.player()
    // Ten packages each: Maria's for Leo, Leo's own, Maria's for an adult player, and that player's own, which Maria does not see.
    const bought = [
      { player: leo.id, payer: id },
      { player: leo.id, payer: leo.id },
      { player: other.id, payer: id },
      { player: other.id, payer: other.id },
    ]
    for (const { player, payer } of bought)
      await t.sql`
        insert into ${t.sql(tableOf(purchases))} (purchase, player, payer, package, folders, amount, bought, refunds, disputes)
        select gen_random_uuid(), ${player}, ${payer}, 'single', 1, 1500, '2025-01-01'::timestamptz + n * interval '1 hour', '{}', '{}'
        from generate_series(1, 10) n`
    const first = await readFamilyMoney(maria)
    expect([first.purchases.length, first.purchasePages.total]).toEqual([25, 30])
    const { body } = await maria.call('GET', `/api/family/money/purchases?before=${first.purchasePages.next}`)
    expect(body).toMatchObject({ total: 30, next: null })
    expect(new Set([...first.purchases, ...body.purchases].map(p => p.id)).size).toBe(30)
  })
})

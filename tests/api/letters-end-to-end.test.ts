import { afterAll, beforeAll, expect, test } from 'vitest'
import { DELETION_GRACE_DAYS } from '../../modules/privacy/policy.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { createAssignedFolder } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { birthDateForAge, newInstructorInput as coachData, newPlayerInput } from './test-server.ts'

const HOUR_MS = 3600_000

let t: ServerWithStripe
beforeAll(async () => {
  t = await startServerWithStripe()
})
afterAll(() => t.end())

const subjects = async (to: string) => (await t.letters(to)).map(l => l.subject)

test('player and instructor get each letter from the assignment to the refund', async () => {
  const [ana, kim] = [newPlayerInput(), coachData({ firstName: 'Kim', lastName: 'Lee' })]
  const player = await t.player(ana)
  const instructor = await t.instructor(kim)
  await t.saveCardOf(player, '4000000000000341')
  const { payment, folder } = await t.createDeliveredFolder(player, instructor)
  await player.call('POST', `/api/folders/${folder}/question`, { question: 'How late?' })
  await instructor.call('POST', `/api/folders/${folder}/answer`, { answer: 'Two frames.' })
  await t.makeDue('letter.payment-reminder')
  await t.makeDue('payment.collect')
  const good = await t.saveCardOf(player)
  await player.call('POST', `/api/payments/${payment}/pay`, { tip: 300, total: 1550, card: good.id })
  await t.makeDue('letter.charge-coming')
  const admin = await t.admin()
  const refund = { refund: payment, cents: 500, reason: 'The clip was cut off.' }
  await admin.call('POST', `/api/admin/payments/${payment}/refund`, refund)
  await t.waitUntilIdle()

  expect((await subjects(kim.email)).sort()).toEqual([
    'Ana has a question about your feedback',
    'Ana sent you a folder',
    'Confirm your email for DiamondLink',
    'Set up payouts to receive $15.00',
    'Welcome to DiamondLink',
    'You are approved on DiamondLink',
  ])
  const letters = await t.letters(ana.email)
  expect(letters.map(l => l.subject).sort()).toEqual([
    "$15.50 for Kim Lee's feedback",
    '$5.00 is on its way back to you',
    'Kim Lee answered your question',
    'Kim Lee reviewed your folder',
    "Payment due: $15.50 for Kim Lee's feedback",
    "Payment due: $15.50 for Kim Lee's feedback",
    expect.stringMatching(/^Receipt DL-\d{6}-[0-9A-F]{8}: \$18\.50$/),
    'Welcome to DiamondLink',
    'Your payment of $15.50 did not go through',
  ])
  const receipt = letters.find(l => l.subject.startsWith('Receipt'))!
  expect(receipt.text).toMatch(/Feedback session\s+\$15\.00[\s\S]*Tip for Kim Lee\s+\$3\.00[\s\S]*Paid\s+\$18\.50/)
  expect(receipt.text).toContain('Visa ending in 4242')
})

test('letters about waiting shares state their total, and stop once payouts are set up', async () => {
  const kim = coachData({ firstName: 'Kim' })
  const player = await t.player()
  const instructor = await t.instructor(kim)
  await t.saveCardOf(player)
  const paid = async () => {
    const { payment } = await t.createDeliveredFolder(player, instructor)
    expect((await player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: 1550 })).status).toBe(200)
    await t.waitUntilIdle()
  }
  const told = async () => (await subjects(kim.email)).filter(s => s.includes('payouts'))
  await paid()
  expect(await told()).toEqual(['Set up payouts to receive $12.00'])
  await instructor.call('POST', '/api/payouts/account')
  await paid()
  expect(await told()).toEqual(['Set up payouts to receive $12.00', 'Finish setting up payouts to receive $24.00'])
  await t.onboard(instructor)
  await t.deliverAll()
  await paid()
  expect(await told()).toHaveLength(2)
})

test('a guardian who agreed by letter then gets letters about each step', async () => {
  const guardianEmail = 'maria@example.com'
  const minor = newPlayerInput({ dateOfBirth: birthDateForAge(14), guardianName: 'Maria', guardianEmail })
  const kim = coachData()
  const player = await t.player(minor)
  const instructor = await t.instructor(kim)
  await t.waitUntilIdle()
  const [asked] = await t.letters(guardianEmail)
  const maria = t.browser()
  expect((await maria.call('POST', `/api/guardian/${guardianTokenIn(asked)}`, { answer: 'yes' })).status).toBe(204)
  const { url } = (await maria.call('POST', '/api/family/cards/setup', { back: '/family/money' })).body
  const session = new URL(await t.enterCard(url)).searchParams.get('setup')
  expect((await maria.call('POST', '/api/family/cards/confirm', { session })).status).toBe(200)
  expect((await maria.call('PUT', `/api/family/children/${player.id}/limit`, { monthly: 5000 })).status).toBe(204)
  await t.createDeliveredFolder(player, instructor)
  const copies = (await t.letters(guardianEmail)).slice(1)
  expect(copies.map(l => l.subject).sort()).toEqual(['Ana García gave Ana feedback: $15.50', 'Ana sent Ana García a folder: $15.50'])
  // The child gets no letter about money.
  expect((await t.letters(minor.email)).map(l => l.subject).filter(subject => subject.includes('$'))).toEqual([])
  expect(copies.find(l => l.subject.includes('gave Ana feedback'))!.text).toContain('0:01, technique: Let it travel.')
})

test('the letter about a declined folder states the reason, and no payment is due', async () => {
  const ana = newPlayerInput()
  const player = await t.player(ana)
  const instructor = await t.instructor()
  await t.saveCardOf(player)
  const { folder } = await createAssignedFolder(player, instructor)
  await instructor.call('POST', `/api/folders/${folder}/decline`, { reason: 'Away until May.' })
  await t.waitUntilIdle()
  expect((await t.letters(ana.email)).at(-1)!.text).toContain('Away until May.')
  expect((await player.call('GET', '/api/billing')).body.payments).toEqual([])
})

test('password and email recovery send letters, and the reset link works only once', async () => {
  const ana = newPlayerInput({ firstName: 'Bo', phone: '555-010-9999' })
  await t.player(ana)
  const nobody = t.browser()
  await nobody.call('POST', '/api/recovery/password', { email: ana.email })
  await nobody.call('POST', '/api/recovery/email', { phone: ana.phone, firstName: ana.firstName, lastName: ana.lastName })
  await t.waitUntilIdle()
  const reset = (await t.letters(ana.email)).find(l => l.subject.startsWith('Choose'))!
  expect(await subjects(ana.email)).toContain('Your DiamondLink account uses this address')
  const token = /token=([\w-]{43})/.exec(reset.text)![1]!
  expect((await nobody.call('POST', '/api/recovery/reset', { token, password: 'a new one' })).status).toBe(204)
  const again = await nobody.call('POST', '/api/recovery/reset', { token, password: 'another one' })
  expect(again.status).toBe(410)
})

test('a letter to a minor at night waits until morning in their time zone', async () => {
  const guardianEmail = 'nora@example.com'
  const minor = newPlayerInput({ dateOfBirth: birthDateForAge(14), guardianName: 'Nora', guardianEmail })
  const [player, instructor] = [await t.player(minor), await t.instructor(coachData())]
  await t.waitUntilIdle()
  const [asked] = await t.letters(guardianEmail)
  const nora = t.browser()
  const agreed = { answer: 'yes', timeZone: 'Asia/Kolkata' }
  expect((await nora.call('POST', `/api/guardian/${guardianTokenIn(asked)}`, agreed)).status).toBe(204)
  const { url } = (await nora.call('POST', '/api/family/cards/setup', { back: '/family/money' })).body
  const session = new URL(await t.enterCard(url)).searchParams.get('setup')
  expect((await nora.call('POST', '/api/family/cards/confirm', { session })).status).toBe(200)
  expect((await nora.call('PUT', `/api/family/children/${player.id}/limit`, { monthly: 5000 })).status).toBe(204)
  // Kolkata is five and a half hours ahead of UTC, so 16:00 UTC is 9:30 p.m. there.
  const evening = t.deps.clock()
  evening.setUTCHours(40, 0, 0, 0)
  t.advanceClock(evening.getTime() - t.deps.clock().getTime())

  const { assignment } = await t.createDeliveredFolder(player, instructor)
  const subjectsOf = async (email: string) => (await t.letters(email)).map(l => l.subject)
  expect(await subjectsOf(guardianEmail)).toContain('Ana García gave Ana feedback: $15.50')
  expect((await subjectsOf(minor.email)).filter(subject => subject.includes('reviewed'))).toEqual([])
  const waiting = await t.sql<{ due: Date }[]>`
    select due from errands where kind = 'letter.feedback-given' and payload ->> 'assignment' = ${assignment} and done is null`
  const morning = new Date(evening.getTime() + 10.5 * HOUR_MS)
  expect(waiting.map(errand => new Date(errand.due).toISOString())).toEqual([morning.toISOString()])

  t.advanceClock(11 * HOUR_MS)
  await t.makeDue('letter.feedback-given')
  expect(await subjectsOf(minor.email)).toContain('Ana García reviewed your folder')
})

test('a payer who confirms with the bank gets only the receipt, no letter of failure', async () => {
  const ana = newPlayerInput()
  const player = await t.player(ana)
  const { id: card } = await t.saveCardOf(player)
  const { payment } = await t.createDeliveredFolder(player, await t.instructor())
  await t.control({ cards: { [card]: '4000002760003184' } })
  const { body } = await player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: 1550 })
  expect(body.failure.reason).toBe('authentication-needed')
  await t.waitUntilIdle()
  await t.submit(body.url, { answer: 'complete' })
  await t.deliverAll()
  await t.makeDue('letter.payment-failed')
  const sent = await subjects(ana.email)
  expect(sent).toContainEqual(expect.stringMatching(/^Receipt/))
  expect(sent.filter(subject => subject.includes('did not go through'))).toEqual([])
})

test('a refund is announced even after the instructor has deleted the account', async () => {
  const ana = newPlayerInput()
  const player = await t.player(ana)
  await t.saveCardOf(player)
  const instructor = await t.instructor()
  await t.onboard(instructor)
  const { payment } = await t.createDeliveredFolder(player, instructor)
  expect((await player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: 1550 })).body.status).toBe('paid')
  await t.deliverAll()
  const { password } = coachData()
  expect((await instructor.call('POST', '/api/account/deletion', { password })).status).toBe(204)
  await t.waitUntilIdle()
  t.advanceClock((DELETION_GRACE_DAYS * 24 + 1) * HOUR_MS)
  await t.makeDue('account.delete')
  expect(await t.sql`select 1 from users where id = ${instructor.id}`).toHaveLength(0)
  const refund = { refund: payment, cents: 500, reason: 'The clip was cut off.' }
  expect((await (await t.admin()).call('POST', `/api/admin/payments/${payment}/refund`, refund)).status).toBe(204)
  await t.waitUntilIdle()
  const letter = (await t.letters(ana.email)).find(l => l.subject === '$5.00 is on its way back to you')
  expect(letter?.text).toContain('The clip was cut off.')
})

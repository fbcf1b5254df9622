import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letterDataSource } from '../../src/server/letter-data.ts'
import { createFolderWithVideo, expectRefusal, startUploadAndSendParts } from './full-server.ts'
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

describe('a guardian cannot approve a session', () => {
  test('while an earlier bill of the child is overdue', async () => {
    const { leo, maria, payment } = await families.familyWithBill()
    const { assignment, shown } = await families.requestSession(leo)
    t.advanceClock(8 * 24 * 3600_000)
    const refused = await approveSession(maria, assignment)
    t.advanceClock(-8 * 24 * 3600_000)
    expectRefusal(refused, 409, 'overdue')
    expect(refused.body.message).toBe('A payment is overdue. Settle it first, then approve this session.')
    await maria.call('POST', `/api/family/payments/${payment}/pay`, { tip: 0, total: 1550 })
    expect((await approveSession(maria, assignment)).status).toBe(204)
    expect(await shown()).toMatchObject({ status: 'assigned' })
  })

  test('if one of its videos cannot be played', async () => {
    const { leo, maria } = await families.family()
    const { folder } = await createFolderWithVideo(leo)
    const { id: unplayable, complete } = await startUploadAndSendParts(leo, folder)
    expect((await complete()).status).toBe(200)
    const assignment = randomUUID()
    await leo.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id })
    const refuse = () =>
      t.sql`update media_work set state = 'refused', code = 'damaged', ended = now() where video = ${unplayable} returning 1`
    await expect.poll(async () => (await refuse()).length).toBe(1)
    expectRefusal(await approveSession(maria, assignment), 409, 'unseen')
    expect(await letterDataSource(t.deps).refusedVideo(folder, unplayable)).toMatchObject({ player: leo.id, isRequest: true })
  })

  test('with an instructor who is no longer checked, even if the child is connected', async () => {
    const { leo, maria } = await families.family()
    expect((await leo.call('PUT', `/api/instructors/${coach.id}/connection`)).status).toBeLessThan(300)
    const { assignment } = await families.requestSession(leo)
    const { store } = t.deps
    const { read } = store
    store.read = async (stream, ...rest) => (stream === `vetting-${coach.id}` ? [] : read(stream, ...rest))
    const refused = await approveSession(maria, assignment)
    store.read = read
    expectRefusal(refused, 409, 'instructor-unchecked')
    expect((await approveSession(maria, assignment)).status).toBe(204)
  })

  test('that the child has just taken back; limit and card stay untouched', async () => {
    const { leo, maria } = await families.family()
    const { assignment, folder } = await families.requestSession(leo)
    const { store } = t.deps
    const { append } = store
    store.append = async (stream, ...rest) => {
      if (stream === `allowance-${leo.id}`) {
        store.append = append
        expect((await leo.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
      }
      return append(stream, ...rest)
    }
    expectRefusal(await approveSession(maria, assignment), 409, 'request-over')
    const { children, cards } = await readFamilyMoney(maria)
    expect(children).toMatchObject([{ spent: 0 }])
    expect((await maria.call('DELETE', `/api/family/cards/${cards[0].id}`)).status).toBe(204)
  })
})

describe('what a guardian approves or limits', () => {
  test('an approved session counts toward the month, even beyond the limit', async () => {
    const { leo, maria } = await families.family()
    await setMonthlyLimit(maria, leo, 1000)
    const { assignment } = await families.requestSession(leo)
    expect((await approveSession(maria, assignment)).status).toBe(204)
    expect((await readFamilyMoney(maria)).children).toMatchObject([{ monthly: 1000, spent: 2500 }])
  })

  test('a session still counts if nobody knows whether its approval was recorded', async () => {
    const { leo, maria } = await families.family()
    const { assignment, folder } = await families.requestSession(leo)
    const { store } = t.deps
    const { append } = store
    store.append = async (stream, ...rest) => {
      if (stream !== `folder-${folder}`) return append(stream, ...rest)
      store.append = append
      await append(stream, ...rest)
      throw new Error('The connection was lost.')
    }
    expect((await approveSession(maria, assignment)).status).toBe(500)
    expect((await readFamilyMoney(maria)).children).toMatchObject([{ spent: 2500 }])
  })

  test('a guardian sees and limits only children for whom they have agreed', async () => {
    const { leo, maria, email } = await families.family({ card: false })
    const mia = await t.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Maria García', guardianEmail: email })
    const ids = async () => (await readFamilyMoney(maria)).children.map((child: { id: string }) => child.id)
    expect(await ids()).toEqual([leo.id])
    const limit = () => maria.call('PUT', `/api/family/children/${mia.id}/limit`, { monthly: 9000 })
    expectRefusal(await limit(), 404, 'not-found')
    expect((await maria.call('POST', `/api/family/children/${mia.id}/consent`, { answer: 'yes' })).status).toBe(204)
    expect((await limit()).status).toBe(204)
    expect((await ids()).sort()).toEqual([leo.id, mia.id].sort())
  })

  test('a package can be bought for one child although consent for another is withdrawn', async () => {
    const { leo, maria, email } = await families.family({ card: false })
    const mia = await t.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Maria García', guardianEmail: email })
    expect((await maria.call('POST', `/api/family/children/${mia.id}/consent`, { answer: 'yes' })).status).toBe(204)
    const buyFor = ({ id }: { id: string }) => maria.call('POST', '/api/family/packages/checkout', { package: 'triple', player: id })
    for (const [withdrawn, other] of [
      [leo, mia],
      [mia, leo],
    ] as const) {
      const consent = `/api/family/children/${withdrawn.id}/consent`
      expect((await maria.call('POST', `${consent}/withdraw`, { reviews: 'finish' })).status).toBe(204)
      expectRefusal(await buyFor(withdrawn), 409, 'guardian-needed')
      expect((await buyFor(other)).status).toBe(200)
      expect((await maria.call('POST', consent, { answer: 'yes' })).status).toBe(204)
    }
  })

  test('only the guardian of a child sets their limit', async () => {
    const [{ leo, maria }, other] = [await families.family(), await families.family()]
    const path = `/api/family/children/${leo.id}/limit`
    expectRefusal(await other.maria.call('PUT', path, { monthly: 9000 }), 404, 'not-found')
    expect((await readFamilyMoney(maria)).children).toMatchObject([{ monthly: null }])
  })

  test('only a card that the child has saved can be taken over', async () => {
    const { leo, maria } = await families.family({ card: false })
    await t.saveCard(leo.id)
    expectRefusal(await maria.call('POST', `/api/family/cards/${randomUUID()}/take-over`), 404, 'not-found')
    const { children, cards } = await readFamilyMoney(maria)
    expect([children[0].cards.length, cards]).toEqual([1, []])
  })
})

describe('a bill of the family', () => {
  test('can be read only by the guardian', async () => {
    const [{ maria, payment }, other] = [await families.familyWithBill(), await families.family()]
    const [listed] = (await readFamilyMoney(maria)).payments
    expect((await maria.call('GET', `/api/family/payments/${payment}`)).body).toEqual(listed)
    expectRefusal(await other.maria.call('GET', `/api/family/payments/${payment}`), 404, 'not-found')
    expectRefusal(await maria.call('POST', `/api/family/payments/${randomUUID()}/pay`, { tip: 0, total: 1550 }), 404, 'not-found')
  })

  test('is in the list of settled bills once it is paid, for this family only', async () => {
    const [{ maria, payment }, other] = [await families.familyWithBill(), await families.family({ card: false })]
    const settled = async (who: typeof maria) => (await who.call('GET', '/api/family/money/settled')).body
    expect(await settled(maria)).toEqual({ payments: [], total: 0, next: null })
    await maria.call('POST', `/api/family/payments/${payment}/pay`, { tip: 0, total: 1550 })
    expect(await settled(maria)).toMatchObject({ payments: [{ id: payment }], total: 1, next: null })
    expect(await settled(other.maria)).toEqual({ payments: [], total: 0, next: null })
  })

  test('keeps guardians from deleting their data until paid, even if the child is 18', async () => {
    const { leo, maria, payment } = await families.familyWithBill()
    await t.sql`update users set born = ${birthDateForAge(18)} where id = ${leo.id}`
    const unpaid = 'A session that you pay for is not settled yet. Try again once it is.'
    expectRefusal(await maria.call('DELETE', '/api/family'), 409, 'unpaid', unpaid)
    await maria.call('POST', `/api/family/payments/${payment}/pay`, { tip: 0, total: 1550 })
    await t.deliverAll()
    expect((await maria.call('DELETE', '/api/family')).status).toBe(204)
  })

  test('can be paid by the guardian who approved it after another has taken over', async () => {
    const { leo, maria, payment } = await families.familyWithBill()
    const next = { name: 'Mo Lane', email: newPlayerInput().email }
    expect((await maria.call('POST', `/api/family/children/${leo.id}/guardian`, next)).status).toBe(204)
    const paid = await maria.call('POST', `/api/family/payments/${payment}/pay`, { tip: 0, total: 1550 })
    expect([paid.status, paid.body.status]).toEqual([200, 'paid'])
  })
})

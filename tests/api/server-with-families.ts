import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { consentTokenFor } from './consent-token.ts'
import { createFolderWithVideo, newReviewInput, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

export type TestGuardian = Pick<TestUser, 'call'>

/** Returns functions that create families on a running server. The children send their folders to `coach`. */
function createFamilyHelpers(t: ServerWithStripe, coach: TestUser) {
  /** Registers a minor. The guardian gives consent, which signs them in, and saves a card unless `card` is false. */
  async function family(more: { card?: boolean } = {}) {
    const email = newPlayerInput().email
    const leo = await t.player({ dateOfBirth: birthDateForAge(15), guardianName: 'Maria García', guardianEmail: email })
    const token = (await consentTokenFor(t.sql, leo.id)) ?? guardianTokenIn((await t.letters(email))[0])
    const maria = t.browser()
    expect((await maria.call('POST', `/api/guardian/${token}`, { answer: 'yes' })).status).toBe(204)
    const { id } = (await maria.call('GET', '/api/family')).body.guardian
    if (more.card !== false) await addCard(maria)
    return { leo, maria, id: id as string, email }
  }

  async function addCard(maria: TestGuardian, number?: string) {
    const { body } = await maria.call('POST', '/api/family/cards/setup', { back: '/family/money' })
    const back = await t.enterCard(body.url, number)
    const saved = await maria.call('POST', '/api/family/cards/confirm', { session: new URL(back).searchParams.get('setup') })
    expect(saved.status).toBe(200)
    return saved.body.card as { id: string }
  }

  /** The child requests a session for a folder with one video. `shown` returns what the folder's page shows afterwards. */
  async function requestSession(leo: TestUser, instructor = coach) {
    const { folder, video } = await createFolderWithVideo(leo)
    const assignment = randomUUID()
    const body = { assignment, instructor: instructor.id, message: 'Is my elbow too high?' }
    const answer = await leo.call('POST', `/api/folders/${folder}/assign`, body)
    return { folder, video, assignment, answer, shown: async () => (await leo.call('GET', `/api/folders/${folder}`)).body }
  }

  /** Creates a family whose child has received feedback that is not yet paid for. */
  async function familyWithBill() {
    const its = await family()
    const asked = await requestSession(its.leo)
    await approveSession(its.maria, asked.assignment)
    expect((await coach.call('POST', `/api/folders/${asked.folder}/feedback`, newReviewInput(asked.video))).status).toBe(204)
    await t.waitUntilIdle()
    return { ...its, ...asked, payment: asked.assignment }
  }
  return { family, addCard, requestSession, familyWithBill }
}

/** A server with an instructor, and with functions that create families on it. */
export interface ServerWithFamilies {
  t: ServerWithStripe
  coach: TestUser
  families: ReturnType<typeof createFamilyHelpers>
}

export async function startServerWithFamilyHelpers(): Promise<ServerWithFamilies> {
  const t = await startServerWithStripe()
  const coach = await t.instructor()
  return { t, coach, families: createFamilyHelpers(t, coach) }
}

export const readFamilyMoney = async (maria: TestGuardian) => (await maria.call('GET', '/api/family/money')).body
export const approveSession = (maria: TestGuardian, assignment: string) => maria.call('POST', `/api/family/approvals/${assignment}/approve`)
export const setMonthlyLimit = async (maria: TestGuardian, leo: TestUser, monthly: number | null) =>
  expect((await maria.call('PUT', `/api/family/children/${leo.id}/limit`, { monthly })).status).toBe(204)

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { consentTokenFor } from './consent-token.ts'
import {
  createAssignedFolder,
  createFolderWithVideo,
  type FullServer,
  newReviewInput,
  startFullServer,
  type TestUser,
} from './full-server.ts'
import { birthDateForAge, newPlayerInput, type TestReply } from './test-server.ts'

/*
 * For instructors, minors and guardians whose status has changed or is undecided, these tests try every call by which these people might
 * still reach somebody: with invitation codes, ids that they know, idempotency keys of earlier commands, and links from earlier letters.
 * Each cell is the HTTP status and, for a refusal, the error code.
 */
let s: FullServer
let admin: Awaited<ReturnType<FullServer['admin']>>
let coach: TestUser
type Caller = Pick<TestUser, 'call'>
type Delivered = Record<'folder' | 'video' | 'assignment', string>

const cell = ({ status, body }: TestReply) => (status < 300 ? `${status}` : `${status} ${body?.code}`)
const bodyOfSuccess = (reply: TestReply) => {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply.body
}
const withIdempotencyKey = (key: string) => ({ 'idempotency-key': key })

const createMinor = () => s.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Rosa García', guardianEmail: newPlayerInput().email })
async function answer(minor: TestUser, what: 'yes' | 'no') {
  const guardian = s.browser()
  bodyOfSuccess(await guardian.call('POST', `/api/guardian/${await consentTokenFor(s.sql, minor.id)}`, { answer: what }))
  const { id } = bodyOfSuccess(await guardian.call('GET', '/api/family')).guardian as { id: string }
  return Object.assign(guardian, { id })
}
/** Creates a minor whose guardian has given consent, saved a card, and set a monthly limit that covers every session in these tests. */
async function family() {
  const minor = await createMinor()
  const guardian = await answer(minor, 'yes')
  await s.saveCard(guardian.id)
  bodyOfSuccess(await guardian.call('PUT', `/api/family/children/${minor.id}/limit`, { monthly: 50_000 }))
  return { minor, guardian }
}
async function deliveredTo(minor: TestUser, instructor: TestUser): Promise<Delivered> {
  const made = await createAssignedFolder(minor, instructor)
  bodyOfSuccess(await instructor.call('POST', `/api/folders/${made.folder}/feedback`, newReviewInput(made.video)))
  return made
}
const assignTo = (instructor: { id: string }, folder: string, assignment: string = randomUUID()) =>
  [`/api/folders/${folder}/assign`, { assignment, instructor: instructor.id }] as const
const askQuestion = (who: Caller, { folder, assignment }: Delivered) =>
  who.call('POST', `/api/folders/${folder}/question?session=${assignment}`, { question: 'How high?' })

beforeAll(async () => {
  s = await startFullServer()
  ;[admin, coach] = await Promise.all([s.admin(), s.instructor()])
})
afterAll(() => s.end())

describe('an instructor', () => {
  const closed = ['404 not-found', '404 not-found', '404 not-found']
  const closedFor = {
    profile: closed,
    address: closed,
    invitation: closed,
    connecting: closed,
    'connecting with an old key': closed,
    following: closed,
    assigning: ['409 no-instructor', '409 no-instructor', '409 no-instructor'],
    'connecting with the code': closed,
  }
  /** Each call's cells for a stranger, an invited adult and an invited minor. The call with the code is last: it can connect a stranger. */
  const expected: Record<'pending' | 'suspended' | 'declined' | 'leaving', Record<string, string[]>> = {
    suspended: closedFor,
    declined: closedFor,
    leaving: { ...closedFor, 'connecting with the code': closed },
    pending: {
      profile: ['404 not-found', '200', '404 not-found'],
      address: ['404 not-found', '200', '404 not-found'],
      invitation: ['200', '200', '200'],
      connecting: ['404 not-found', '204', '204'],
      'connecting with an old key': ['404 not-found', '204', '204'],
      following: ['404 not-found', '204', '204'],
      assigning: ['409 no-instructor', '204', '409 instructor-unchecked'],
      'connecting with the code': ['204', '204', '204'],
    },
  }

  test.each(['suspended', 'declined', 'leaving', 'pending'] as const)(
    'with status %s can be reached exactly as that status allows',
    async status => {
      const [adult, stranger, { minor }] = await Promise.all([s.player(), s.player(), family()])
      await Promise.all([adult, stranger].map(player => s.saveCard(player.id)))
      const instructor = await s.instructor({ unvetted: true })
      const { code } = bodyOfSuccess(await instructor.call('GET', '/api/invite'))
      const { profileSlug } = bodyOfSuccess(await instructor.call('GET', '/api/profile')).user
      const connection = `/api/instructors/${instructor.id}/connection`
      const key = randomUUID()
      for (const player of [adult, minor])
        bodyOfSuccess(await player.call('PUT', `${connection}?invite=${code}`, undefined, withIdempotencyKey(key)))
      const reason = { reason: 'A parent wrote to us.' }
      const path = `/api/admin/instructors/${instructor.id}`
      if (status === 'declined') bodyOfSuccess(await admin.call('POST', `${path}/decline`, reason))
      if (status === 'suspended') bodyOfSuccess(await admin.call('POST', `${path}/suspend`, reason))

      if (status === 'leaving')
        bodyOfSuccess(await instructor.call('POST', '/api/account/deletion', { password: newPlayerInput().password }))

      const calls: Record<string, (who: TestUser) => Promise<TestReply>> = {
        profile: who => who.call('GET', `/api/instructors/${instructor.id}`),
        address: who => who.call('GET', `/api/instructors/${profileSlug}`),
        invitation: who => who.call('GET', `/api/instructors/by-invite/${code}`),
        connecting: who => who.call('PUT', connection),
        'connecting with an old key': who =>
          who.call('PUT', who === stranger ? connection : `${connection}?invite=${code}`, undefined, withIdempotencyKey(key)),
        following: who => who.call('PUT', `/api/instructors/${instructor.id}/follow`),
        assigning: async who => who.call('POST', ...assignTo(instructor, (await createFolderWithVideo(who)).folder)),
        'connecting with the code': who => who.call('PUT', `${connection}?invite=${code}`),
      }
      const found: Record<string, string[]> = {}
      for (const [name, call] of Object.entries(calls)) {
        found[name] = []
        for (const who of [stranger, adult, minor]) found[name].push(cell(await call(who)))
      }
      expect(found).toEqual(expected[status])
    },
  )

  test('who is suspended can neither write nor receive questions until reinstated', async () => {
    const [{ minor, guardian }, ray] = await Promise.all([family(), s.instructor()])
    const [asked, unasked] = [await deliveredTo(minor, ray), await deliveredTo(minor, ray)]
    bodyOfSuccess(await askQuestion(minor, asked))
    const open = await createAssignedFolder(minor, ray)
    // Without a monthly limit, the session needs the guardian's approval, which the guardian tries to give only after the suspension.
    bodyOfSuccess(await guardian.call('PUT', `/api/family/children/${minor.id}/limit`, { monthly: null }))
    const requested = { ...(await createFolderWithVideo(minor)), assignment: randomUUID() }
    bodyOfSuccess(await minor.call('POST', ...assignTo(ray, requested.folder, requested.assignment)))
    const at = ({ folder, assignment }: Delivered, what: string) => `/api/folders/${folder}/${what}?session=${assignment}`
    const key = randomUUID()
    const answerTo = () => ray.call('POST', at(asked, 'answer'), { answer: 'Belt high.' }, withIdempotencyKey(key))

    bodyOfSuccess(await admin.call('POST', `/api/admin/instructors/${ray.id}/suspend`, { reason: 'A parent wrote to us.' }))
    const approval = `/api/family/approvals/${requested.assignment}/approve`
    expect(cell(await guardian.call('POST', approval))).toMatch(/^409/)
    const found = [
      await answerTo(),
      await askQuestion(minor, unasked),
      await ray.call('POST', at(unasked, 'rating/answer'), { answer: 'Thanks.' }),
    ]
    expect(found.map(cell)).toEqual(['409 closed-to-players', '409 no-instructor', '409 closed-to-players'])
    expect(cell(await ray.call('POST', at(asked, 'feedback'), newReviewInput(asked.video)))).toBe('409 closed-to-players')

    await expect.poll(async () => (await minor.call('GET', `/api/folders/${open.folder}`)).body.status, { timeout: 15_000 }).toBe('open')
    // A returned folder is no longer accessible to the instructor; delivered feedback stays readable.
    for (const [method, what] of [
      ['GET', 'draft'],
      ['POST', 'review'],
    ] as const) {
      expect([what, cell(await ray.call(method, at(open, what)))]).toEqual([what, '404 not-found'])
    }
    expect(cell(await ray.call('GET', `/api/folders/${asked.folder}`))).toBe('200')
    expect((await ray.call('GET', `/api/folders/${open.folder}`)).body?.session?.status).not.toBe('assigned')

    bodyOfSuccess(await admin.call('POST', `/api/admin/instructors/${ray.id}/reinstate`))
    expect([cell(await answerTo()), cell(await askQuestion(minor, unasked))]).toEqual(['204', '204'])
  })
})

test('old keys, ids and letters give a former guardian access only to their own bill', async () => {
  const { minor, guardian: rosa } = await family()
  const delivered = await deliveredTo(minor, coach)
  const { folder, assignment } = delivered
  const child = `/api/family/children/${minor.id}`
  const keys = Array.from({ length: 4 }, () => randomUUID())
  const link = { id: randomUUID(), name: 'Grandma' }
  const commands = [
    ['PUT', `${child}/limit`, { monthly: 10_000 }],
    ['POST', `${child}/consent`, { answer: 'yes', optional: ['news'] }],
    ['POST', `${child}/reviews/${assignment}/links`, link],
    ['POST', `${child}/consent/withdraw`, { reviews: 'finish' }],
  ] as const
  const repeat = (who: Caller, i: number) => who.call(commands[i]![0], commands[i]![1], commands[i]![2], withIdempotencyKey(keys[i]!))
  const { token: shared } = [
    bodyOfSuccess(await repeat(rosa, 0)),
    bodyOfSuccess(await repeat(rosa, 1)),
    bodyOfSuccess(await repeat(rosa, 2)),
  ][2]
  const letter = await createEmailedLinkToken(s.sql, s.deps.clock(), 'family-letter', { guardian: rosa.id })
  // The link of a letter that asks for consent, made before the guardian is changed.
  const asking = await createEmailedLinkToken(s.sql, s.deps.clock(), 'guardian', {
    owner: minor.id,
    email: bodyOfSuccess(await rosa.call('GET', '/api/family')).guardian.email,
  })
  await expect.poll(async () => cell(await rosa.call('GET', `/api/family/payments/${assignment}`)), { timeout: 15_000 }).toBe('200')
  expect(cell(await s.browser().call('GET', `/api/shared/${shared}`))).toBe('200')

  const handOver = () => rosa.call('POST', `${child}/guardian`, { name: 'Mo Lane', email }, withIdempotencyKey(change))
  const [email, change] = [newPlayerInput().email, randomUUID()]
  bodyOfSuccess(await handOver())
  const mo = await answer(minor, 'yes')
  const other = (await family()).guardian
  const fromLetter = s.browser()
  bodyOfSuccess(await fromLetter.call('POST', `/api/family/links/${letter.token}`))

  for (const who of [rosa, fromLetter, other]) {
    for (const i of commands.keys()) expect([commands[i]![1], cell(await repeat(who, i))]).toEqual([commands[i]![1], '404 not-found'])
    for (const path of [`${child}/folders`, `${child}/progress`, `${child}/consent`, `${child}/export`, `/api/family/folders/${folder}`]) {
      expect([path, cell(await who.call('GET', path))]).toEqual([path, '404 not-found'])
    }
  }
  expect(bodyOfSuccess(await fromLetter.call('GET', '/api/family')).children).toEqual([])
  expect(cell(await s.browser().call('GET', `/api/shared/${shared}`))).toBe('404 not-found')
  for (const method of ['GET', 'POST']) {
    const reply = await s.browser().call(method, `/api/guardian/${asking.token}`, method === 'POST' ? { answer: 'no' } : undefined)
    expect(cell(reply)).toBe('404 not-found')
  }
  const bill = (who: Caller) => who.call('GET', `/api/family/payments/${assignment}`).then(cell)
  expect([await bill(rosa), await bill(other)]).toEqual(['200', '404 not-found'])
  // Repeating the change of guardian succeeds but has no effect.
  expect(cell(await handOver())).toBe('204')
  expect(bodyOfSuccess(await mo.call('GET', '/api/family')).children).toMatchObject([{ id: minor.id, consent: 'given' }])
})

describe('a minor without consent', () => {
  type Kid = TestUser & { delivered?: Delivered; old?: readonly [string, object, string] }
  const withoutFeedback = { asking: '409 guardian-needed', rating: '409 guardian-needed' }
  const expected = {
    waiting: { ...withoutFeedback, sharing: '404 not-found', 'naming somebody else': '204' },
    refused: { ...withoutFeedback, sharing: '404 not-found', 'naming somebody else': '409 guardian-answered' },
    withdrawn: { ...withoutFeedback, sharing: '409 guardian-shares', 'naming somebody else': '409 guardian-withdrew' },
  }

  async function minorWho(state: keyof typeof expected): Promise<Kid> {
    if (state !== 'withdrawn') {
      const minor = await createMinor()
      if (state === 'refused') await answer(minor, 'no')
      return minor
    }
    const { minor, guardian } = await family()
    const delivered = await deliveredTo(minor, coach)
    await handleCommand(s.deps.store, folderDecider, delivered.folder, 'paid', { assignment: delivered.assignment }, systemCommandSource())
    const [again, key] = [await createFolderWithVideo(minor), randomUUID()]
    const [path, body] = assignTo(coach, again.folder)
    bodyOfSuccess(await minor.call('POST', path, body, withIdempotencyKey(key)))
    bodyOfSuccess(await guardian.call('POST', `/api/family/children/${minor.id}/consent/withdraw`, { reviews: 'hand-back' }))
    const status = async () => (await minor.call('GET', `/api/folders/${again.folder}`)).body.status
    await expect.poll(status, { timeout: 15_000 }).toBe('open')
    return Object.assign(minor, { delivered, old: [path, body, key] as const })
  }

  test.each(['waiting', 'refused', 'withdrawn'] as const)(
    "whose guardian's consent is %s cannot send, pay or share anything",
    async state => {
      const minor = await minorWho(state)
      const { folder } = await createFolderWithVideo(minor)
      const of = minor.delivered ?? { folder, assignment: randomUUID(), video: '' }
      const found = {
        asking: cell(await askQuestion(minor, of)),
        rating: cell(await minor.call('PUT', `/api/folders/${of.folder}/rating?session=${of.assignment}`, { stars: 5 })),
        sharing: cell(
          await minor.call('POST', `/api/folders/${of.folder}/links?session=${of.assignment}`, { id: randomUUID(), name: 'Gran' }),
        ),
        'naming somebody else': cell(await minor.call('POST', '/api/guardian', { name: 'A Friend', email: newPlayerInput().email })),
      }
      expect(found).toEqual(expected[state])
      expect(cell(await minor.call('POST', ...assignTo(coach, folder)))).toBe('409 guardian-needed')
      expect(cell(await minor.call('POST', '/api/cards/setup', { back: '/player/payment' }))).toBe('409 guardian-pays')
      expect(cell(await minor.call('POST', '/api/packages/checkout', { package: 'triple' }))).toMatch(/^409/)
      if (!minor.old) return
      // Repeating an assignment that was accepted while consent was valid does not assign the folder again.
      await minor.call('POST', minor.old[0], minor.old[1], withIdempotencyKey(minor.old[2]))
      expect((await minor.call('GET', minor.old[0].replace('/assign', ''))).body.status).toBe('open')
      expect(cell(await minor.call('GET', `/api/folders/${of.folder}`))).toBe('200')
    },
  )
})

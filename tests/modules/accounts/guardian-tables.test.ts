import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../../modules/accounts/emailed-links.ts'
import {
  childHasGuardianConsent,
  childrenOf,
  consentRequestOfLink,
  currentGuardianWithConsentStatus,
  findOrAddGuardian,
  type GuardianConsentStatus,
  guardianById,
  guardianIdByEmail,
  hasAnyGuardianEverAgreed,
  hasChildren,
  hasFormerGuardianAgreed,
  initialConsentRefusedAt,
  playerIdsWithInitialRefusalBefore,
  replaceGuardian,
  setConsent,
  setFamilyTimeZone,
  setGuardianBeforeConsent,
} from '../../../modules/accounts/guardian-tables.ts'
import { createTestDatabase } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

const now = new Date('2026-03-01T12:00:00.000Z')
const address = () => `${randomUUID()}@example.com`
async function player(more: Record<string, unknown> = {}) {
  const id = randomUUID()
  const usual = { id, role: 'player', username: `${id}@example.com`, email: `${id}@example.com`, password: 'x', first_name: 'Ana' }
  await db.sql`insert into users ${db.sql({ ...usual, last_name: 'García', born: '2012-05-05', command: randomUUID(), created: now, ...more })}`
  return id
}
/** Creates a minor with a named guardian, and the consent link for that guardian. */
async function minorAwaitingConsent(name = 'Pat', email = address(), since = now) {
  const id = await player()
  await setGuardianBeforeConsent(db.sql, id, { name, email }, since)
  const { token } = await createEmailedLinkToken(db.sql, now, 'guardian', { owner: id, email })
  return { id, token, email }
}
async function agree(token: string, at = now, answer: GuardianConsentStatus = 'given') {
  const about = await consentRequestOfLink(db.sql, token, at)
  if (!about) return null
  return (await db.sql.begin(tx => setConsent(tx, about.player, about.guardian, answer, at))) ? about.guardian : null
}
const agreedAt = async (player: string) =>
  (await db.sql<{ agreed: string | null }[]>`select agreed from guardianships where player = ${player} and until is null`)[0]!.agreed

describe('a guardian', () => {
  test("sees the player's name through the link, and consents for that player only", async () => {
    const [{ id, token, email }, sibling] = [await minorAwaitingConsent(), await minorAwaitingConsent()]
    const guardian = await guardianIdByEmail(db.sql, ` ${email.toUpperCase()} `)
    const about = { player: id, guardian, playerFirstName: 'Ana', guardianName: 'Pat' }
    expect(await consentRequestOfLink(db.sql, token, now)).toEqual(about)
    expect(await agree(token)).toBe(guardian)
    expect(await agree(token, new Date(now.getTime() + 1000))).not.toBeNull()
    expect([await agreedAt(id), await agreedAt(sibling.id)]).toEqual([now.toISOString(), null])
    expect([await consentRequestOfLink(db.sql, 'x', now), await agree('x')]).toEqual([null, null])
    const { token: reset } = await createEmailedLinkToken(db.sql, now, 'reset-password', { owner: id, email })
    expect([await consentRequestOfLink(db.sql, reset, now), await agree(reset)]).toEqual([null, null])
  })

  test('is one person for several children, even under different spellings of the name', async () => {
    const email = address()
    const [first, second] = [
      await minorAwaitingConsent('Pat', email),
      await minorAwaitingConsent('Mom', email.toUpperCase(), new Date(now.getTime() + 1000)),
    ]
    const guardian = (await agree(first.token))!
    expect(await guardianById(db.sql, guardian)).toMatchObject({ id: guardian, name: 'Pat', email })
    expect(await childrenOf(db.sql, guardian, now)).toEqual([
      { id: first.id, firstName: 'Ana', agreed: true, consent: 'given' },
      { id: second.id, firstName: 'Ana', agreed: false, consent: null },
    ])
    expect(await currentGuardianWithConsentStatus(db.sql, second.id)).toEqual({ name: 'Mom', email, consent: null })
    expect(await guardianById(db.sql, randomUUID())).toBeNull()
  })

  test('is not listed with children who are 18 or older', async () => {
    const { id, token } = await minorAwaitingConsent()
    const guardian = (await agree(token))!
    const birthday = new Date('2030-05-05T00:00:00.000Z')
    expect((await childrenOf(db.sql, guardian, new Date(birthday.getTime() - 1))).map(c => c.id)).toEqual([id])
    expect(await childrenOf(db.sql, guardian, birthday)).toEqual([])
    expect(await setGuardianBeforeConsent(db.sql, await player(), { name: 'Pat', email: address() }, birthday)).toBe(false)
  })

  test('can refuse, agree and withdraw, and can read data after the first consent', async () => {
    const { id, token } = await minorAwaitingConsent()
    const answers = async () => (await childrenOf(db.sql, guardian, now))[0]
    const guardian = (await agree(token, now, 'refused'))!
    expect(await answers()).toMatchObject({ id, agreed: false, consent: 'refused' })
    await agree(token)
    expect(await answers()).toMatchObject({ agreed: true, consent: 'given' })
    await agree(token, now, 'withdrawn')
    expect(await answers()).toMatchObject({ agreed: true, consent: 'withdrawn' })
    const [before] = await db.sql`select guardian_confirmed from users where id = ${id}`
    expect(before).toEqual({ guardian_confirmed: null })
  })

  test('gives no consent if the player names another guardian at the same moment', async () => {
    const { id, token } = await minorAwaitingConsent()
    let agreeing: Promise<string | null> | undefined
    await db.sql.begin(async (tx: TransactionSql) => {
      await setGuardianBeforeConsent(tx, id, { name: 'Mo', email: address() }, now)
      agreeing = agree(token)
      await expect.poll(() => db.sql`select 1 from pg_locks where not granted`).toHaveLength(1)
    })
    expect([await agreeing, await agreedAt(id)]).toEqual([null, null])
  })

  test('can be replaced until a guardian has agreed', async () => {
    const { id, token: old, email } = await minorAwaitingConsent()
    const mo = { name: 'Mo', email: address() }
    expect(await setGuardianBeforeConsent(db.sql, id, { name: 'Patricia', email }, now)).toBe(true)
    expect(await currentGuardianWithConsentStatus(db.sql, id)).toEqual({ name: 'Patricia', email, consent: null })
    expect(await setGuardianBeforeConsent(db.sql, id, mo, now)).toBe(true)
    expect([await currentGuardianWithConsentStatus(db.sql, id), await guardianIdByEmail(db.sql, email)]).toEqual([
      { ...mo, consent: null },
      null,
    ])
    expect([await consentRequestOfLink(db.sql, old, now), await agree(old)]).toEqual([null, null])
    const { token } = await createEmailedLinkToken(db.sql, now, 'guardian', { owner: id, email: mo.email })
    expect(await agree(token)).not.toBeNull()
    expect(await setGuardianBeforeConsent(db.sql, id, { name: 'Lee', email: address() }, now)).toBe(false)
    expect(await currentGuardianWithConsentStatus(db.sql, id)).toEqual({ ...mo, consent: 'given' })
    const [adult, coach] = [await player({ born: '1990-05-05' }), await player({ role: 'instructor' })]
    expect([await setGuardianBeforeConsent(db.sql, adult, mo, now), await setGuardianBeforeConsent(db.sql, coach, mo, now)]).toEqual([
      false,
      false,
    ])
  })
})

describe('after a guardian agreed', () => {
  test('support can replace the guardian, and the new one must agree again', async () => {
    const { id, token } = await minorAwaitingConsent()
    const former = (await agree(token))!
    const mo = { name: 'Mo', email: address() }
    const guardian = await findOrAddGuardian(db.sql, mo, now)
    const replace = (more: object = {}, at = now, player = id) =>
      db.sql.begin(tx => replaceGuardian(tx, player, { former, guardian, ...mo, ...more }, at))
    expect([await replace({ former: null }), await replace({ former: guardian })]).toEqual([false, false])
    expect(await replace({}, new Date('2030-05-05T00:00:00.000Z'))).toBe(false)
    expect([await hasAnyGuardianEverAgreed(db.sql, id), await hasFormerGuardianAgreed(db.sql, id)]).toEqual([true, false])
    expect(await replace()).toBe(true)
    expect(await currentGuardianWithConsentStatus(db.sql, id)).toEqual({ ...mo, consent: null })
    expect([await hasAnyGuardianEverAgreed(db.sql, id), await hasFormerGuardianAgreed(db.sql, id)]).toEqual([true, true])
    expect([await hasChildren(db.sql, former, now), await hasChildren(db.sql, guardian, now)]).toEqual([false, true])
    const alone = await player()
    expect([await replace({}, now, alone), await replace({ former: null }, now, alone)]).toEqual([false, true])
    expect([await hasAnyGuardianEverAgreed(db.sql, alone), await hasFormerGuardianAgreed(db.sql, alone)]).toEqual([false, false])
  })

  test('consent is in effect until the guardian takes it back', () => {
    const effective = (agreed: boolean, consent: GuardianConsentStatus | null) => childHasGuardianConsent({ agreed, consent })
    expect([effective(true, 'given'), effective(true, null)]).toEqual([true, true])
    expect([effective(true, 'withdrawn'), effective(true, 'refused'), effective(false, null), effective(false, 'refused')]).toEqual([
      ...[false, false, false, false],
    ])
  })
})

test('that a guardian agreed is still known after their record is deleted', async () => {
  const [{ id, token }, waiting] = [await minorAwaitingConsent(), await minorAwaitingConsent()]
  const former = (await agree(token))!
  const mo = { name: 'Mo', email: address() }
  const change = { former, guardian: await findOrAddGuardian(db.sql, mo, now), ...mo }
  expect(await db.sql.begin(tx => replaceGuardian(tx, id, change, now))).toBe(true)
  await agree((await createEmailedLinkToken(db.sql, now, 'guardian', { owner: id, email: mo.email })).token, now, 'refused')
  await setGuardianBeforeConsent(db.sql, waiting.id, { name: 'Lee', email: address() }, now)
  await db.sql`delete from guardians where id = ${former} or email = ${waiting.email}`
  for (const [player, isKnown] of [
    [id, true],
    [waiting.id, false],
  ] as const)
    expect([await hasAnyGuardianEverAgreed(db.sql, player), await hasFormerGuardianAgreed(db.sql, player)]).toEqual([isKnown, isKnown])
  const later = new Date(now.getTime() + 1000)
  expect(await initialConsentRefusedAt(db.sql, id, later)).toBeNull()
  expect(await playerIdsWithInitialRefusalBefore(db.sql, later, later)).not.toContain(id)
})

test('a guardian whose last child was deleted can still be found by email', async () => {
  const { id, token, email } = await minorAwaitingConsent()
  const guardian = (await agree(token))!
  await db.sql`delete from users where id = ${id}`
  expect(await guardianIdByEmail(db.sql, email)).toBe(guardian)
})

test('a refusal counts only for a minor for whom no guardian has agreed', async () => {
  const later = new Date(now.getTime() + 1000)
  const birthday = new Date('2030-05-05T00:00:00.000Z')
  const [refused, agreed, untimed] = [await minorAwaitingConsent(), await minorAwaitingConsent(), await minorAwaitingConsent()]
  await agree(agreed.token)
  for (const { token } of [refused, agreed, untimed]) await agree(token, now, 'refused')
  await db.sql`update guardianships set answered = null where player = ${untimed.id}`
  expect([await initialConsentRefusedAt(db.sql, untimed.id, now), await initialConsentRefusedAt(db.sql, agreed.id, now)]).toEqual([
    null,
    null,
  ])
  const refusedBefore = async (before: Date, at: Date) =>
    (await playerIdsWithInitialRefusalBefore(db.sql, before, at)).filter(id => [refused, agreed, untimed].some(one => one.id === id))
  expect(await refusedBefore(now, later)).toEqual([])
  expect(await refusedBefore(later, later)).toEqual([refused.id])
  expect(await refusedBefore(new Date(later.getTime() + 1), later)).toEqual([refused.id, untimed.id])
  expect(await refusedBefore(birthday, birthday)).toEqual([])
  expect(await initialConsentRefusedAt(db.sql, refused.id, later)).toEqual(now)
  expect([await initialConsentRefusedAt(db.sql, refused.id, birthday), await initialConsentRefusedAt(db.sql, randomUUID(), now)]).toEqual([
    null,
    null,
  ])
})

test("a family's time zone is New York until one is set; a default never replaces it", async () => {
  const email = address()
  const guardian = await findOrAddGuardian(db.sql, { name: 'Pat', email: ` ${email} ` }, now)
  const timeZone = async () => (await guardianById(db.sql, guardian))!.timeZone
  expect([await timeZone(), await findOrAddGuardian(db.sql, { name: 'Pat', email }, now)]).toEqual(['America/New_York', guardian])
  await setFamilyTimeZone(db.sql, guardian, 'America/Denver', { isDefault: true })
  expect(await timeZone()).toBe('America/Denver')
  await setFamilyTimeZone(db.sql, guardian, 'America/Chicago', { isDefault: true })
  expect(await timeZone()).toBe('America/Denver')
  await setFamilyTimeZone(db.sql, guardian, 'America/Phoenix')
  expect(await timeZone()).toBe('America/Phoenix')
})

test('a guardian stored by a server of the previous release can be read', async () => {
  const email = address()
  const id = await player({ guardian_name: 'Pat', guardian_email: email.toUpperCase() })
  expect(await currentGuardianWithConsentStatus(db.sql, id)).toEqual({ name: 'Pat', email, consent: null })
  await db.sql`update users set guardian_confirmed = ${now} where id = ${id}`
  const pat = (await guardianIdByEmail(db.sql, email))!
  expect(await childrenOf(db.sql, pat, now)).toEqual([{ id, firstName: 'Ana', agreed: true, consent: 'given' }])
  const another = address()
  const waiting = await player({ guardian_name: 'Pat', guardian_email: email })
  await db.sql`update users set guardian_name = 'Mo', guardian_email = ${another} where id = ${waiting}`
  expect(await currentGuardianWithConsentStatus(db.sql, waiting)).toEqual({ name: 'Mo', email: another, consent: null })
  expect(await childrenOf(db.sql, pat, now)).toEqual([{ id, firstName: 'Ana', agreed: true, consent: 'given' }])
})

test('a server of the previous release can read a guardian stored by this release', async () => {
  const { id, token, email } = await minorAwaitingConsent()
  await agree(token)
  const [row] = await db.sql`select guardian_name, guardian_email, guardian_confirmed from users where id = ${id}`
  expect(row).toEqual({ guardian_name: 'Pat', guardian_email: email, guardian_confirmed: now.toISOString() })
})

test('a guardian who agrees while another one is being named does not deadlock', async () => {
  const { id, token, email } = await minorAwaitingConsent()
  const guardian = (await guardianIdByEmail(db.sql, email))!
  let answer: Promise<string | null> | undefined
  await db.sql.begin(async tx => {
    await tx`select 1 from users where id = ${id} for no key update`
    answer = agree(token)
    // This query runs outside the transaction, which would see the same statistics every time.
    const waiting = () => db.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting()).length, { interval: 10, timeout: 8000 }).toBe(1)
    const mo = { name: 'Mo', email: address() }
    const next = await findOrAddGuardian(tx, mo, now)
    expect(await replaceGuardian(tx, id, { former: guardian, guardian: next, ...mo }, now)).toBe(true)
  })
  expect(await answer).toBeNull()
})

import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { instructorsContract } from '../../modules/instructors/contract.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { ANONYMOUS_VIEWER, findInstructors, type InstructorSearch, publicSlugs } from '../../projections/instructor-queries.ts'
import { vettings } from '../../projections/vetting.ts'
import { projections } from '../../src/server/module-registry.ts'
import { createTestDatabase } from '../support/postgres.ts'

const now = new Date('2026-06-01T00:00:00Z')
const after = instructorsContract['GET /api/instructors'].query.shape.after.unwrap()
let db: Awaited<ReturnType<typeof createTestDatabase>>
const testAbort = new AbortController()

async function addInstructor(n: number, name: [first: string, last: string], sports: string[], skills: string[], isFeatured = false) {
  const id = randomUUID()
  // Three instructors join each minute, so that ids decide their order.
  await db.sql`
    insert into users (id, role, username, email, password, first_name, last_name, command, created)
    values (${id}, 'instructor', ${`i${n}`}, ${`i${n}@example.com`}, '-', ${name[0]}, ${name[1]}, ${randomUUID()},
      '2026-01-01'::timestamptz + ${Math.floor(n / 3)} * interval '1 minute')`
  await db.sql`
    insert into instructors (id, slug, sports, skills, invite_code, featured_until)
    values (${id}, ${`i-${n}`}, ${sports}, ${skills}, ${`C${n}`}, ${isFeatured ? '2027-01-01' : null})`
  await db.sql`
    insert into ${db.sql(tableOf(vettings))} (instructor, status, email_confirmed, checks, leaving, closed) values (${id}, 'approved', true, '[]', false, false)`
}

beforeAll(async () => {
  db = await createTestDatabase()
  await projectionRunner(db.sql, memoryStore(), projections, { log: pino({ level: 'silent' }) }).start(testAbort.signal)
  for (let n = 0; n < 40; n++) await addInstructor(n, [`First${n}`, 'Lane'], ['softball'], ['fielding'], n % 9 === 4)
  await addInstructor(40, ['José', 'Díaz'], ['baseball'], ['hitting'])
  await addInstructor(41, ['Maya', 'Torres'], ['softball'], ['hitting', 'pitching'])
})
afterAll(async () => {
  testAbort.abort()
  await db.end()
})

const find = (search: Partial<InstructorSearch>) => findInstructors(db.sql, ANONYMOUS_VIEWER, now, { limit: 100, ...search })
const names = async (search: Partial<InstructorSearch>) => (await find(search)).rows.map(i => i.user.firstName)

test('pages of instructors follow each other without gaps, featured ones first', async () => {
  const all = await find({})
  expect(all).toMatchObject({ total: 42, next: null })
  expect(all.rows.slice(0, 5).map(i => i.featured)).toEqual([true, true, true, true, false])
  const paged: string[] = []
  for (let next: string | null | undefined; next !== null; ) {
    const page: Awaited<ReturnType<typeof find>> = await find({ limit: 4, ...(next && { after: after.parse(next) }) })
    expect(page.total).toBe(42)
    paged.push(...page.rows.map(i => i.id))
    next = page.next
  }
  expect(paged).toEqual(all.rows.map(i => i.id))
  expect(await publicSlugs(db.sql, now)).toHaveLength(42)
})

test('instructors are found by parts of the name, ignoring accents and capitals', async () => {
  expect(await names({ name: 'jose' })).toEqual(['José'])
  expect(await names({ name: 'TORR may' })).toEqual(['Maya'])
  expect(await names({ name: 'torr jose' })).toEqual([])
  expect(await names({ name: '100%' })).toEqual([])
})

test('instructors are found by sport and by skill', async () => {
  expect(await names({ sport: 'baseball' })).toEqual(['José'])
  expect(await names({ skill: 'pitching' })).toEqual(['Maya'])
  expect(await names({ sport: 'baseball', skill: 'pitching' })).toEqual([])
})

test('a malformed cursor is refused', () => {
  for (const wrong of ['', 'nonsense', '....', Buffer.from('[1]').toString('base64url')]) {
    expect(after.safeParse(wrong).success).toBe(false)
  }
})

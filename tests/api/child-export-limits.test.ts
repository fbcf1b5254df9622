import { afterAll, beforeAll, expect, test } from 'vitest'
import { rateLimits } from '../../src/api/rate-limits.ts'
import { expectRefusal } from './full-server.ts'
import { type ServerWithFamilies, startServerWithFamilyHelpers } from './server-with-families.ts'
import { birthDateForAge } from './test-server.ts'

let s: ServerWithFamilies
beforeAll(async () => {
  s = await startServerWithFamilyHelpers()
})
afterAll(() => s.t.end())

test('a guardian can export the data of each of four children, three times a day', async () => {
  const { t, families } = s
  const { leo, maria, email } = await families.family({ card: false })
  const siblings = await Promise.all(
    [13, 14, 16].map(age => t.player({ dateOfBirth: birthDateForAge(age), guardianName: 'Maria García', guardianEmail: email })),
  )
  for (const { id } of siblings)
    expect((await maria.call('POST', `/api/family/children/${id}/consent`, { answer: 'yes' })).status).toBe(204)
  t.deps.limits = rateLimits(t.sql, 1)
  const request = ({ id }: { id: string }) => maria.call('POST', `/api/family/children/${id}/export`)
  for (const child of [leo, ...siblings]) expect((await request(child)).status).toBe(204)
  for (let n = 0; n < 2; n++) expect((await request(leo)).status).not.toBe(429)
  expectRefusal(await request(leo), 429, 'too-many', 'Too many attempts. Try again in 24 hours.')
})

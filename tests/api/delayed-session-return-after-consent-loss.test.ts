import { expect, onTestFinished, test } from 'vitest'
import { consentErrandHandlers } from '../../src/server/consent-answer-and-folder-return-errands.ts'
import { approveSession, startServerWithFamilyHelpers } from './server-with-families.ts'

test('a delayed return of sessions leaves those assigned with a new consent', async () => {
  const { t, families } = await startServerWithFamilyHelpers()
  onTestFinished(() => t.end())
  const { leo, maria } = await families.family()
  const child = `/api/family/children/${leo.id}/consent`
  const withdrawn = await maria.call('POST', `${child}/withdraw`, { reviews: 'hand-back' })
  const position = withdrawn.headers.get('x-position')!
  await t.waitUntilIdle()
  expect((await maria.call('POST', child, { answer: 'yes' })).status).toBe(204)
  await t.waitUntilIdle()
  const asked = await families.requestSession(leo)
  expect((await approveSession(maria, asked.assignment)).status).toBe(204)
  await t.waitUntilIdle()
  await consentErrandHandlers(t.deps)['consent.take-back']({ player: leo.id, reviews: 'hand-back', position })
  await t.waitUntilIdle()
  expect(await asked.shown()).toMatchObject({ status: 'assigned' })
})

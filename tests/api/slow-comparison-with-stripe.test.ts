import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'

let s: ServerWithStripe
beforeAll(async () => {
  s = await startServerWithStripe()
})
afterAll(() => s.end())

test('a comparison that outlasts its request goes on, and the next request gets it', async () => {
  const { gateway } = s.deps
  const compared: Promise<unknown>[] = []
  let { promise: listed, resolve: list } = Promise.withResolvers<void>()
  s.deps.gateway = {
    ...gateway,
    chargesSince: since => {
      const result = listed.then(() => gateway.chargesSince(since))
      compared.push(result)
      return result
    },
  }
  const admin = await s.admin()
  const compare = () => admin.call('GET', '/api/admin/unreconciled-charges')
  Object.assign(s.deps, { requestTimeoutMs: 200, storeCheckAfterMs: 100 })
  for (let n = 0; n < 2; n++) expectRefusal(await compare(), 503, 'unavailable', 'This takes longer than expected. Try again in a moment.')
  Object.assign(s.deps, { requestTimeoutMs: undefined, storeCheckAfterMs: undefined })
  list()
  await Promise.all(compared)
  expect((await compare()).body).toEqual({ charges: [], packages: [] })
  expect(compared).toHaveLength(1)

  // That result is no longer current, so the next request compares again; requests at the same time share a comparison.
  ;({ promise: listed, resolve: list } = Promise.withResolvers<void>())
  const both = [compare(), compare()]
  await expect.poll(() => compared.length).toBe(2)
  list()
  for (const each of both) expect((await each).status).toBe(200)
  expect((await compare()).status).toBe(200)
  expect(compared).toHaveLength(3)
})

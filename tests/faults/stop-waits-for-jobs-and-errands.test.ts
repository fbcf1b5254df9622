import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConfigWithAllServices, readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/server/app.ts'
import { createTestDatabase } from '../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

/** Starts an empty object store that answers a request only after the test has called `answer` for its HTTP method. */
async function slowStore() {
  const signals = () => ({ requested: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() })
  const on = { GET: signals(), DELETE: signals() }
  const server = createServer(async (req, res) => {
    const { requested, released } = on[req.method as keyof typeof on]
    requested.resolve()
    await released.promise
    if (req.method === 'DELETE') res.writeHead(204).end()
    else res.setHeader('content-type', 'application/xml').end('<ListMultipartUploadsResult></ListMultipartUploadsResult>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requested: (method: keyof typeof on) => on[method].requested.promise,
    answer: (method: keyof typeof on) => on[method].released.resolve(),
    end: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test.each([
  ['a scheduled job', 'GET', 'DELETE'],
  ['an errand', 'DELETE', 'GET'],
] as const)('a stopping server waits for %s to finish, and logs no error', async (_, last, first) => {
  const store = await slowStore()
  const nowhere = 'http://127.0.0.1:1'
  const config = {
    ...readConfig({
      S3_ENDPOINT: store.url,
      S3_BUCKET: 'bucket',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_PATH_STYLE: 'true',
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      RESEND_API_KEY: 're_x',
    }),
    databaseUrl: db.url,
    resend: { apiKey: 're_x', url: nowhere },
  } as ConfigWithAllServices
  const logLines: string[] = []
  const app = await buildApp(config, pino({ level: 'warn' }, { write: line => logLines.push(line) }), { site: '/nowhere' })
  await app.work()
  await store.requested('GET')
  const forget = randomUUID()
  await app.deps.post(app.deps.sql, [{ id: forget, kind: 'media.forget', payload: { folder: randomUUID(), video: randomUUID() } }])
  await store.requested('DELETE')

  let isStopped = false
  const stopping = app.stop().then(() => {
    isStopped = true
  })
  const aMoment = () => Promise.race([stopping, new Promise(resolve => setTimeout(resolve, 300))])
  store.answer(first)
  await aMoment()
  expect(isStopped).toBe(false)
  store.answer(last)
  await stopping
  store.end()
  expect(logLines).toEqual([])
  const [errand] = await db.sql`select done, attempt from errands where id = ${forget}`
  expect(errand).toEqual({ done: expect.any(String), attempt: 1 })
})

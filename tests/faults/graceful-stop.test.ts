import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CompleteConfig, readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/server/app.ts'
import { createTestDatabase } from '../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

/** An object store that holds its responses back until the test releases them, and then reports that it is empty. */
async function slowStore() {
  const signals = () => ({ asked: Promise.withResolvers<void>(), may: Promise.withResolvers<void>() })
  const on = { GET: signals(), DELETE: signals() }
  const server = createServer(async (req, res) => {
    const { asked, may } = on[req.method as keyof typeof on]
    asked.resolve()
    await may.promise
    if (req.method === 'DELETE') res.writeHead(204).end()
    else res.setHeader('content-type', 'application/xml').end('<ListMultipartUploadsResult></ListMultipartUploadsResult>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked: (method: keyof typeof on) => on[method].asked.promise,
    answers: (method: keyof typeof on) => on[method].may.resolve(),
    end: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test.each([
  ['the chore', 'GET', 'DELETE'],
  ['the errand', 'DELETE', 'GET'],
] as const)('stopping waits for %s under way, and nothing is logged as an error', async (_, last, first) => {
  const store = await slowStore()
  const nowhere = 'http://127.0.0.1:1'
  const config = {
    ...readConfig({
      ...{ S3_ENDPOINT: store.url, S3_BUCKET: 'bucket', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret', S3_PATH_STYLE: 'true' },
      ...{ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x', RESEND_API_KEY: 're_x' },
    }),
    ...{ databaseUrl: db.url, resend: { apiKey: 're_x', url: nowhere } },
  } as CompleteConfig
  const complaints: string[] = []
  const app = await buildApp(config, pino({ level: 'warn' }, { write: line => complaints.push(line) }), { site: '/nowhere' })
  await app.work()
  await store.asked('GET')
  const forget = randomUUID()
  await app.deps.post(app.deps.sql, [{ id: forget, kind: 'media.forget', payload: { folder: randomUUID(), video: randomUUID() } }])
  await store.asked('DELETE')

  let stopped = false
  const stopping = app.stop().then(() => {
    stopped = true
  })
  const aMoment = () => Promise.race([stopping, new Promise(resolve => setTimeout(resolve, 300))])
  store.answers(first)
  await aMoment()
  expect(stopped).toBe(false)
  store.answers(last)
  await stopping
  store.end()
  expect(complaints).toEqual([])
  const [errand] = await db.sql`select done, attempt from errands where id = ${forget}`
  expect(errand).toEqual({ done: expect.any(String), attempt: 1 })
})

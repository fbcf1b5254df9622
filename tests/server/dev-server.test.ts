import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { findFreePort } from '../../src/embedded/find-free-port.ts'
import { approveInstructor } from '../support/approve-instructor.ts'
import { createTestDatabase } from '../support/postgres.ts'

test('npm run dev serves pages from the sources, together with the API', async () => {
  const db = await createTestDatabase()
  const PORT = String(await findFreePort())
  const child = spawn(process.execPath, ['scripts/start.mjs', '--dev'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT,
      DATABASE_URL: db.url,
      S3_ENDPOINT: 'http://127.0.0.1:9',
      S3_BUCKET: 'bucket',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      RESEND_API_KEY: 're_x',
      DEMO: 'off',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const ended = once(child, 'close')
  const get = (path: string, userAgent = 'desk') =>
    fetch(`http://127.0.0.1:${PORT}${path}`, { headers: { 'user-agent': userAgent }, redirect: 'manual' })
  const status = (path: string) => () => get(path).then(r => (child.exitCode === null ? r.status : output), String)
  try {
    await expect.poll(status('/api/health')).toBe(200)
    await expect.poll(status('/')).toBe(200)
    expect(await (await get('/')).text()).toContain('Start now')
    expect(await (await get('/', 'iPhone')).text()).toContain('View Pricing')
    expect((await get('/player/folder/1')).status).toBe(200)
    expect((await get('/instructor/ray')).headers.get('location')).toBe('/i/ray')
    const post = async (path: string, body: object = {}, cookie = '') => {
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie }
      const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
      return answer
    }
    const coach = await post('/api/register/instructor', {
      email: 'ray@example.com',
      password: 'correct horse',
      firstName: 'Ray',
      lastName: 'Moss',
      phone: '555-010-4477',
      dateOfBirth: '1990-05-05',
      type: ['baseball'],
      skills: ['hitting'],
    })
    const { id, profileSlug } = (await coach.json()) as { id: string; profileSlug: string }
    const { token } = await createEmailedLinkToken(db.sql, new Date(), 'admin-invitation')
    const person = { email: 'ada@example.com', username: 'ada@example.com', password: 'correct horse', firstName: 'Ada', lastName: 'Min' }
    const cookie = (await post('/api/register/admin', { ...person, token })).headers
      .getSetCookie()
      .map(c => c.split(';')[0])
      .join('; ')
    const call = (_: 'POST', path: string) => post(path, undefined, cookie)
    await approveInstructor({ sql: db.sql, anyone: call, admin: call }, id)
    await expect.poll(() => get(`/i/${profileSlug}`).then(page => page.text())).toMatch(/<h1[^>]*>Ray Moss<.h1>/)
    expect((await get(`/i/${id}`)).headers.get('location')).toBe(`/i/${profileSlug}`)
    expect((await get('/i/nobody')).status).toBe(404)
    expect(await (await get('/sitemap.xml')).text()).toContain(`<loc>http://127.0.0.1:${PORT}/i/${profileSlug}</loc>`)
  } finally {
    child.kill('SIGTERM')
    await ended
    await db.end()
  }
})

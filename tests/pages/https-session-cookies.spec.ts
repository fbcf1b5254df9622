import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../src/embedded/find-free-port.ts'
import { startApp } from '../support/app-process.ts'
import { expect, newPersonInput, TEST_PASSWORD, test } from '../support/signed-in-fixtures.ts'

/** Creates a self-signed certificate and its key. Returns null if openssl fails, for example because it is not installed. */
async function certificate() {
  const directory = await mkdtemp(join(tmpdir(), 'diamondlink-tls-'))
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  try {
    const subject = ['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject], {
      stdio: 'ignore',
    })
    return { key: await readFile(key), cert: await readFile(cert) }
  } catch {
    return null
  } finally {
    await rm(directory, { recursive: true })
  }
}

// The server's responses over https are tested without a browser in tests/api.
test('over HTTPS a session is bound to its host from login to logout (needs openssl)', { tag: '@sweep' }, async ({ person }) => {
  const keys = await certificate()
  test.skip(!keys)
  const port = await findFreePort()
  const origin = `https://localhost:${port}`
  const ours = await startApp({ env: { ORIGIN: origin } })
  // A proxy that terminates TLS, as in front of a deployment.
  const proxy = createServer(keys!, (req, res) => {
    const onward = request(`${ours.url}${req.url}`, { method: req.method, headers: req.headers }, answer => {
      res.writeHead(answer.statusCode!, answer.rawHeaders)
      answer.pipe(res)
    })
    onward.on('error', () => res.destroy())
    req.pipe(onward)
  }).listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  try {
    const page = await person({ baseURL: origin, ignoreHTTPSErrors: true })
    const who = newPersonInput({ firstName: 'Tess' })
    const joined = await page.request.post('/api/register/player', { headers: { origin }, data: who })
    expect(joined.status()).toBe(201)
    await page.context().clearCookies()

    await page.goto('/auth')
    await page.getByLabel('Email').fill(who.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL('/player/dashboard')
    const cookies = async () => (await page.context().cookies()).map(c => [c.name, c.secure, c.httpOnly, c.path]).sort()
    // The server recognizes the browser by this cookie, so a logout keeps it.
    const device = ['__Host-device', true, true, '/']
    const zone = ['zone', true, false, '/']
    const all = [device, ['__Host-known', true, false, '/'], ['__Host-session', true, true, '/'], zone]
    expect(await cookies()).toEqual(all)
    // Even without the flag in localStorage, the cookie `__Host-known` tells the page that there is a session.
    await page.evaluate(() => localStorage.clear())
    await page.goto('/faq')
    await expect(page.getByRole('banner').getByText('Hi, Tess')).toBeVisible()
    // Without the session cookie, the browser is signed out, and `__Host-known` is deleted.
    await page.context().clearCookies({ name: '__Host-session' })
    await page.reload()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    await expect.poll(cookies).toEqual([device, zone])

    await page.request.post('/api/login', { headers: { origin }, data: { username: who.email, password: TEST_PASSWORD } })
    await page.reload()
    expect(await cookies()).toEqual(all)
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('/auth')
    expect(await cookies()).toEqual([device, zone])
  } finally {
    proxy.close()
    proxy.closeAllConnections()
    await ours.stop()
  }
})

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../api/test-server.ts'

/** One request of each kind, with the status of its response. */
const answers: [request: string, status: number][] = [
  ['GET /faq', 200],
  ['HEAD /faq', 200],
  ['GET /_astro/app.abc123.js', 200],
  ['GET /img/social.png', 200],
  ['GET /robots.txt', 200],
  ['GET /sitemap.xml', 200],
  ['GET /faq/', 301],
  ['GET /player/folder', 301],
  ['GET /nothing', 404],
  ['POST /faq', 405],
  ['GET /api/health', 200],
  ['GET /api/instructors', 200],
  ['GET /api/openapi.json', 200],
  ['GET /api/user', 401],
  ['POST /api/logout', 204],
  ['POST /api/login', 400],
  ['OPTIONS /api/user', 204],
  ['PUT /api/user', 405],
  ['GET /api/nothing', 404],
  ['POST /api/landing-page/start', 303],
  ['GET /uploads/profile/nobody.webp', 404],
]

/** Runs `look` against the whole application, which is configured with this origin and serves a small site. */
async function served(
  origin: string,
  look: (get: (request: string) => Promise<Response>, h: TestServer) => Promise<void>,
  s3?: Record<string, string>,
) {
  const site = await mkdtemp(join(tmpdir(), 'diamondlink-site-'))
  for (const name of ['faq/index.html', 'player/dashboard/index.html', '_astro/app.abc123.js', 'img/social.png', '404.html']) {
    await mkdir(dirname(join(site, name)), { recursive: true })
    await writeFile(join(site, name), '<!doctype html><title>x</title>')
  }
  const h = await startTestServer({ origin, site, s3, work: true })
  const server = createServer(h.app.handler)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  try {
    await look(request => {
      const [method, path] = request.split(' ') as [string, string]
      const form = path.endsWith('/start') && { 'content-type': 'application/x-www-form-urlencoded' }
      const headers = { origin, ...(form || { 'content-type': 'application/json' }) }
      const body = path.endsWith('/start') ? 'email=lead@example.com' : path.endsWith('/login') ? '{' : undefined
      return fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: 'manual', headers, body })
    }, h)
  } finally {
    await new Promise(done => server.close(done).closeAllConnections())
    await h.end()
    await rm(site, { recursive: true })
  }
}

describe('every response', () => {
  test.each([
    ['https://ours.test', 'max-age=63072000; includeSubDomains'],
    ['http://ours.test', null],
  ])('has the security headers at %s', async (origin, transport) => {
    await served(origin, async get => {
      for (const [request, status] of answers) {
        const { status: answered, headers } = await get(request)
        expect([request, answered]).toEqual([request, status])
        const header = (name: string) => headers.get(name)
        expect([request, header('strict-transport-security')]).toEqual([request, transport])
        expect([request, header('x-content-type-options')]).toEqual([request, 'nosniff'])
        expect([request, header('referrer-policy')]).toEqual([request, 'strict-origin-when-cross-origin'])
        expect([request, header('cross-origin-resource-policy')]).toEqual([
          request,
          request.includes('/img/') ? 'cross-origin' : 'same-origin',
        ])
        for (const rule of ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
          expect([request, header('content-security-policy')]).toEqual([request, expect.stringContaining(rule)])
        expect([request, header('server'), header('x-powered-by')]).toEqual([request, null, null])
        if (request.includes('/api/') && !request.includes('openapi'))
          expect([request, header('cache-control')]).toEqual([request, 'no-store'])
      }
    })
  })
})

describe("the content security policy allows video requests to the store's origin", () => {
  test.each([
    [
      'Amazon with the bucket in the host name',
      { S3_ENDPOINT: '', S3_PATH_STYLE: 'false', S3_REGION: 'us-west-2' },
      'https://bucket.s3.us-west-2.amazonaws.com',
    ],
    ['Amazon with the bucket in the path', { S3_ENDPOINT: '' }, 'https://s3.us-east-1.amazonaws.com'],
    [
      'another host with the bucket in the host name',
      { S3_ENDPOINT: 'https://s3.test:9000', S3_PATH_STYLE: 'false' },
      'https://bucket.s3.test:9000',
    ],
    ['another host with the bucket in the path', { S3_ENDPOINT: 'https://s3.test:9000' }, 'https://s3.test:9000'],
    ['another host for browsers', { S3_PUBLIC_ENDPOINT: 'https://videos.test', S3_PATH_STYLE: 'false' }, 'https://bucket.videos.test'],
  ])('for %s', async (_, s3, storage) => {
    await served(
      'https://ours.test',
      async (get, { deps: { objects } }) => {
        const signed = [
          await objects.signPut('a', 'image/webp', 1),
          await objects.signPart({ key: 'a', uploadId: 'u' }, 1, 1),
          await objects.signPlayback('a', new Date()),
        ]
        expect(signed.map(url => new URL(url).origin)).toEqual([storage, storage, storage])
        const policy = (await get('GET /faq')).headers.get('content-security-policy')!.split('; ')
        expect(policy).toContain(`connect-src 'self' ${storage}`)
        expect(policy).toContain(`media-src 'self' blob: ${storage}`)
        expect(policy).toContain(`img-src 'self' data: blob: ${storage}`)
      },
      s3,
    )
  })
})

test('a request with two Host headers is refused for every path', async () => {
  const h = await startTestServer()
  const server = createServer(h.app.handler)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const ask = (path: string, hosts: string[]) =>
    new Promise<string>((done, fail) => {
      let answer = ''
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET ${path} HTTP/1.1\r\n${hosts.join('\r\n')}\r\nConnection: close\r\n\r\n`),
      )
      socket.on('data', data => {
        answer += data
      })
      socket.once('error', fail).once('close', () => done(answer.split('\r\n')[0]!))
    })
  try {
    for (const path of ['/api/health', '/faq', '/uploads/profile/x.webp']) {
      expect(await ask(path, ['Host: ours.test', 'hOST: evil.example'])).toBe('HTTP/1.1 400 Bad Request')
    }
    expect(await ask('/api/health', ['Host: ours.test', 'X-Host: evil.example'])).toBe('HTTP/1.1 200 OK')
  } finally {
    await new Promise(done => server.close(done))
    await h.end()
  }
})

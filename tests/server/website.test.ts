import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentSecurityPolicyFor } from '../../src/security-headers.ts'
import { buildOnDemandPageResponse, loadSiteFiles, type SiteFiles } from '../../src/server/page-responses.ts'
import { websiteHandler } from '../../src/server/website.ts'
import { writePrecompressedFiles } from '../../src/server/write-precompressed-files.ts'

const page = (title: string) => `<!doctype html><title>${title}</title><p>${'a long page '.repeat(50)}</p>`
const files = {
  'index.html': page('Home'),
  'landing-mobile/index.html': page('Phone'),
  '404.html': page('404 Page Not Found'),
  'faq/index.html': page('FAQ'),
  'player/folder/index.html': page('Folder'),
  'player/dashboard/index.html': page('Dashboard'),
  'player/connect-instructor/index.html': page('Connect'),
  'player/select-instructor/index.html': page('Select'),
  'instructor/dashboard/index.html': page('Instructor'),
  'instructor/profile-editor/index.html': page('Editor'),
  '_astro/app.abc123.js': `console.log(${'1+'.repeat(400)}1)`,
  'img/social.png': 'not really a picture',
  'robots.txt': 'User-agent: *',
}

let directory: string
let server: Server
let site: SiteFiles
const siteOrigins = { origin: 'https://ours.test', storage: 'https://videos.test:9000' }
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'diamondlink-site-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), content)
  }
  await writePrecompressedFiles(directory)
  site = await loadSiteFiles(directory, siteOrigins)
  const profile = await buildOnDemandPageResponse({ type: 'text/html', body: page('Casey') }, siteOrigins)
  server = createServer(
    websiteHandler(
      site,
      {
        paths: new Set(['/start']),
        find: path => {
          if (path === '/start' || path === '/i/casey') return { page: profile }
          if (path === '/i/old-casey') return Promise.resolve({ moved: '/i/casey', mayMoveBack: true })
          if (path === '/i/broken') return Promise.reject(new Error('the database is away'))
          return path.startsWith('/i/') && path.lastIndexOf('/') === 2 ? null : undefined
        },
      },
      { paths: [], find: () => undefined },
    ),
  )
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  await new Promise(done => server.close(done))
  await rm(directory, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, string>; bytes: Buffer; title: string | undefined }>((done, fail) => {
    const { port } = server.address() as AddressInfo
    request({ port, path, method, headers, agent: false }, res => {
      const chunks: Buffer[] = []
      res.on('data', chunk => chunks.push(chunk))
      res.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const how = res.headers['content-encoding']
        const text = (how === 'br' ? brotliDecompressSync(bytes) : how === 'gzip' ? gunzipSync(bytes) : bytes).toString()
        done({
          status: res.statusCode!,
          headers: res.headers as Record<string, string>,
          bytes,
          title: /<title>(.*?)<\/title>/.exec(text)?.[1],
        })
      })
    })
      .on('error', fail)
      .end()
  })

describe('the website', () => {
  test('serves each page at exactly one address', async () => {
    expect((await get('/')).title).toBe('Home')
    expect((await get('/faq?from=mail')).title).toBe('FAQ')
    for (const path of ['/faq/', '/faq/index.html', '/faq.html']) {
      const { status, headers } = await get(path)
      expect([status, headers.location]).toEqual([301, '/faq'])
    }
    expect((await get('/start/?step=role')).headers.location).toBe('/start?step=role')
    expect((await get('/index.html')).headers.location).toBe('/')
  })
  test('serves a different landing page to phones at the same address', async () => {
    for (const agent of ['iPhone', 'iPad', 'iPod', 'Linux; Android 16']) {
      expect((await get('/', { 'user-agent': `Mozilla/5.0 (${agent})` })).title).toBe('Phone')
    }
    expect((await get('/', { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' })).title).toBe('Home')
    expect((await get('/landing-mobile')).status).toBe(404)
    expect((await get('/landing-mobile/index.html')).status).toBe(404)
    expect((await get('/')).headers.vary).toBe('User-Agent, Accept-Encoding')
    expect((await get('/faq')).headers.vary).toBe('Accept-Encoding')
  })
  test('shows the 404 page with status 404', async () => {
    for (const path of [
      '/nothing',
      '/404',
      '/404.html',
      '/i',
      '/i/',
      '/i/nobody',
      '//evil.test',
      '/%2e%2e/etc/passwd',
      '/faq/more',
      '/player/folder/a/b',
    ]) {
      const { status, title } = await get(path)
      expect([path, status, title]).toEqual([path, 404, '404 Page Not Found'])
    }
  })
  test('serves the same page for every folder id or instructor id', async () => {
    expect((await get('/player/folder/0190-x')).title).toBe('Folder')
    expect((await get('/player/select-instructor/0190-x')).title).toBe('Select')
  })
  test('redirects as specified, and keeps the query', async () => {
    const to = async (path: string) => {
      const { status, headers } = await get(path)
      return [status, headers.location]
    }
    expect(await to('/player/select-instructor')).toEqual([301, '/player/connect-instructor'])
    expect(await to('/player/select-instructor?invite=ABC')).toEqual([301, '/player/connect-instructor?invite=ABC'])
    expect(await to('/player/folder')).toEqual([301, '/player/dashboard'])
    expect(await to('/instructor/casey')).toEqual([301, '/i/casey'])
    expect(await to('/instructor/profile/casey')).toEqual([301, '/i/casey'])
    expect(await to('/instructor/casey/')).toEqual([301, '/i/casey'])
    expect((await get('/instructor/dashboard')).title).toBe('Instructor')
    expect((await get('/instructor/profile-editor')).title).toBe('Editor')
    expect((await get('/instructor/%0d%0aset-cookie')).status).toBe(404)
  })
  test('serves profiles, redirects their former URLs, and answers 503 in an outage', async () => {
    expect((await get('/i/casey')).title).toBe('Casey')
    expect((await get('/i/old-casey')).headers.location).toBe('/i/casey')
    expect((await get('/i/broken')).status).toBe(503)
  })
  test("makes caches revalidate the redirect from a profile's former address", async () => {
    expect((await get('/i/old-casey')).headers['cache-control']).toBe('no-cache')
    expect((await get('/faq/')).headers['cache-control']).toBe('public, max-age=3600')
  })
  test('redirects a URL with a trailing slash', async () => {
    for (const path of ['/i/casey', '/player/folder/0190-x', '/player/select-instructor/0190-x']) {
      const { status, headers } = await get(`${path}/?from=mail`)
      expect([status, headers.location]).toEqual([301, `${path}?from=mail`])
    }
    for (const path of ['/instructor/dashboard', '/player/folder']) expect((await get(`${path}/`)).headers.location).toBe(path)
    for (const path of ['/i//', '//evil.test/', '/i//evil.test/', '/player/folder//', '/nothing/'])
      expect((await get(path)).status).toBe(404)
  })
  test('sends the smallest encoding that the client accepts', async () => {
    const at = async (accept: string) => (await get('/faq', { 'accept-encoding': accept })).headers['content-encoding']
    expect(await at('gzip, deflate, br, zstd')).toBe('br')
    expect(await at('gzip')).toBe('gzip')
    expect(await at('br;q=0, gzip')).toBe('gzip')
    expect(await at('br;q=0.5')).toBe('br')
    expect(await at('identity')).toBeUndefined()
    const { bytes, headers, title } = await get('/faq', { 'accept-encoding': 'br' })
    expect([headers['content-length'], title]).toEqual([String(bytes.length), 'FAQ'])
  })
  test('answers a request for an unchanged page with 304, for strong and weak tags', async () => {
    const { headers } = await get('/faq', { 'accept-encoding': 'br' })
    expect(headers.etag).toMatch(/^"[\w-]+-br"$/)
    const at = async (tag: string) => get('/faq', { 'accept-encoding': 'br', 'if-none-match': tag })
    const same = await at(`"other", W/${headers.etag}`)
    expect([same.status, same.bytes.length, same.headers.etag, same.headers['content-security-policy']]).toEqual([
      304,
      0,
      headers.etag,
      headers['content-security-policy'],
    ])
    expect((await at('"other"')).status).toBe(200)
    expect((await get('/faq', { 'if-none-match': headers.etag! })).status).toBe(200)
  })
  test('allows only files with a hash in their name to be cached forever', async () => {
    expect((await get('/_astro/app.abc123.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get('/faq')).headers['cache-control']).toBe('no-cache')
    expect((await get('/img/social.png')).headers['content-encoding']).toBeUndefined()
  })
  test('answers HEAD without a body, and refuses methods other than GET and HEAD', async () => {
    const head = await get('/faq', {}, 'HEAD')
    expect([head.status, head.bytes.length, Number(head.headers['content-length'])]).toEqual([200, 0, files['faq/index.html'].length])
    const post = await get('/faq', {}, 'POST')
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD'])
  })
  test('sends the security headers', async () => {
    const { headers } = await get('/faq')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
    })
    expect(headers['x-powered-by'] ?? headers.server).toBeUndefined()
  })
})

describe('the content security policy', () => {
  const html = `<script>one</script><script type="module">two</script><script src="/x.js"></script>
    <script type="application/ld+json">{"a":1}</script><style>p{}</style><p style="color:red">x</p><i style="a:&quot;b&quot;">y</i>`

  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const rule = (name: string, csp: string) => csp.split('; ').find(r => r.startsWith(`${name} `))!
  test('allows inline scripts and styles only by their hashes', () => {
    const csp = contentSecurityPolicyFor(html, siteOrigins)
    expect(rule('script-src', csp)).toBe(`script-src 'self' ${hash('one')} ${hash('two')}`)
    expect(rule('style-src', csp)).toBe(`style-src 'self' ${hash('p{}')}`)
    expect(rule('style-src-attr', csp)).toBe(`style-src-attr 'unsafe-hashes' ${hash('color:red')} ${hash('a:"b"')}`)
    expect(csp).not.toContain("'unsafe-inline'")
    expect(csp).not.toContain("'unsafe-eval'")
    expect(rule('frame-ancestors', csp)).toBe("frame-ancestors 'none'")
    expect(rule('connect-src', csp)).toBe("connect-src 'self' https://videos.test:9000")
    expect(rule('media-src', csp)).toContain('https://videos.test:9000')
    expect(csp).toContain('upgrade-insecure-requests')
    expect(contentSecurityPolicyFor(html, { ...siteOrigins, origin: 'http://localhost' })).not.toContain('upgrade-insecure-requests')
  })
  test('does not mistake text in an attribute or comment for a script', () => {
    const written = `<meta content="</script><script>evil</script><i style=red>"><!-- <script>evil</script> --><p title="<style>evil</style>">x</p>`
    expect(contentSecurityPolicyFor(`${written}${html}`, siteOrigins)).toBe(contentSecurityPolicyFor(html, siteOrigins))
  })
})

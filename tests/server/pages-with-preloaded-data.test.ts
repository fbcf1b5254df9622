import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import type { PreloadedPageData } from '../../src/page-load/preloaded-page-data-context.ts'
import type { PageWithPhoneVariant } from '../../src/server/page-responses.ts'
import { pagesWithPreloadedData } from '../../src/server/pages-with-preloaded-data.ts'

const siteOrigins = { origin: 'https://ours.test', storage: 'https://videos.test' }
const cookies = '__Host-session=abc; known=1; zone=America/Chicago; read=f00000001; seen=41'

let apiRequests: Request[]
let rendered: string[]
/** The API's responses by path and query; for any other path, the API returns that path. */
let answers: Record<string, () => Response | Promise<Response>>
/** Whether React streams a part of the page after its placeholder. */
let isStreamed: boolean
let pages: ReturnType<typeof pagesWithPreloadedData>
let logged: string[]
beforeEach(() => {
  logged = []
  apiRequests = []
  rendered = []
  isStreamed = false
  answers = {}
  const ask = (request: Request) => {
    const { pathname, search } = new URL(request.url)
    apiRequests.push(request)
    return answers[pathname + search]?.() ?? Response.json({ from: pathname + search })
  }
  const render = async (path: string, { preloaded }: { preloaded?: string }) => {
    rendered.push(preloaded ? 'personal' : 'empty')
    if (preloaded && isStreamed) return { type: 'text/html', body: '<p>…</p><!--$?--><script>later()</script>' }
    return { type: 'text/html', body: `<!doctype html><p data-path="${path}">${preloaded ?? 'empty'}</p><script>1</script>` }
  }
  pages = pagesWithPreloadedData(ask, render, siteOrigins, { log: pino({}, { write: line => logged.push(line) }), answerTimeoutMs: 50 })
})

async function openPage(path: string, cookie: string | undefined = cookies, search = '') {
  const req = { headers: { ...(cookie && { cookie }), 'accept-encoding': 'br' } } as IncomingMessage
  const found = (await pages.find(path, search, req)) as PageWithPhoneVariant
  const { identity, br, gzip } = found.page
  const all = [identity, ...[br, gzip].filter(v => v !== undefined)].map(({ headers }) => {
    return Object.fromEntries(headers.flatMap((name, i) => (i % 2 ? [] : [[name, headers[i + 1]]])))
  })
  const html = identity.body.toString()
  if (br) expect(brotliDecompressSync(br.body).toString()).toBe(html)
  const json = /<p [^>]*>([\s\S]*)<\/p>/.exec(html)![1]!
  return { all, preloaded: json === 'empty' ? undefined : (JSON.parse(json) as PreloadedPageData) }
}

test("a signed-in person gets an uncached page with the API's data", async () => {
  const { preloaded, all } = await openPage('/player/dashboard')
  expect(preloaded).toMatchObject({ timeZone: 'America/Chicago', readMarks: 'f00000001', address: '/player/dashboard' })
  expect(preloaded!.answers).toEqual(
    Object.fromEntries(['/api/user', '/api/folders', '/api/billing/open'].map(path => [path, { from: path }])),
  )
  for (const headers of all) {
    expect(headers['cache-control']).toBe('private, no-store')
    expect(headers['content-security-policy']).toContain("script-src 'self' 'sha256-")
  }
  for (const { headers } of apiRequests) {
    expect(headers.get('cookie')).toBe(cookies)
    expect(headers.get('x-seen')).toBe('41')
  }
})

test('only the scripts of the page without data may run, whatever the data contains', async () => {
  const policyOf = ({ all }: Awaited<ReturnType<typeof openPage>>) => all[0]!['content-security-policy']
  answers['/api/folders'] = () => Response.json({ name: '<script>alert(1)</script>' })
  expect(policyOf(await openPage('/player/dashboard'))).toBe(policyOf(await openPage('/player/dashboard', 'zone=America/Chicago')))
})

test('a page that cannot be rendered in one piece is sent without personal data', async () => {
  isStreamed = true
  expect(await openPage('/player/dashboard')).toMatchObject(empty)
  expect(rendered.filter(which => which === 'personal')).toHaveLength(1)
})

test('the data of a page is requested with the id and session in its URL', async () => {
  const folder = '018f0000-0000-7000-8000-00000000000a'
  const { preloaded } = await openPage(`/instructor/folder/${folder}`, cookies, '?session=0190-b&new')
  expect(preloaded!.address).toBe(`/instructor/folder/${folder}?session=0190-b&new`)
  expect(Object.keys(preloaded!.answers)).toEqual(['/api/user', `/api/folders/${folder}?session=0190-b`])
})

test.each(['.', '%2e%2e', '..', '%', '%E0%A4%A', 'someone', '018f0000-0000-7000-8000-00000000000a%2f..'])(
  'a URL that does not end in an id causes no request and no log entry: "%s"',
  async segment => {
    expect(await openPage(`/player/folder/${segment}`)).toMatchObject(empty)
    expect([apiRequests, logged]).toEqual([[], []])
  },
)

test('two people never get the same page', async () => {
  answers['/api/user'] = () => Response.json({ cookie: apiRequests.at(-1)!.headers.get('cookie') })
  const [one, other] = [await openPage('/player/dashboard'), await openPage('/player/dashboard', cookies.replace('abc', 'xyz'))]
  expect(one.preloaded!.answers['/api/user']).not.toEqual(other.preloaded!.answers['/api/user'])
})

const empty = { preloaded: undefined, all: expect.arrayContaining([expect.objectContaining({ 'cache-control': 'no-cache' })]) }

test.each([
  ['nobody is signed in', 'zone=America/Chicago'],
  ['the request has no cookies', undefined],
  ['its time zone is not known', '__Host-session=abc'],
  ['its time zone is invalid', '__Host-session=abc; zone=Nowhere/Else'],
  ['the device has unsent data of its own', `${cookies}; plain=1`],
])('a screen has no personal data and causes no request if %s', async (_, cookie) => {
  expect(await openPage('/player/dashboard', cookie ?? '')).toMatchObject(empty)
  expect(apiRequests).toEqual([])
})

test.each([
  ['is refused', () => Response.json({}, { status: 401 })],
  ['fails', () => Response.json({}, { status: 503 })],
  ['is older than the last write', () => Response.json({}, { headers: { 'x-stale': 'true' } })],
  ['throws', () => Promise.reject(new Error('gone'))],
  ['does not come', () => new Promise<Response>(() => {})],
])('a screen has no personal data if an answer %s', async (_, answer) => {
  answers['/api/folders'] = answer
  expect(await openPage('/player/dashboard')).toMatchObject(empty)
})

test('the page without personal data is rendered once', async () => {
  for (let i = 0; i < 3; i++) await openPage('/player/dashboard', 'zone=America/Chicago')
  expect(rendered).toEqual(['empty'])
})

test('a path that is not a screen is ignored', () => {
  for (const path of ['/faq', '/player/video-test/1', '/player/folder', '/i/casey'])
    expect(pages.find(path, '', { headers: {} } as IncomingMessage), path)[path === '/player/folder' ? 'toBeDefined' : 'toBeUndefined']()
})

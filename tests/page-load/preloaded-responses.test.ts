import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendApiRequest } from '../../src/client/api.ts'
import { preloadScript } from '../../src/page-load/preload-script.ts'

const ID = '0190'
const answer = { clips: [{ poster: '/first.webp' }, { poster: null }], session: { clips: [{ poster: '/second.webp' }] } }
let requested: [path: string, minPosition: string | undefined][]
let stills: string[]
let fail: boolean
let reload: () => void
let attributes: { classes: string[]; dataset: Record<string, string>; style: { display?: string } }
let stored: Record<string, string>
const take = (path: string) => globalThis.preloadedQueries?.take(path)

beforeEach(() => {
  ;[requested, stills, fail, stored, reload] = [[], [], false, {}, vi.fn()]
  attributes = { classes: ['signed-in'], dataset: {}, style: {} }
  const cookies: string[] = []
  const props = JSON.stringify({ preloaded: [0, JSON.stringify({ answers: { '/api/user': { id: 'casey' } } })] })
  vi.stubGlobal('document', {
    documentElement: { ...attributes, classList: { contains: (name: string) => attributes.classes.includes(name) } },
    querySelector: () => ({ getAttribute: () => props }),
    get cookie() {
      return cookies.join('; ')
    },
    set cookie(cookie: string) {
      cookies.push(cookie.split(';')[0]!)
    },
  })
  vi.stubGlobal('location', { pathname: `/player/folder/${ID}`, search: '?session=0191', protocol: 'https:', reload })
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored[key] ?? null })
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => (key === 'position' ? '7' : null) })
  vi.stubGlobal('fetch', async (path: string, { headers }: { headers: Record<string, string> }) => {
    requested.push([path, headers['x-seen']])
    if (fail) throw new TypeError('offline')
    return Response.json(answer)
  })
  vi.stubGlobal(
    'Image',
    class {
      set src(src: string) {
        stills.push(src)
      }
    },
  )
  vi.stubGlobal('preloadedQueries', undefined)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** Runs the script as the browser does: in the global scope, without the variables of its module. */
const runInlineScript = () => new Function(preloadScript(['/api/folders/{id}']))()
const folder = `/api/folders/${ID}?session=0191`

test("the inline script requests a screen's queries, and each response is used once", async () => {
  runInlineScript()
  expect(requested).toEqual([
    ['/api/user', '7'],
    [folder, '7'],
  ])
  expect(await (await take(folder))!.json()).toEqual(answer)
  expect(take(folder)).toBeUndefined()
  expect(take('/api/billing')).toBeUndefined()
  await expect.poll(() => stills).toEqual(['/second.webp', '/first.webp'])
})

test('the API client repeats a preloaded request that failed', async () => {
  fail = true
  runInlineScript()
  fail = false
  expect(await sendApiRequest('GET', '/api/user')).toEqual(answer)
  expect(requested.map(([path]) => path)).toEqual(['/api/user', folder, '/api/user'])
})

test('only a GET uses a preloaded response', async () => {
  runInlineScript()
  await sendApiRequest('POST', '/api/user')
  expect(requested).toHaveLength(3)
  await sendApiRequest('GET', '/api/user')
  expect(requested).toHaveLength(3)
})

test('a page with embedded responses sends no request and uses each once', async () => {
  attributes.dataset.preloaded = ''
  runInlineScript()
  expect(requested).toEqual([])
  expect(await (await take('/api/user'))!.json()).toEqual({ id: 'casey' })
  expect(take('/api/user')).toBeUndefined()
})

test.each([
  ['a logout that the server has not confirmed', { logout: 'true' }],
  ['an upload that was interrupted', { 'unfinished-uploads': '{"0190":{}}' }],
])('a page with embedded responses reloads without them after %s', (_, storedValues) => {
  stored = storedValues
  attributes.dataset.preloaded = ''
  runInlineScript()
  expect(document.cookie).toContain('plain=1')
  expect(reload).toHaveBeenCalledOnce()
  expect(attributes.style.display).toBe('none')
})

test('the script preloads nothing without a session or during a logout', async () => {
  stored = { logout: 'true' }
  runInlineScript()
  attributes.classes = []
  stored = {}
  runInlineScript()
  expect(requested).toEqual([])
  expect(take('/api/user')).toBeUndefined()
})

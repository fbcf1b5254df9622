import { afterEach, expect, test, vi } from 'vitest'
import { queryStore } from '../../src/client/query-cache.ts'
import { createDeliveredVoiceUrlLoader } from '../../src/voice/delivered-voice-url-loader.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A folder with one voice-over, as the server returns it with this URL. */
const folderWith = (url: string) => ({ clips: [], session: { id: 'session', clips: [{ id: 'swing' }], voices: [{ id: 'voice', url }] } })

test.each([
  ['without a session', '', {}],
  ['with a session', '?session=session', { session: 'session' }],
])('a voice-over whose URL has expired gets a new one at an address %s', async (_, search, query) => {
  const folder = `folder${search}`
  vi.stubGlobal('location', { pathname: `/player/folder/${folder}`, search })
  vi.stubGlobal('fetch', async () => Response.json(folderWith('/renewed.m4a')))
  // The page renders the response to this request, which takes the session from the page's URL.
  const key = `GET /api/folders/{folder} ${JSON.stringify({ params: { folder }, query })}`
  const page = queryStore(key, async () => folderWith('/signed.m4a'))
  const unsubscribe = page.listen(() => {})
  await expect.poll(() => page.get().data).toBeDefined()
  const sound = createDeliveredVoiceUrlLoader(() => ({ folder, session: (page.get().data as { session: never }).session }))
  const voice = { id: 'voice', video: 'swing' }
  expect([await sound(voice), await sound(voice)]).toEqual(['/signed.m4a', '/renewed.m4a'])
  unsubscribe()
})

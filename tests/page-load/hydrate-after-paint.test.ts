import { afterEach, expect, test, vi } from 'vitest'
import { afterFirstPaint } from '../../src/page-load/first-paint.ts'
import hydrateAfterPaint from '../../src/page-load/hydrate-after-paint.ts'

vi.mock('../../src/page-load/first-paint.ts')
afterEach(() => vi.unstubAllGlobals())

/** An island whose renderer module is requested when its URL is read. */
function createIsland(preloaded: boolean) {
  const firstPaint = Promise.withResolvers<void>()
  vi.mocked(afterFirstPaint).mockReturnValue(firstPaint.promise)
  vi.stubGlobal('document', { documentElement: { dataset: preloaded ? { preloaded: '' } : {} } })
  const getAttribute = vi.fn(() => 'data:text/javascript,')
  const island = Object.assign(new EventTarget(), { dataset: {}, getAttribute }) as unknown as HTMLElement
  const hydrated = Promise.withResolvers<void>()
  hydrateAfterPaint(async () => async () => hydrated.resolve(), {}, island)
  return { island, firstPaint, requestsReact: () => getAttribute.mock.calls.length > 0, hydrated: hydrated.promise }
}

test('a page with data requests React only after its first paint', async () => {
  const { firstPaint, requestsReact, hydrated } = createIsland(true)
  await Promise.resolve()
  expect(requestsReact()).toBe(false)
  firstPaint.resolve()
  await hydrated
  expect(requestsReact()).toBe(true)
})

test('an interaction before the first paint starts the hydration at once', async () => {
  const { island, hydrated } = createIsland(true)
  island.dispatchEvent(new Event('focusin'))
  await hydrated
})

test('a page without data hydrates at once', async () => {
  await createIsland(false).hydrated
})

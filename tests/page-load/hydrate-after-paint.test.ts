import { afterEach, expect, test, vi } from 'vitest'
import { afterFirstPaint } from '../../src/page-load/after-first-paint.ts'
import hydrateAfterPaint from '../../src/page-load/hydrate-after-paint.ts'

vi.mock('../../src/page-load/after-first-paint.ts')
afterEach(() => vi.unstubAllGlobals())

const ALL_MODULES = ['modulepreload /a.js', 'modulepreload /b.js']

/** Creates an island. `requestsReact`: whether the URL of its renderer, React, has been read, which the code does only to import React. */
function createIsland(preloaded: boolean) {
  const firstPaint = Promise.withResolvers<void>()
  vi.mocked(afterFirstPaint).mockReturnValue(firstPaint.promise)
  const requested: string[] = []
  vi.stubGlobal('document', {
    documentElement: { dataset: preloaded ? { preloaded: '' } : {} },
    createElement: () => ({}),
    head: { append: (link: { rel: string; href: string }) => requested.push(`${link.rel} ${link.href}`) },
  })
  const getAttribute = vi.fn(() => 'data:text/javascript,')
  const island = Object.assign(new EventTarget(), { dataset: { modules: '/a.js /b.js' }, getAttribute }) as unknown as HTMLElement
  const hydrated = Promise.withResolvers<void>()
  hydrateAfterPaint(async () => async () => hydrated.resolve(), {}, island)
  return { island, firstPaint, requested, requestsReact: () => getAttribute.mock.calls.length > 0, hydrated: hydrated.promise }
}

test('a page with data requests its modules only after its first paint', async () => {
  const { firstPaint, requested, requestsReact, hydrated } = createIsland(true)
  await Promise.resolve()
  expect([requestsReact(), requested]).toEqual([false, []])
  firstPaint.resolve()
  await hydrated
  expect(requestsReact()).toBe(true)
  expect(requested).toEqual(ALL_MODULES)
})

test('an interaction before the first paint starts the hydration immediately', async () => {
  const { island, hydrated } = createIsland(true)
  island.dispatchEvent(new Event('focusin'))
  await hydrated
})

test('a page without data requests all modules and hydrates immediately', async () => {
  const { requested, hydrated } = createIsland(false)
  expect(requested).toEqual(ALL_MODULES)
  await hydrated
})

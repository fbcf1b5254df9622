import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

/** The page's buttons, by the view that each is in. */
const buttons = { asked: button('off'), off: button('on'), on: button('off'), failed: button('off') }
function button(press: string) {
  return { dataset: { press }, onclick: () => {} }
}

test('"Try again" repeats the press that failed', async () => {
  const views = Object.keys(buttons).map(view => ({ dataset: { view }, hidden: true }))
  const shown = () => views.find(view => !view.hidden)?.dataset.view
  vi.stubGlobal('location', { search: `?token=${'a'.repeat(43)}` })
  vi.stubGlobal('document', {
    querySelectorAll: (selector: string) => (selector === '[data-view]' ? views : Object.values(buttons)),
    querySelector: (selector: string) => (selector.endsWith('[data-press]') ? buttons.failed : null),
  })
  const sent: string[] = []
  let isOnline = true
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    sent.push(method!)
    if (!isOnline) throw new TypeError('Failed to fetch')
    return new Response(null, { status: 204 })
  })
  await import('../../../src/islands/unsubscribe/unsubscribe-page-script.ts')
  buttons.asked.onclick()
  await expect.poll(shown).toBe('off')
  isOnline = false
  buttons.off.onclick()
  await expect.poll(shown).toBe('failed')
  isOnline = true
  buttons.failed.onclick()
  await expect.poll(shown).toBe('on')
  expect(sent).toEqual(['POST', 'DELETE', 'DELETE'])
})

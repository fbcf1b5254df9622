import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { redirectAfterToast } from '../../src/accounts/redirect-after-auth.ts'
import { navigateAndWaitForReturn } from '../../src/client/navigate-and-wait-for-return.ts'

/** Stand-ins for the page's window, which receives events, and for its location. */
let page: EventTarget
const location = { assign: vi.fn(), reload: vi.fn() }

beforeEach(() => {
  page = new EventTarget()
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('location', location)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

const show = (persisted: boolean) => page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
/** Leaves for `url`. @returns an object whose `isOver` says whether the visitor is back */
function leave(url: string) {
  const left = { isOver: false }
  navigateAndWaitForReturn(url).then(() => (left.isOver = true))
  return left
}

test('the wait for a return ends only when the Back button restores the page', async () => {
  const left = leave('https://stripe.example/pay')
  expect(location.assign).toHaveBeenCalledWith('https://stripe.example/pay')
  show(false)
  await vi.runAllTimersAsync()
  expect(left.isOver).toBe(false)
  show(true)
  await vi.runAllTimersAsync()
  expect(left.isOver).toBe(true)
})

test('the wait for a return ends when the visitor stays to let an upload finish', async () => {
  page.addEventListener('beforeunload', event => event.preventDefault())
  const left = leave('https://stripe.example/pay')
  page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  await vi.runAllTimersAsync()
  expect(left.isOver).toBe(true)
})

test('without a leave prompt, the wait goes on however long the next page takes', async () => {
  const left = leave('https://stripe.example/pay')
  page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  await vi.runAllTimersAsync()
  expect(left.isOver).toBe(false)
})

test('a login page that is restored by the Back button reloads itself', async () => {
  redirectAfterToast('/player/dashboard')
  await vi.runAllTimersAsync()
  expect(location.assign).toHaveBeenCalledWith('/player/dashboard')
  expect(location.reload).not.toHaveBeenCalled()
  show(true)
  await vi.runAllTimersAsync()
  expect(location.reload).toHaveBeenCalledOnce()
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterFirstPaint } from '../../src/page-load/first-paint.ts'

/** A page with embedded data, before it is painted. */
let paint: () => void
let frame: () => void
let press: () => void
let pictures: Record<
  'first' | 'second' | 'far',
  { src: string; loading: string; decode: () => Promise<void>; done: PromiseWithResolvers<void> }
>
let dataset: Record<string, string>
let hidden: boolean

beforeEach(() => {
  vi.useFakeTimers()
  paint =
    frame =
    press =
      () => {
        throw new Error('Nobody waits for it.')
      }
  const picture = (loading: string, src = 'x.webp') => {
    const done = Promise.withResolvers<void>()
    return { src, loading, done, decode: () => done.promise }
  }
  pictures = { first: picture('eager'), second: picture('eager'), far: picture('lazy') }
  dataset = { preloaded: '' }
  hidden = false
  vi.stubGlobal('document', {
    get hidden() {
      return hidden
    },
    documentElement: { dataset },
    // The last is filled in by a script.
    images: [...Object.values(pictures), picture('eager', '')],
  })
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      told: () => void
      constructor(told: () => void) {
        this.told = told
      }
      observe({ type }: { type: string }) {
        if (type === 'paint') paint = this.told
      }
    },
  )
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => {
    frame = act
  })
  vi.stubGlobal('addEventListener', (type: string, act: () => void) => {
    if (type === 'pointerdown') press = act
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Whether the first paint is over, after all pending promises have run. */
function look() {
  let is = false
  afterFirstPaint().then(() => {
    is = true
  })
  return async () => {
    await vi.advanceTimersByTimeAsync(0)
    return is
  }
}

test('the first paint is over once the first pictures have loaded or failed', async () => {
  const isSeen = look()
  expect(await isSeen()).toBe(false)
  paint()
  expect(await isSeen()).toBe(false)
  pictures.first.done.resolve()
  expect(await isSeen()).toBe(false)
  pictures.second.done.reject(new Error('gone'))
  expect(await isSeen()).toBe(false)
  frame()
  expect(await isSeen()).toBe(true)
})

test('an interaction ends the wait for pictures', async () => {
  const isSeen = look()
  press()
  expect(await isSeen()).toBe(true)
})

test('the wait for a paint and for pictures is limited in time', async () => {
  const isSeen = look()
  await vi.advanceTimersToNextTimerAsync()
  expect(await isSeen()).toBe(false)
  await vi.advanceTimersToNextTimerAsync()
  expect(await isSeen()).toBe(true)
})

test.each([
  ['has no embedded data', () => delete dataset.preloaded],
  ['is in the background', () => (hidden = true)],
])('a page that %s does not wait for a paint', async (_, so) => {
  so()
  expect(await look()()).toBe(true)
})

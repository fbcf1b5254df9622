import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterFirstPaint } from '../../src/page-load/after-first-paint.ts'

type Picture = Pick<HTMLImageElement, 'src' | 'loading' | 'decode'> & {
  getBoundingClientRect: () => { top: number; bottom: number }
  done: PromiseWithResolvers<void>
}

/** Callbacks of the code under test: `paint` reports the first paint, `frame` runs an animation frame, `press` a pointer press. */
let paint: () => void
let frame: () => void
let press: () => void
let pictures: Record<'first' | 'second' | 'inView' | 'farBelow' | 'scrolledPast' | 'hidden', Picture>
let dataset: Record<string, string>
let hidden: boolean

beforeEach(() => {
  vi.useFakeTimers()
  paint =
    frame =
    press =
      () => {
        throw new Error('Nothing is waiting for this event.')
      }
  const picture = (loading: Picture['loading'], [top, bottom]: [number, number], src = 'x.webp'): Picture => {
    const done = Promise.withResolvers<void>()
    return { src, loading, done, decode: () => done.promise, getBoundingClientRect: () => ({ top, bottom }) }
  }
  pictures = {
    first: picture('eager', [0, 100]),
    second: picture('eager', [900, 1000]),
    inView: picture('lazy', [700, 800]),
    farBelow: picture('lazy', [900, 1000]),
    scrolledPast: picture('lazy', [-200, -100]),
    hidden: picture('lazy', [0, 0]),
  }
  dataset = { preloaded: '' }
  hidden = false
  vi.stubGlobal('document', {
    get hidden() {
      return hidden
    },
    documentElement: { dataset },
    // The last image has no URL until a script sets one.
    images: [...Object.values(pictures), picture('eager', [0, 100], '')],
  })
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      onEntries: () => void
      constructor(onEntries: () => void) {
        this.onEntries = onEntries
      }
      observe({ type }: { type: string }) {
        if (type === 'paint') paint = this.onEntries
      }
    },
  )
  vi.stubGlobal('innerHeight', 844)
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

/** Starts waiting for the first paint. Returns a function that settles pending promises and then tells whether the wait is over. */
function startWaiting() {
  let isOver = false
  afterFirstPaint().then(() => {
    isOver = true
  })
  return async () => {
    await vi.advanceTimersByTimeAsync(0)
    return isOver
  }
}

test('afterFirstPaint waits until the first pictures have loaded or failed', async () => {
  const isOver = startWaiting()
  expect(await isOver()).toBe(false)
  paint()
  expect(await isOver()).toBe(false)
  pictures.first.done.resolve()
  expect(await isOver()).toBe(false)
  pictures.second.done.reject(new Error('gone'))
  expect(await isOver()).toBe(false)
  pictures.inView.done.resolve()
  expect(await isOver()).toBe(false)
  frame()
  expect(await isOver()).toBe(true)
})

test('afterFirstPaint waits for a lazy picture only if it is in view', async () => {
  const isOver = startWaiting()
  paint()
  pictures.first.done.resolve()
  pictures.second.done.resolve()
  expect(await isOver()).toBe(false)
  expect(frame).toThrow('Nothing is waiting')
  pictures.inView.done.resolve()
  expect(await isOver()).toBe(false)
  frame()
  expect(await isOver()).toBe(true)
})

test('a press ends the wait for the first paint immediately', async () => {
  const isOver = startWaiting()
  press()
  expect(await isOver()).toBe(true)
})

test('the waits for the paint and for the pictures have a time limit', async () => {
  const isOver = startWaiting()
  await vi.advanceTimersToNextTimerAsync()
  expect(await isOver()).toBe(false)
  await vi.advanceTimersToNextTimerAsync()
  expect(await isOver()).toBe(true)
})

test.each([
  ['has no embedded data', () => delete dataset.preloaded],
  ['is in the background', () => (hidden = true)],
])('afterFirstPaint does not wait for a page that %s', async (_, changePage) => {
  changePage()
  expect(await startWaiting()()).toBe(true)
})

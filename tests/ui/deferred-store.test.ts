import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listenDeferred, updateCanvasFirst } from '../../src/ui/deferred-store.ts'

let frames: (() => void)[]
beforeEach(() => {
  frames = []
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', (then: () => void) => frames.push(then))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
/** A frame of the screen, and what comes right after it. */
const frame = async () => {
  for (const then of frames.splice(0)) then()
  await vi.advanceTimersByTimeAsync(0)
}
/** A canvas that listens directly, and a list that follows. */
function page(...stores: ReturnType<typeof atom<number>>[]) {
  const seen = { canvas: [] as number[][], list: [] as number[][] }
  const all = () => stores.map(store => store.get())
  const stop = stores.flatMap(store => [
    store.listen(() => void seen.canvas.push(all())),
    listenDeferred(store, () => void seen.list.push(all())),
  ])
  return { ...seen, leave: () => stop.forEach(end => void end()) }
}

test('canvas-first changes are true at once, and reach later listeners once per frame', async () => {
  const [$a, $b] = [atom(0), atom(0)]
  const { canvas, list } = page($a, $b)
  updateCanvasFirst(() => {
    $a.set(1)
    $a.set(2)
    $b.set(3)
  })
  expect($a.get()).toBe(2)
  expect(canvas).toEqual([
    [1, 0],
    [2, 0],
    [2, 3],
  ])
  expect(list).toEqual([])
  await frame()
  expect(list).toEqual([
    [2, 3],
    [2, 3],
  ])
  await frame()
  expect(list).toHaveLength(2)
})

test('what is typed meanwhile is told at once, with all that came before it', async () => {
  const $a = atom(0)
  const { list } = page($a)
  updateCanvasFirst(() => $a.set(1))
  $a.set(2)
  expect(list).toEqual([[2]])
  await frame()
  // Told once more: it reads the same.
  expect(list.at(-1)).toEqual([2])
  updateCanvasFirst(() => $a.set(3))
  await frame()
  expect(list.at(-1)).toEqual([3])
})

test('after an act that fails, and one within another, all is as it was', async () => {
  const $a = atom(0)
  const { list } = page($a)
  expect(() =>
    updateCanvasFirst(() => {
      updateCanvasFirst(() => $a.set(1))
      $a.set(2)
      throw new Error('no room')
    }),
  ).toThrow('no room')
  expect(list).toEqual([])
  $a.set(3)
  expect(list).toEqual([[3]])
  await frame()
})

test('changes arrive even where nothing is painted, except at former listeners', async () => {
  const $a = atom(0)
  const { list } = page($a)
  const gone = page($a)
  updateCanvasFirst(() => $a.set(1))
  gone.leave()
  await vi.advanceTimersByTimeAsync(1000)
  expect(list).toEqual([[1]])
  expect(gone.list).toEqual([])
})

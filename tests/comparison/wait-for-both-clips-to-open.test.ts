import { expect, test, vi } from 'vitest'
import { type LoadedComparisonClip, waitForBothClipsToOpen } from '../../src/comparison/open-compared-clip.ts'

/** A clip whose decoder and source record that they were closed. */
function openClip() {
  const [close, release] = [vi.fn(), vi.fn()]
  const isClosed = () => close.mock.calls.length === 1 && release.mock.calls.length === 1
  return { clip: { pictures: { close }, source: { release } } as unknown as LoadedComparisonClip, isClosed }
}
const { signal: running } = new AbortController()

test('if both clips of a comparison open, both are returned and stay open', async () => {
  const [first, second] = [openClip(), openClip()]
  expect(await waitForBothClipsToOpen([Promise.resolve(first.clip), Promise.resolve(second.clip)], running)).toEqual([
    first.clip,
    second.clip,
  ])
  expect([first.isClosed(), second.isClosed()]).toEqual([false, false])
})

test('when one clip fails, the other is closed even if it opens later', async () => {
  const [early, late] = [openClip(), openClip()]
  const opening = Promise.withResolvers<LoadedComparisonClip>()
  await expect(waitForBothClipsToOpen([Promise.resolve(early.clip), Promise.reject(new Error('lost'))], running)).rejects.toThrow('lost')
  await expect(waitForBothClipsToOpen([Promise.reject(new Error('lost')), opening.promise], running)).rejects.toThrow('lost')
  opening.resolve(late.clip)
  await vi.waitFor(() => expect([early.isClosed(), late.isClosed()]).toEqual([true, true]))
})

test('clips that open after the comparison was left are closed', async () => {
  const [first, second] = [openClip(), openClip()]
  await expect(waitForBothClipsToOpen([Promise.resolve(first.clip), Promise.resolve(second.clip)], AbortSignal.abort())).rejects.toThrow()
  await vi.waitFor(() => expect([first.isClosed(), second.isClosed()]).toEqual([true, true]))
})

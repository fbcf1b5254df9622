import { expect, test } from 'vitest'
import { PictureQueueFullError, setProfilePicture } from '../../../modules/instructors/profile-pictures.ts'

test('at most eight pictures wait while one is processed, and others are refused', async () => {
  // The files are not pictures, so nothing is stored; the test is about the queue.
  const bytes = new TextEncoder().encode('no picture')
  const come = (from: number) =>
    Promise.allSettled(Array.from({ length: 20 }, (_, i) => setProfilePicture(null as never, `p${from + i}`, bytes)))
  const first = await come(0)
  expect(first.map(r => (r.status === 'fulfilled' ? r.value : r.reason instanceof PictureQueueFullError))).toEqual([
    ...Array<null>(9).fill(null),
    ...Array<boolean>(11).fill(true),
  ])
  // Both refused and served clients may try again.
  expect((await come(0)).slice(0, 9).every(r => r.status === 'fulfilled')).toBe(true)
})

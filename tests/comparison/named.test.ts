import { expect, test } from 'vitest'
import { type Named, pairOf, titleOf } from '../../src/comparison/named.ts'

const named = (id: string, name: string, of: string) => ({ clip: { id, name }, folder: 'f', of }) as unknown as Named
const clips = [
  named('a', 'IMG_1.MOV', 'This session'),
  named('b', 'IMG_2.MOV', 'This session'),
  named('c', 'IMG_2.MOV', 'This session'),
  named('d', 'IMG_2.MOV', 'Front toss, Jun 3, 2026'),
]
const title = (...videos: [string, string]) => {
  const comparison = { sides: videos.map(video => ({ video })) } as never
  return titleOf(comparison, pairOf(comparison, clips))
}

test('a comparison is called by its sessions, or by what tells two clips of one session apart', () => {
  expect(title('b', 'd')).toBe('This session and Front toss, Jun 3, 2026')
  expect(title('d', 'b')).toBe('Front toss, Jun 3, 2026 and this session')
  expect(title('a', 'c')).toBe('IMG_1.MOV and IMG_2.MOV')
  expect(title('c', 'b')).toBe('Video 3 and Video 2')
  expect(title('a', 'gone')).toBe('Comparison')
})

import { expect, test } from 'vitest'
import type { ComparableSession, Video } from '../../modules/folders/contract.ts'
import {
  comparisonTitle,
  type LabeledClip,
  type LabeledClipPair,
  labeledClipsOfComparison,
  labeledClipsOfSessions,
  techniquePositionsOnBothClips,
} from '../../src/comparison/labeled-clips.ts'

const named = (id: string, name: string, label: string) => ({ clip: { id, name }, folder: 'f', label }) as unknown as LabeledClip
const clips = [
  named('a', 'IMG_1.MOV', 'This session'),
  named('b', 'IMG_2.MOV', 'This session'),
  named('c', 'IMG_2.MOV', 'This session'),
  named('d', 'IMG_2.MOV', 'Front toss, Jun 3, 2026'),
]
const title = (...videos: [string, string]) => {
  const comparison = { sides: videos.map(video => ({ video })) } as never
  return comparisonTitle(comparison, labeledClipsOfComparison(comparison, clips))
}

test('a comparison is titled after its sessions, or after its clips if they share one', () => {
  expect(title('b', 'd')).toBe('This session and Front toss, Jun 3, 2026')
  expect(title('d', 'b')).toBe('Front toss, Jun 3, 2026 and this session')
  expect(title('a', 'c')).toBe('IMG_1.MOV and IMG_2.MOV')
  expect(title('c', 'b')).toBe('Video 3 and Video 2')
  expect(title('a', 'gone')).toBe('Comparison')
  expect(title('a', 'a')).toBe('Nearby frames')
})

const video = (id: string) => ({ id, name: id, added: '2026-06-03T10:00:00Z' }) as Video
const point = (video: string, name: string, frame: number) => ({ video, skill: 'hitting' as const, name, frame, by: 'hand' as const })
const session = (id: string, clips: string[], checkpoints: ComparableSession['checkpoints'] = []): ComparableSession => ({
  id,
  folder: { id: `f-${id}`, name: 'Tee' },
  assigned: '2026-06-03T10:00:00Z',
  given: null,
  checkpoints,
  grades: [],
  clips: clips.map(video),
})

test('a clip of several sessions is listed once; a pair lists positions set on both', () => {
  const clips = labeledClipsOfSessions(
    [session('now', ['a', 'b']), session('june', ['z', 'b'], [point('z', 'contact', 70), point('z', 'load', 9)])],
    'now',
  )
  expect(clips.map(c => [c.clip.id, c.label])).toEqual([
    ['a', 'This session'],
    ['b', 'This session'],
    ['z', 'Tee, Jun 3, 2026'],
  ])
  const side = (video: string) => ({ folder: 'f', video, origin: 0, offset: 0, scale: 1 })
  const pair = labeledClipsOfComparison({ sides: [side('a'), side('z')] }, clips) as LabeledClipPair
  expect(labeledClipsOfComparison({ sides: [side('a'), side('gone')] }, clips)).toBeUndefined()
  expect(pair.map(({ label: of }) => of)).toEqual(['This session', 'Tee, Jun 3, 2026'])
  // Within one session the labels are the clips' own names.
  expect(labeledClipsOfComparison({ sides: [side('a'), side('b')] }, clips)?.map(({ label: of, clip }) => of === clip.name)).toEqual([
    true,
    true,
  ])
  expect(techniquePositionsOnBothClips(pair, [point('a', 'contact', 41), point('a', 'stride', 20), point('b', 'load', 3)])).toEqual([
    { name: 'contact', frames: [41, 70] },
  ])
})

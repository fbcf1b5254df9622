import { expect, it } from 'vitest'
import type { TechniquePosition } from '../../modules/reviews/contract.ts'
import {
  adjacentTechniquePosition,
  formatMillisecondsBetweenFrames,
  groupTechniquePositionsByVideoAndSkill,
  positionsOnMostMarkedVideo,
  techniquePositionsOfVideo,
  withoutTechniquePosition,
  withTechniquePosition,
} from '../../src/technique/edit-and-group-technique-positions.ts'

const at = (name: string, frame: number, more: Partial<TechniquePosition> = {}): TechniquePosition => ({
  video: 'a',
  skill: 'hitting',
  name,
  frame,
  by: 'hand',
  ...more,
})
const videos = [{ id: 'a' }, { id: 'b' }]

it('setting a position again moves it to the new frame', () => {
  const set = withTechniquePosition(withTechniquePosition([], at('load', 20)), at('load', 30, { video: 'b' }))
  expect(withTechniquePosition(set, at('load', 24))).toEqual([at('load', 30, { video: 'b' }), at('load', 24)])
  expect(withoutTechniquePosition(set, at('load', 0))).toEqual([at('load', 30, { video: 'b' })])
  // Positions of the same name in two disciplines are different positions.
  expect(withTechniquePosition(set, at('stride', 9, { skill: 'pitching' }))).toHaveLength(3)
  expect(withTechniquePosition(withTechniquePosition([], at('stride', 9)), at('stride', 9, { skill: 'pitching' }))).toHaveLength(2)
})
it('positions are grouped by video in the order of the motion', () => {
  const all = [at('contact', 40), at('stance', 2), at('throw', 5, { video: 'b', skill: 'catching' }), at('load', 50, { video: 'b' })]
  expect(techniquePositionsOfVideo(all, 'a', 'hitting').map(c => c.name)).toEqual(['stance', 'contact'])
  expect(groupTechniquePositionsByVideoAndSkill(all, videos).map(g => `${g.video} ${g.skill} ${g.points.length}`)).toEqual([
    'a hitting 2',
    'b hitting 1',
    'b catching 1',
  ])
  expect(positionsOnMostMarkedVideo(all, videos, 'hitting')?.video).toBe('a')
  expect(positionsOnMostMarkedVideo(all, videos, 'pitching')).toBeUndefined()
})
it('the adjacent positions before and after a frame are found', () => {
  const all = [at('contact', 40), at('stance', 2), at('load', 20)]
  expect(adjacentTechniquePosition(all, 20, 1)?.name).toBe('contact')
  expect(adjacentTechniquePosition(all, 20, -1)?.name).toBe('stance')
  expect(adjacentTechniquePosition(all, 2, -1)).toBeUndefined()
})
it('a time is whole milliseconds, or a dash if the real time is unknown', () => {
  const real = (frame: number) => (frame * 1000) / 240
  expect(formatMillisecondsBetweenFrames(real, 100, 151)).toBe('213')
  expect(formatMillisecondsBetweenFrames(real, 151, 150)).toBe('−4')
  expect(formatMillisecondsBetweenFrames(null, 1, 2)).toBe('–')
})

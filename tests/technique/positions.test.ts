import { expect, it } from 'vitest'
import type { Checkpoint } from '../../modules/reviews/contract.ts'
import { fullest, groups, next, ordered, placed, span, without } from '../../src/technique/positions.ts'

const at = (name: string, frame: number, more: Partial<Checkpoint> = {}): Checkpoint => ({
  ...{ video: 'a', skill: 'hitting', name, frame, by: 'hand' },
  ...more,
})
const videos = [{ id: 'a' }, { id: 'b' }]

it('a position is set once on a video: again moves it, and another video has its own', () => {
  const set = placed(placed([], at('load', 20)), at('load', 30, { video: 'b' }))
  expect(placed(set, at('load', 24))).toEqual([at('load', 30, { video: 'b' }), at('load', 24)])
  expect(without(set, at('load', 0))).toEqual([at('load', 30, { video: 'b' })])
  // The same name in two disciplines is two positions.
  expect(placed(set, at('stride', 9, { skill: 'pitching' }))).toHaveLength(3)
  expect(placed(placed([], at('stride', 9)), at('stride', 9, { skill: 'pitching' }))).toHaveLength(2)
})
it('they come in the order of the discipline, whichever was set first, video by video', () => {
  const all = [at('contact', 40), at('stance', 2), at('throw', 5, { video: 'b', skill: 'catching' }), at('load', 50, { video: 'b' })]
  expect(ordered(all, 'a', 'hitting').map(c => c.name)).toEqual(['stance', 'contact'])
  expect(groups(all, videos).map(g => `${g.video} ${g.skill} ${g.points.length}`)).toEqual(['a hitting 2', 'b hitting 1', 'b catching 1'])
  expect(fullest(all, videos, 'hitting')?.video).toBe('a')
  expect(fullest(all, videos, 'pitching')).toBeUndefined()
})
it('goes to the nearest before and after', () => {
  const all = [at('contact', 40), at('stance', 2), at('load', 20)]
  expect(next(all, 20, 1)?.name).toBe('contact')
  expect(next(all, 20, -1)?.name).toBe('stance')
  expect(next(all, 2, -1)).toBeUndefined()
})
it('writes whole milliseconds, and owns up where nobody knows', () => {
  const real = (frame: number) => (frame * 1000) / 240
  expect(span(real, 100, 151)).toBe('213')
  expect(span(real, 151, 150)).toBe('−4')
  expect(span(null, 1, 2)).toBe('–')
})

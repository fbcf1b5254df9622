import { expect, test } from 'vitest'
import { areSkillsComparable, skillsReviewedOnClip } from '../../../modules/reviews/policy.ts'

const position = (video: string, skill: 'hitting' | 'pitching') => ({ video, skill, name: 'stride', frame: 3, by: 'hand' as const })

test('the skill of a clip is that of its positions, else the only one that was graded', () => {
  const checkpoints = [position('a', 'hitting'), position('b', 'pitching')]
  expect([...skillsReviewedOnClip({ id: 'a' }, { checkpoints })]).toEqual(['hitting'])
  expect([...skillsReviewedOnClip({ id: 'c' }, { checkpoints, grades: [{ skill: 'pitching', grade: 50 }] })]).toEqual(['pitching'])
  expect(skillsReviewedOnClip({ id: 'c' }, { checkpoints }).size).toBe(0)
  const both = [
    { skill: 'pitching' as const, grade: 50 },
    { skill: 'hitting' as const, grade: 50 },
  ]
  expect(skillsReviewedOnClip({ id: 'c' }, { grades: both }).size).toBe(0)
})

test('a hit and a pitch are not comparable, but a clip of unknown skill is with both', () => {
  const [hit, pitch, unknown] = [new Set(['hitting']), new Set(['pitching']), new Set<string>()]
  expect(areSkillsComparable(hit, pitch)).toBe(false)
  expect(areSkillsComparable(hit, hit)).toBe(true)
  expect(areSkillsComparable(hit, unknown)).toBe(true)
  expect(areSkillsComparable(unknown, pitch)).toBe(true)
})

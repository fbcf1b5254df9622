import { expect, test } from 'vitest'
import { frameTimeline } from '../../modules/media/frames.ts'
import type { TechniquePosition } from '../../modules/reviews/contract.ts'
import { printedTechniqueOf } from '../../src/download/pdf-technique-data.ts'

const at = (skill: string, name: string, frame: number, video = 'a') => ({ skill, name, video, frame, by: 'hand' }) as TechniquePosition
const clip = (media: object | null) => ({ id: 'a', name: 'swing.mp4', media }) as Parameters<typeof printedTechniqueOf>[1]

test('the positions of each skill are printed in order, with real times between them', () => {
  const all = [at('hitting', 'contact', 48), at('fielding', 'ready', 5), at('hitting', 'load', 24), at('hitting', 'stance', 0, 'b')]
  expect(printedTechniqueOf(all, clip({ captureRate: { rate: 240, by: 'person' } }), null)).toEqual([
    {
      skill: 'hitting',
      of: 'swing.mp4',
      steps: [
        { name: 'load', frame: 24 },
        { name: 'contact', frame: 48, since: '100 ms' },
      ],
    },
    { skill: 'fielding', of: 'swing.mp4', steps: [{ name: 'ready', frame: 5 }] },
  ])
})

test('without a capture rate, times come from the frame table, or else are a dash', () => {
  const all = [at('hitting', 'load', 1), at('hitting', 'stride', 4)]
  const times = frameTimeline({ version: 1, scale: 30, first: 0, runs: [[60, 1]] })
  expect(printedTechniqueOf(all, clip({ variable: true }), times)[0]!.steps[1]!.since).toBe('100 ms')
  expect(printedTechniqueOf(all, clip(null), null)[0]!.steps[1]!.since).toBe('– ms')
})

import { expect, it } from 'vitest'
import { describeWaitingTime } from '../../../src/islands/queue/waiting-time.ts'

const now = Date.parse('2026-05-01T12:00:00Z')
const waitedFor = (hours: number) => describeWaitingTime(new Date(now - hours * 3_600_000).toISOString(), now)

it.each([
  [0.5, 'field', 'Just in'],
  [23.9, 'field', 'Waiting 23h'],
  [24, 'gold', 'Waiting 24h, 24h left'],
  [47, 'gold', 'Waiting 47h, 1h left'],
  [48, 'clay', 'Waiting 2 days, late'],
  [75, 'clay', 'Waiting 3 days, late'],
])('after %d hours the waiting time has the color %s and the text %j', (hours, tone, words) =>
  expect(waitedFor(hours)).toMatchObject({ tone, words }),
)

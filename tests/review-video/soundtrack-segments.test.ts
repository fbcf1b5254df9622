import { expect, test } from 'vitest'
import { frameTimeline } from '../../modules/media/frames.ts'
import { reviewPlaylistOf } from '../../src/feedback/watch/review-playlist.ts'
import { soundtrackOf } from '../../src/review-video/soundtrack-segments.ts'
import { noteOnFrame, sampleReviewedSession, sampleVoiceOver } from './sample-review.ts'

const times = frameTimeline({ version: 1, scale: 60, first: 6, runs: [[300, 1]] })
const plan = (session: ReturnType<typeof sampleReviewedSession>) =>
  soundtrackOf(reviewPlaylistOf(session), video => (video === 'a' ? times : null), 1000)

test('playing clips and voice-overs have sound; notes on a single frame are silent', () => {
  const session = sampleReviewedSession({
    notes: [noteOnFrame('n', 66), noteOnFrame('v', 126, { voice: 'v1' })],
    voices: [sampleVoiceOver('v1')],
  })
  expect(plan(session)).toEqual([
    // Frame 0 is presented at 0.1 s in the frame table, but at 0 s in the rendition.
    { from: 0, to: 1100, source: { video: 'a' }, sourceFrom: -100 },
    { from: 3600, to: 4600, source: { video: 'a' }, sourceFrom: 1000 },
    { from: 4600, to: 8600, source: { voice: 'v1' }, sourceFrom: 0 },
  ])
})

test('a note about a range of frames has the sound of the range in every loop', () => {
  const parts = plan(sampleReviewedSession({ notes: [noteOnFrame('n', 0, { at: 0, until: 59 })] }))
  expect(parts.map(({ from, to, sourceFrom }) => [from, to, sourceFrom])).toEqual([
    [0, 1000, 0],
    [1000, 2000, 0],
    [2000, 2500, 0],
  ])
})

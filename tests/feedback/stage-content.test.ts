import { describe, expect, test } from 'vitest'
import { frameTimeline } from '../../modules/media/frames.ts'
import { type PlaylistSegment, reviewPlaylistOf } from '../../src/feedback/watch/review-playlist.ts'
import { type StageContent, stageContentAt } from '../../src/feedback/watch/stage-content.ts'
import {
  comparisonSyncedAtFrames,
  lineFromFrame,
  noteOnFrame,
  sampleReviewedSession,
  sampleVoiceOver,
} from '../review-video/sample-review.ts'

const times = frameTimeline({ version: 1, scale: 60, first: 0, runs: [[300, 1]] })
const timesOf = (video: string) => (video === 'a' ? times : null)

function contentOf(session: ReturnType<typeof sampleReviewedSession>, kind: PlaylistSegment['kind']) {
  const segment = reviewPlaylistOf(session).segments.find(s => s.kind === kind)!
  return (offset: number) => stageContentAt(segment, offset, session, timesOf)
}

describe('the content of the stage', () => {
  test('shows the clip up to a note, with the drawings of each frame', () => {
    const session = sampleReviewedSession({ notes: [noteOnFrame('n', 90, { shapes: [lineFromFrame('s', 60)] })] })
    const at = contentOf(session, 'clip')
    expect(at(0)).toMatchObject({ kind: 'clip', frame: 0, note: undefined, shapes: [] })
    expect(at(1000)).toMatchObject({ frame: 60, shapes: [{ shape: { id: 's' }, opacity: 1 }] })
    expect(at(1000 + (12 * 1000) / 60)).toMatchObject({ frame: 72, shapes: [] })
  })

  test('is the frame of a note with its drawings and text', () => {
    const session = sampleReviewedSession({ notes: [noteOnFrame('n', 60, { shapes: [lineFromFrame('s', 60)] })] })
    const at = contentOf(session, 'note')
    for (const offset of [0, 2000])
      expect(at(offset)).toMatchObject({ frame: 60, note: { id: 'n' }, shapes: [{ shape: { id: 's' } }], view: { scale: 1 } })
  })

  test('loops through the frames of a note about a range', () => {
    const at = contentOf(sampleReviewedSession({ notes: [noteOnFrame('n', 60, { until: 89 })] }), 'note')
    expect([0, 250, 499, 500, 750].map(offset => (at(offset) as { frame: number }).frame)).toEqual([60, 75, 89, 60, 75])
  })

  test('shows the actions that were recorded with a voice-over', () => {
    const voice = sampleVoiceOver('v', {
      actions: [
        [1000, 'play', 120],
        [1500, 'pause', 150],
        [2000, 'stroke', 's', 500],
        [3000, 'zoom', 2000, 3000, 4000],
      ],
      shapes: [lineFromFrame('s', 150)],
    })
    const at = contentOf(sampleReviewedSession({ voices: [voice] }), 'voice')
    expect(at(500)).toMatchObject({ frame: 120, shapes: [] })
    expect(at(1250)).toMatchObject({ frame: 135 })
    expect(at(2250)).toMatchObject({ frame: 150, shapes: [{ shape: { id: 's', p: [2000, 5000, 3000, 0] } }] })
    expect(at(3500)).toMatchObject({ view: { scale: 2, x: 0.3, y: 0.4 }, shapes: [{ shape: { p: [2000, 5000, 6000, 0] } }] })
  })

  test('shows a path that belongs to both a voice-over and its note only once', () => {
    const path = { ...lineFromFrame('s', 120), tool: 'path' as const, frames: [120, 130] }
    const voice = sampleVoiceOver('v', { actions: [[2000, 'stroke', 's', 0]], shapes: [path] })
    const note = noteOnFrame('n', 120, { until: 130, voice: 'v', shapes: [{ ...path, id: 'copy' }, lineFromFrame('own', 120)] })
    const at = contentOf(sampleReviewedSession({ notes: [note], voices: [voice] }), 'voice')
    const ids = (offset: number) => (at(offset) as StageContent & { kind: 'clip' }).shapes.map(({ shape }) => shape.id)
    expect(ids(1000)).toEqual(['own'])
    expect(ids(2500)).toEqual(['own', 's'])
  })

  test('follows the clock of a comparison, and is null if a clip is missing', () => {
    const compared = sampleReviewedSession({ comparisons: [comparisonSyncedAtFrames([60, 90])] })
    const segment = reviewPlaylistOf(compared).segments.find(s => s.kind === 'comparison')! as PlaylistSegment & { kind: 'comparison' }
    expect(stageContentAt(segment, 1000, compared, timesOf)).toMatchObject({ time: segment.from + 1000 * segment.speed })
    const withoutClip = sampleReviewedSession({ notes: [noteOnFrame('n', 60, { video: 'gone' })] })
    expect(contentOf(withoutClip, 'note')(0)).toBeNull()
  })
})

import type { FrameTimeline } from '../../modules/media/frames.ts'
import type { PlaylistSegment, ReviewPlaylist } from '../feedback/watch/review-playlist.ts'
import { clipMillisecondsAt, loopOfNote } from '../feedback/watch/stage-content.ts'

/**
 * A segment of the soundtrack: from sample `from` to sample `to` of the review video, a voice-over or a clip is heard, starting at sample
 * `sourceFrom` of its own sound. Between two segments there is silence.
 */
export interface SoundtrackSegment {
  from: number
  to: number
  source: { voice: string } | { video: string }
  sourceFrom: number
}

/** The soundtrack of a playlist: voice-overs, and the sound of clips while they play. The segments are in order and do not overlap. */
export function soundtrackOf(
  { segments }: Pick<ReviewPlaylist, 'segments'>,
  timesOf: (video: string) => FrameTimeline | null,
  sampleRate: number,
): SoundtrackSegment[] {
  const sample = (milliseconds: number) => Math.round((milliseconds * sampleRate) / 1000)
  let start = 0
  return segments.flatMap(segment => {
    const [from, to] = [start, start + segment.milliseconds]
    start = to
    return partsOf(segment, timesOf).map(({ offset, end, source, sourceMs }) => ({
      from: sample(from + offset),
      to: sample(Math.min(to, from + end)),
      source,
      sourceFrom: sample(sourceMs),
    }))
  })
}

/** What is heard within a segment. `offset` and `end` are in ms from the segment's start, `sourceMs` is in ms from the source's start. */
function partsOf(segment: PlaylistSegment, timesOf: (video: string) => FrameTimeline | null) {
  const { milliseconds } = segment
  switch (segment.kind) {
    case 'voice':
      return [{ offset: 0, end: milliseconds, source: { voice: segment.voice.id }, sourceMs: 0 }]
    case 'clip': {
      const times = timesOf(segment.video)
      if (!times) return []
      const sourceMs = clipMillisecondsAt(segment, 0) - times.start(0) * 1000
      return [{ offset: 0, end: milliseconds, source: { video: segment.video }, sourceMs }]
    }
    case 'note': {
      const times = timesOf(segment.note.video)
      const loop = loopOfNote(segment.note)
      if (!times || !loop) return []
      const lap = (times.end(loop.to) - times.start(loop.from)) * 1000
      return Array.from({ length: Math.ceil(milliseconds / lap) }, (_, i) => ({
        offset: i * lap,
        end: (i + 1) * lap,
        source: { video: segment.note.video },
        sourceMs: (times.start(loop.from) - times.start(0)) * 1000,
      }))
    }
    default:
      return []
  }
}

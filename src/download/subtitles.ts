import type { Timeline } from '../../modules/media/frames.ts'
import { inReadingOrder, NOTE_KINDS, type PinnedNote } from '../folders/notes.ts'

/** A note that names one moment stays so long, seconds, unless another comes before. */
const STAYS = 4
/** Even where the next note is on the same frame, somebody has to be able to read this one. Seconds. */
const LEAST = 0.5

const two = (n: number) => String(n).padStart(2, '0')
/** Seconds as WebVTT writes them: 00:01:02.345. */
function stamp(seconds: number): string {
  const ms = Math.max(0, Math.round(seconds * 1000))
  return `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`
}

/** What a cue may say: no line of its own may end it, and nothing in it is markup. */
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\r/g, '')
    .replace(/\n{2,}/g, '\n')

/**
 * The notes of one video as subtitles for its original, in WebVTT: each from the start of its frame to the end of its range. `times` null:
 * nobody has counted the frames, and the notes' milliseconds serve.
 */
export function subtitles(notes: readonly PinnedNote[], times: Timeline | null): string {
  const cues = inReadingOrder(notes, []).map(note => {
    const frame = times && (note.frame ?? times.noted(note.at))
    return {
      note,
      from: frame === null ? note.at / 1000 : times!.start(frame),
      until: note.until !== undefined && times ? times.end(note.until) : undefined,
    }
  })
  const blocks = cues.map(({ note, from, until }, i) => {
    const next = cues[i + 1]?.from ?? Number.POSITIVE_INFINITY
    const to = until ?? Math.max(from + LEAST, Math.min(from + STAYS, next))
    const words = note.text.trim() || (note.voice ? 'Listen to the voice-over' : 'See the drawing')
    return `${i + 1}\n${stamp(from)} --> ${stamp(to)}\n${NOTE_KINDS[note.kind].label}: ${escaped(words)}\n`
  })
  return ['WEBVTT\n', ...blocks].join('\n')
}

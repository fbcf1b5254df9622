import type { Note } from '../../modules/folders/contract.ts'
import type { FrameTimeline } from '../../modules/media/frames.ts'
import { NOTE_KIND_DISPLAY, sortNotes } from '../folders/notes.ts'

/** A note without a range is shown for this long, unless the next note begins earlier. */
const CUE_SECONDS = 4
/** A note without a range is shown for at least this long, even if the next one is on the same frame. */
const MIN_CUE_SECONDS = 0.5

const twoDigits = (n: number) => String(n).padStart(2, '0')
/** Maximum rounding error of fractional seconds, in ms. */
const FLOAT_ERROR_MS = 1e-6
/**
 * Formats seconds for WebVTT, such as 00:01:02.345. Rounds up, because a cue that begins a fraction of a millisecond early would be shown
 * on the previous frame.
 */
function timestamp(seconds: number): string {
  const ms = Math.max(0, Math.ceil(seconds * 1000 - FLOAT_ERROR_MS))
  return `${twoDigits(Math.floor(ms / 3_600_000))}:${twoDigits(Math.floor(ms / 60_000) % 60)}:${twoDigits(Math.floor(ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`
}

/** Escapes markup and removes empty lines, which would end a WebVTT cue. */
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\r/g, '')
    .replace(/\n{2,}/g, '\n')

/**
 * The notes of one video as WebVTT subtitles, each from the start of its frame to the end of its range, if it has one. `times` is the frame
 * table; if it is null, the notes' milliseconds are used and their ranges are ignored. `timestampOffset`: how many seconds later the times
 * in the table are than those in the file.
 */
export function notesAsWebVtt(notes: readonly Note[], times: FrameTimeline | null, timestampOffset = 0): string {
  const cues = sortNotes(notes, []).map(note => {
    const frame = times && (note.frame ?? times.noted(note.at))
    return {
      note,
      from: frame === null ? note.at / 1000 : times!.start(frame) - timestampOffset,
      until: note.until !== undefined && times ? times.end(note.until) - timestampOffset : undefined,
    }
  })
  const blocks = cues.map(({ note, from, until }, i) => {
    const next = cues[i + 1]?.from ?? Number.POSITIVE_INFINITY
    const to = until ?? Math.max(from + MIN_CUE_SECONDS, Math.min(from + CUE_SECONDS, next))
    const words = note.text.trim() || (note.voice ? 'Listen to the voice-over' : 'See the drawing')
    return `${i + 1}\n${timestamp(from)} --> ${timestamp(to)}\n${NOTE_KIND_DISPLAY[note.kind].label}: ${escaped(words)}\n`
  })
  return ['WEBVTT\n', ...blocks].join('\n')
}

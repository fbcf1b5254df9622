import { describe, expect, it } from 'vitest'
import { frameTimeline } from '../../modules/media/frames.ts'
import { notesAsWebVtt } from '../../src/download/notes-as-web-vtt.ts'

// 30 frames per second; the first frame starts at 0.5 s.
const times = frameTimeline({ version: 1, scale: 30, first: 15, runs: [[300, 1]] })
const note = (id: string, frame: number, text: string, more: object = {}) =>
  ({ id, video: 'v', at: times.milliseconds(frame), frame, kind: 'tip', text, ...more }) as const

describe('notesAsWebVtt', () => {
  it('uses the times in the frame table, in the order of the video', () => {
    const written = notesAsWebVtt([note('b', 150, 'Finish high'), note('a', 30, 'Load')], times)
    expect(written).toBe('WEBVTT\n\n1\n00:00:01.500 --> 00:00:05.500\nTip: Load\n\n2\n00:00:05.500 --> 00:00:09.500\nTip: Finish high\n')
  })
  it('shows a note for its range, or until the next note', () => {
    const written = notesAsWebVtt([note('a', 0, 'Stride', { until: 29 }), note('b', 40, 'One'), note('c', 70, 'Two')], times)
    expect(written).toContain('00:00:00.500 --> 00:00:01.500\nTip: Stride')
    expect(written).toContain('00:00:01.834 --> 00:00:02.834\nTip: One')
    expect(written).toContain('00:00:02.834 --> 00:00:06.834\nTip: Two')
  })
  it('shows a note on its frame in a file that begins at 0', () => {
    const written = notesAsWebVtt([note('a', 0, 'Stride', { until: 29 }), note('b', 40, 'One')], times, times.start(0))
    expect(written).toContain('00:00:00.000 --> 00:00:01.000\nTip: Stride')
    expect(written).toContain('00:00:01.334 --> 00:00:05.334\nTip: One')
  })
  it('starts a subtitle at most a millisecond after its frame starts, and never before', () => {
    for (const [scale, delta] of [
      [30_000, 1001],
      [240, 1],
      [90_000, 3003],
    ] as const) {
      const film = frameTimeline({ version: 1, scale, first: 7, runs: [[500, delta]] })
      const frames = Array.from({ length: 18 }, (_, i) => i * 27)
      const written = notesAsWebVtt(
        frames.map(frame => ({ ...note(`n${frame}`, frame, 'Here'), at: film.milliseconds(frame) })),
        film,
      )
      const begins = [...written.matchAll(/^00:00:(\d\d\.\d{3}) -->/gm)].map(([, seconds]) => Number(seconds))
      const early = frames.map((frame, i) => begins[i]! - film.start(frame))
      expect(early.every(by => by > -1e-6 && by < 0.001)).toBe(true)
    }
  })
  it('mentions a drawing, escapes markup, and removes empty lines', () => {
    const written = notesAsWebVtt([note('a', 0, ''), note('b', 60, 'a < b & c\n\n00:00:01.000 --> 00:00:02.000')], times)
    expect(written).toContain('Tip: See the drawing')
    expect(written).toContain('Tip: a &lt; b &amp; c\n00:00:01.000 --&gt; 00:00:02.000\n')
  })
  it('uses the milliseconds of a note if there is no frame table', () => {
    expect(notesAsWebVtt([{ id: 'a', video: 'v', at: 1234, kind: 'praise', text: 'Good' }], null)).toContain(
      '00:00:01.234 --> 00:00:05.234',
    )
  })
})

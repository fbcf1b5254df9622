import { describe, expect, it } from 'vitest'
import { timeline } from '../../modules/media/frames.ts'
import { webVttSubtitles } from '../../src/download/subtitles.ts'

// 30 a second, and the first frame half a second late.
const times = timeline({ version: 1, scale: 30, first: 15, runs: [[300, 1]] })
const note = (id: string, frame: number, text: string, more: object = {}) =>
  ({ id, video: 'v', at: times.milliseconds(frame), frame, kind: 'tip', text, ...more }) as const

describe('webVttSubtitles', () => {
  it('takes times from the frame table, in the order of the video', () => {
    const written = webVttSubtitles([note('b', 150, 'Finish high'), note('a', 30, 'Load')], times)
    expect(written).toBe('WEBVTT\n\n1\n00:00:01.500 --> 00:00:05.500\nTip: Load\n\n2\n00:00:05.500 --> 00:00:09.500\nTip: Finish high\n')
  })
  it('shows a note for its range, or until the next note', () => {
    const written = webVttSubtitles([note('a', 0, 'Stride', { until: 29 }), note('b', 40, 'One'), note('c', 70, 'Two')], times)
    expect(written).toContain('00:00:00.500 --> 00:00:01.500\nTip: Stride')
    expect(written).toContain('00:00:01.833 --> 00:00:02.833\nTip: One')
    expect(written).toContain('00:00:02.833 --> 00:00:06.833\nTip: Two')
  })
  it('mentions a drawing, and escapes markup and empty lines', () => {
    const written = webVttSubtitles([note('a', 0, ''), note('b', 60, 'a < b & c\n\n00:00:01.000 --> 00:00:02.000')], times)
    expect(written).toContain('Tip: See the drawing')
    expect(written).toContain('Tip: a &lt; b &amp; c\n00:00:01.000 --&gt; 00:00:02.000\n')
  })
  it('uses the milliseconds of a note without a frame table', () => {
    expect(webVttSubtitles([{ id: 'a', video: 'v', at: 1234, kind: 'praise', text: 'Good' }], null)).toContain(
      '00:00:01.234 --> 00:00:05.234',
    )
  })
})

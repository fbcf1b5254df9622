import { createCanvas } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import type { Shape } from '../../modules/reviews/contract.ts'
import { fullViewport } from '../../src/drawing/viewport.ts'
import { createFramePainter } from '../../src/review-video/frame-painter.ts'

const view = { kind: 'clip', video: 'a', frame: 0, view: fullViewport } as const
/** Replaces each character with one from a private-use plane, for which no font has glyphs. */
const withoutGlyphs = (text: string) => [...text].map((_, i) => String.fromCodePoint(0xf0000 + i)).join('')

function picture(text: string, asLabel: boolean): Buffer {
  const painter = createFramePainter({ width: 640, height: 360 })
  const label: Shape = { id: 'l', tool: 'text', text, color: 1, width: 45, p: [1000, 1000], from: 0, hold: 1, fade: 0 }
  const note = { id: 'n', video: 'a', at: 0, kind: 'tip', text } as const
  const shown = asLabel ? { shapes: [{ shape: label, opacity: 1 }], note: undefined } : { shapes: [], note }
  painter.clip({ ...view, ...shown }, createCanvas(640, 360), 0)
  return Buffer.from(painter.pixels())
}

test.each(['投球', 'フォーム', '訓練', '训练', '투수'])(
  '%s text is readable in a saved review video, in a caption and on the picture',
  text => {
    for (const asLabel of [false, true]) {
      const written = picture(text, asLabel)
      expect(written.equals(picture(withoutGlyphs(text), asLabel))).toBe(false)
      // Boxes for missing glyphs would look the same in any order.
      expect(written.equals(picture([...text].reverse().join(''), asLabel))).toBe(false)
    }
  },
)

import { expect, test } from 'vitest'
import { REFUSAL_MESSAGES } from '../../../modules/media/preparation-process/media-refusal.ts'
import { modelClipRefusalText } from '../../../src/islands/model-clips/model-clip-preparation-refusals.ts'

test('the text about a refused model clip says what to do in the library', () => {
  const codes = Object.keys(REFUSAL_MESSAGES).filter(code => code !== 'by-administrator')
  for (const code of codes) {
    const text = modelClipRefusalText({ code, message: REFUSAL_MESSAGES[code as 'damaged'] })
    expect([code, text]).toEqual([code, expect.stringMatching(/^[A-Z].*\. .*(upload|Delete).*\.$/)])
    expect([code, text]).not.toEqual([code, expect.stringMatching(/replace|instructor|charged/i)])
  }
  expect(modelClipRefusalText(null)).toMatch(/upload another file/)
})

test('the words of an administrator who refused a model clip are shown as they are', () => {
  expect(modelClipRefusalText({ code: 'by-administrator', message: 'Not your clip.' })).toBe('Not your clip.')
})

import { describe, expect, test } from 'vitest'
import { parsePreparationMessage } from '../../../modules/media/parse-preparation-message.ts'

/** An attacker may control the process that opens untrusted files, so its messages are untrusted input. */

const table = { version: 1, scale: 30, first: 0, runs: [[60, 1]] }
const filmstrip = { bytes: 9, count: 60, columns: 10, width: 120, height: 90 }
const preparedFiles = { rendition: { bytes: 7, width: 320, height: 240 }, poster: { bytes: 8 }, filmstrip }

describe('parsing a valid message', () => {
  test.each([
    { is: 'probing' },
    { is: 'probed', media: { frames: 60 }, table },
    { is: 'probed', media: {}, table: { ...table, hidden: 2 } },
    { is: 'progress', part: 0.5 },
    { is: 'made', made: preparedFiles },
    { is: 'made', made: { voice: { bytes: 3 } } },
    { is: 'made', made: { review: { bytes: 3 } } },
    { is: 'refused', code: 'damaged' },
    { is: 'refused', code: 'codec', why: 'no decoder' },
  ])('returns %j', word => expect(parsePreparationMessage(JSON.stringify(word))).toEqual(word))
})

describe('parsing an invalid message', () => {
  test.each([
    ...['', 'null', 'probing', '{"is":"probing"'],
    ...[{ is: 'stored' }, { is: 'unavailable' }, { is: 'progress', part: 2 }, { is: 'progress', part: '1' }].map(word =>
      JSON.stringify(word),
    ),
    ...[
      { is: 'refused', code: 'rude' },
      { is: 'refused', code: 'lost', why: 'x'.repeat(2000) },
    ].map(word => JSON.stringify(word)),
    ...[
      { ...table, scale: 0 },
      { ...table, runs: [] },
      { ...table, runs: Array(60_001).fill([1, 1]) },
      { ...table, runs: [[1, -1]] },
    ].map(of => JSON.stringify({ is: 'probed', media: {}, table: of })),
    JSON.stringify({ is: 'made', made: {} }),
    JSON.stringify({ is: 'made', made: { ...preparedFiles, filmstrip: { bytes: 9 } } }),
  ])('returns null for %.60s', line => expect(parsePreparationMessage(line)).toBeNull())

  test('drops an unknown field', () => {
    expect(parsePreparationMessage('{"is":"progress","part":0,"more":1}')).toEqual({ is: 'progress', part: 0 })
    expect(parsePreparationMessage('{"is":"probing","__proto__":{"part":1}}')).toEqual({ is: 'probing' })
  })
})

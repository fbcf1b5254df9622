import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCopyLine, encodeCopyField } from '../../modules/kernel/pg-copy.ts'

test('a line has its fields again, whatever is in them', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('\\', '\t', '\n', '\r', 'n', 't', 'N', 'a', '"') }))
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), texts => {
      const line = texts.map(encodeCopyField).join('\t')
      expect([line.includes('\n'), line.includes('\r'), decodeCopyLine(line)]).toEqual([false, false, texts])
    }),
  )
  expect(decodeCopyLine('{"a":"\\\\n"}\t1\tx\\ty')).toEqual(['{"a":"\\n"}', '1', 'x\ty'])
})

test('what is not there is told apart from every text, and what is no text is written as one', () => {
  expect([null, undefined, '', '\\N', 0, false, 5n].map(encodeCopyField)).toEqual(['\\N', '\\N', '', '\\\\N', '0', 'false', '5'])
})

test('all that Postgres puts behind a backslash is read', () => {
  expect(decodeCopyLine('\\b\\f\\n\\r\\t\\v\\\\\\x')).toEqual(['\b\f\n\r\t\v\\x'])
})

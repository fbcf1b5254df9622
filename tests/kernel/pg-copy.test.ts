import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCopyLine } from '../../modules/kernel/pg-copy.ts'

/** As Postgres writes a field. */
const encoded = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')

test('a line has its fields again, whatever is in them', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('\\', '\t', '\n', '\r', 'n', 't', 'N', 'a', '"') }))
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), texts => {
      expect(decodeCopyLine(texts.map(encoded).join('\t'))).toEqual(texts)
    }),
  )
  expect(decodeCopyLine('{"a":"\\\\n"}\t1\tx\\ty')).toEqual(['{"a":"\\n"}', '1', 'x\ty'])
})

test('all that Postgres puts behind a backslash is read', () => {
  expect(decodeCopyLine('\\b\\f\\n\\r\\t\\v\\\\\\x')).toEqual(['\b\f\n\r\t\v\\x'])
})

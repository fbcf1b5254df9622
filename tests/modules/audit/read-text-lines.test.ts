import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTextLines } from '../../../modules/audit/read-text-lines.ts'

async function linesOf(text: string, size: number) {
  const lines: string[] = []
  for await (const line of readTextLines(chunksOf(text, size))) lines.push(line)
  return lines
}

/** The text as UTF-8, in chunks of `size` bytes. */
async function* chunksOf(text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('only a line feed ends a line, wherever the chunks are cut', async () => {
  const line = fc.string({ unit: 'grapheme' }).map(s => `${s.replaceAll('\n', '')}\u2028é\u2029.`)
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 40 }), async (lines, size) => {
      const file = lines.map(text => `${text}\n`).join('')
      expect(await linesOf(file, size)).toEqual(lines)
    }),
  )
})

test('a last line without a line feed is read, too', async () => {
  expect(await linesOf('a\nb', 2)).toEqual(['a', 'b'])
})

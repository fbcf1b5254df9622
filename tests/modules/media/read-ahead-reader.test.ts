import { expect, test } from 'vitest'
import { createReadAheadReader } from '../../../modules/media/read-ahead-reader.ts'

const WINDOW = 8 * 1024

/** Creates a read-ahead reader of a file whose bytes are their positions modulo 256, and records its requests to the source. */
function reading(bytes: number) {
  const requests: [from: number, to: number][] = []
  const read = createReadAheadReader({
    bytes,
    async read(start, end) {
      requests.push([start, end])
      // Return a view into a larger buffer, as a source that holds the file in memory does.
      return Uint8Array.from({ length: bytes + 10 }, (_, i) => (i - 10) & 255).subarray(10 + start, 10 + end)
    },
  })
  return {
    requests,
    async at(from: number, length: number) {
      const view = await read(from, length)
      return [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)]
    },
  }
}
const bytes = (from: number, length: number) => Array.from({ length }, (_, i) => (from + i) & 255)

test('neighboring bytes need only one request, read forward or backward', async () => {
  const { at, requests } = reading(100_000)
  expect(await at(100, 4)).toEqual(bytes(100, 4))
  expect(await at(103, 20)).toEqual(bytes(103, 20))
  expect(await at(100, 1)).toEqual(bytes(100, 1))
  expect(await at(100 + WINDOW - 5, 5)).toEqual(bytes(100 + WINDOW - 5, 5))
  expect(requests).toEqual([[100, 100 + WINDOW]])
})

test('ranges before or beyond the cached window are read from the source', async () => {
  const { at, requests } = reading(100_000)
  expect(await at(1000, 4)).toEqual(bytes(1000, 4))
  expect(await at(999, 4)).toEqual(bytes(999, 4))
  expect(await at(999 + WINDOW - 4, 5)).toEqual(bytes(999 + WINDOW - 4, 5))
  expect(await at(50, 2 * WINDOW)).toEqual(bytes(50, 2 * WINDOW))
  expect(requests).toEqual([
    [1000, 1000 + WINDOW],
    [999, 999 + WINDOW],
    [999 + WINDOW - 4, 999 + 2 * WINDOW - 4],
    [50, 50 + 2 * WINDOW],
  ])
})

test('a read at the end of the file is short, and no read goes beyond the end', async () => {
  const { at, requests } = reading(500)
  expect(await at(490, 50)).toEqual(bytes(490, 10))
  expect(requests).toEqual([[490, 500]])
  for (const [from, length] of [
    [500, 1],
    [501, 8],
    [20, 0],
    [20, -3],
  ] as const)
    expect(await at(from, length)).toEqual([])
  expect(requests).toHaveLength(1)
})

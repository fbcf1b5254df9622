/**
 * Yields the lines of a text file, without their line feeds. Only `\n` ends a line: JSON text may contain U+2028 and U+2029, at which
 * Node's `readline` also splits.
 */
export async function* readTextLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  rest += decoder.decode()
  if (rest) yield rest
}

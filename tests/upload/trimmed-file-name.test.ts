import { afterEach, expect, test, vi } from 'vitest'
import { checkFile } from '../../src/upload/check-file-size-and-type.ts'
import { trimVideoWithoutReencoding, type VideoEditReply } from '../../src/upload/trim-and-compress.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['a long', `${'a'.repeat(196)}.mov`, `${'a'.repeat(186)} (trimmed).mov`],
  ['a short', 'swing.mov', 'swing (trimmed).mov'],
])('a trimmed file with %s name can be uploaded', async (_, name, trimmedName) => {
  const bytes = Uint8Array.from('\0\0\0\x14ftypqt  ', c => c.charCodeAt(0)).buffer
  vi.stubGlobal(
    'Worker',
    class {
      onmessage = (_: { data: VideoEditReply }) => {}
      terminate() {}
      postMessage = () => this.onmessage({ data: { is: 'edited', edited: { bytes, type: 'video/quicktime' } } })
    },
  )
  const original = new File([bytes], name, { type: 'video/quicktime' })
  const { file } = await trimVideoWithoutReencoding(original, 'video/quicktime', { from: 0, to: 1 }, () => {}, new AbortController().signal)
  expect(file.name).toBe(trimmedName)
  expect(await checkFile(file, 0)).toEqual({ type: 'video/quicktime' })
})

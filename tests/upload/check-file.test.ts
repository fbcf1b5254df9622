import { describe, expect, it, test } from 'vitest'
import { validateVideoContainer } from '../../modules/media/check-video-type-and-completeness.ts'
import { checkFile } from '../../src/upload/check-file-size-and-type.ts'
import { computeFileFingerprint } from '../../src/upload/file-fingerprint.ts'
import { sniffContainer } from '../../src/upload/sniff-container.ts'
import { byteSourceOf, fillerBytes, ftypBox, joinBytes, mp4Box, mvhdBox } from '../modules/media/container-builders.ts'

const bytes = (text: string) => Uint8Array.from(text, c => c.charCodeAt(0))
const file = (text: string, name = 'swing.mp4', lastModified = 1) => new File([bytes(text)], name, { lastModified })
const fileOfSize = (size: number, name = 'swing.mp4') => Object.defineProperty(file('\0\0\0\x18ftypisom', name), 'size', { value: size })

describe('sniffContainer', () => {
  it.each([
    ['\0\0\0\x18ftypisom\0\0\0\0', 'video/mp4'],
    ['\0\0\0\x18ftypmp42', 'video/mp4'],
    ['\0\0\0\x18ftyp3gp5', 'video/mp4'],
    ['\0\0\0\x18ftypM4A ', 'unknown'],
    ['\0\0\0\x08skip\0\0\0\0mdat', 'unknown'],
    ['\0\0\0\x14ftypqt  \0\0\0\0', 'video/quicktime'],
    ['\0\0\0\x08wide\0\0\0\0mdat', 'video/quicktime'],
    ['\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm', 'video/webm'],
    ['\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska', 'matroska'],
    ['RIFF\0\0\0\0AVI LIST', 'avi'],
    ['\0\0\0\x18ftypheic', 'image'],
    ['\xff\xd8\xff\xe0', 'image'],
    ['Dear coach, this is my swing', 'unknown'],
    ['', 'unknown'],
  ])('detects %j as %s', (head, type) => expect(sniffContainer(bytes(head))).toBe(type))
})

test.each([
  'isom',
  'iso5',
  'mp41',
  'mp42',
  'avc1',
  'dash',
  'M4V ',
  'F4V ',
  '3gp4',
  '3gp5',
  '3gp6',
  '3g2a',
  'qt  ',
  'M4A ',
  'M4B ',
  'F4A ',
  'F4B ',
  'heic',
  'avif',
])('the browser accepts a file of the brand “%s” if and only if the server does', async brand => {
  const content = joinBytes(ftypBox(brand), mp4Box('moov', mvhdBox(600, 1500)), mp4Box('mdat', fillerBytes()))
  const type = sniffContainer(content.subarray(0, 64))
  const accepted = validateVideoContainer(byteSourceOf(content), type).then(
    () => true,
    () => false,
  )
  expect(await accepted).toBe(type.startsWith('video/'))
})

describe('checkFile', () => {
  it('returns the type of the content, whatever the name says', async () => {
    expect(await checkFile(file('\0\0\0\x14ftypqt  ', 'swing.mp4'), 0)).toEqual({ type: 'video/quicktime' })
  })
  it.each([
    ['a text called .mp4', file('Dear coach'), 0, /not a video/],
    ['an empty file', file(''), 0, /empty/],
    ['501 MB', fileOfSize(501 * 1024 * 1024), 0, /501 MB. The limit is 500 MB/],
    ['a fourth video', file('\0\0\0\x18ftypisom'), 3, /can have up to 3 videos/],
    ['a name that is too long', file('\0\0\0\x18ftypisom', `${'a'.repeat(200)}.mp4`), 0, /204 characters. The limit is 200/],
  ])('refuses %s with a sentence', async (_, chosen, videosSoFar, sentence) => {
    expect(await checkFile(chosen, videosSoFar)).toEqual({ refused: expect.stringMatching(sentence) })
  })
  it('accepts exactly 500 MB', async () => {
    expect(await checkFile(fileOfSize(500 * 1024 * 1024), 2)).toEqual({ type: 'video/mp4' })
  })
})

describe('computeFileFingerprint', () => {
  it('returns the same fingerprint for another name and modification time', async () => {
    expect(await computeFileFingerprint(file('abc', 'IMG_1.MOV', 1))).toBe(await computeFileFingerprint(file('abc', 'IMG_2.MOV', 2)))
  })
  it('returns a different fingerprint even if only the end of the file differs', async () => {
    const long = 'x'.repeat(200_000)
    expect(await computeFileFingerprint(file(`${long}a`))).not.toBe(await computeFileFingerprint(file(`${long}b`)))
  })
})

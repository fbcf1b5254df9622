import { describe, expect, test } from 'vitest'
import { validateVideoContainer } from '../../../modules/media/check-video-type-and-completeness.ts'
import {
  byteSourceOf,
  ebmlHeader,
  fillerBytes,
  fillerWebmCluster,
  fillerWebmTracks,
  ftypBox,
  joinBytes,
  minimalMp4File,
  movFile,
  mp4Box,
  mvhdBox,
  WEBM_SEGMENT_ID,
  webmElement,
  webmFile,
  webmInfo,
} from './container-builders.ts'

const look = (file: Uint8Array, declared: string) => validateVideoContainer(byteSourceOf(file), declared)
const refused = (code: string) => expect.objectContaining({ code, message: expect.stringMatching(/^[A-Z].*[.]$/) })

describe('an unusable file is refused with a sentence that says what to do', () => {
  const text = new TextEncoder().encode('This is my swing. '.repeat(200))
  const png = joinBytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], fillerBytes(200))
  const cases: [string, Uint8Array, string, string][] = [
    ['a text file', text, 'video/mp4', 'not-a-video'],
    ['an empty file', new Uint8Array(), 'video/mp4', 'not-a-video'],
    ['a picture', png, 'video/mp4', 'not-a-video'],
    ['a picture in a movie container', joinBytes(ftypBox('heic'), mp4Box('mdat', fillerBytes())), 'video/mp4', 'not-a-video'],
    ['sound only', joinBytes(ftypBox('M4A '), mp4Box('moov', mvhdBox(1, 1)), mp4Box('mdat', fillerBytes())), 'video/mp4', 'not-a-video'],
    ['a MOV called MP4', movFile(), 'video/mp4', 'wrong-type'],
    ['an MP4 called MOV', minimalMp4File(), 'video/quicktime', 'wrong-type'],
    ['a WEBM called MP4', webmFile(), 'video/mp4', 'wrong-type'],
    [
      'Matroska',
      joinBytes(
        webmElement(
          [0x1a, 0x45, 0xdf, 0xa3],
          webmElement(
            [0x42, 0x82],
            [...'matroska'].map(c => c.charCodeAt(0)),
          ),
        ),
        fillerBytes(100),
      ),
      'video/webm',
      'not-a-video',
    ],
    ['an MP4 that is cut off', minimalMp4File().slice(0, -1), 'video/mp4', 'truncated'],
    ['a MOV that lost its header', movFile().slice(0, -140), 'video/quicktime', 'truncated'],
    ['an MP4 with a byte too many', joinBytes(minimalMp4File(), [0]), 'video/mp4', 'truncated'],
    ['an MP4 without media', joinBytes(ftypBox('isom'), mp4Box('moov', mvhdBox(1, 1))), 'video/mp4', 'truncated'],
    ['a box smaller than its header', joinBytes(ftypBox('isom'), [0, 0, 0, 4], fillerBytes(100)), 'video/mp4', 'damaged'],
    ['a WEBM that is cut off', webmFile().slice(0, -1), 'video/webm', 'truncated'],
    ['a WEBM without media', joinBytes(ebmlHeader, webmElement(WEBM_SEGMENT_ID, webmInfo, fillerWebmTracks)), 'video/webm', 'truncated'],
    ['a WEBM without tracks', joinBytes(ebmlHeader, webmElement(WEBM_SEGMENT_ID, webmInfo, fillerWebmCluster)), 'video/webm', 'damaged'],
    [
      'a WEBM header before something else',
      joinBytes(ebmlHeader, webmElement([0x16, 0x54, 0xae, 0x6b], fillerBytes())),
      'video/webm',
      'damaged',
    ],
  ]
  test.each(cases)('%s', async (_, file, declared, code) => {
    await expect(look(file, declared)).rejects.toEqual(refused(code))
  })

  test.each([
    ['MOV', movFile(), 'MP4', 'video/mp4', '.mov'],
    ['MP4', minimalMp4File(), 'MOV', 'video/quicktime', '.mp4'],
    ['WEBM', webmFile(), 'MP4', 'video/mp4', '.webm'],
    ['MP4', minimalMp4File(), 'WEBM', 'video/webm', '.mp4'],
  ])('%s content: the refusal names the label and the extension to use', async (content, file, label, declared, extension) => {
    const message = `This file is labeled ${label}, but its content is ${content}. Rename it to end in ${extension} and choose it again.`
    await expect(look(file, declared)).rejects.toThrow(message)
  })
})

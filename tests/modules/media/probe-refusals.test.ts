import { describe, expect, test } from 'vitest'
import { probeContainer } from '../../../modules/media/probe-container.ts'
import {
  box,
  cluster,
  ebml,
  element,
  ftyp,
  info,
  joinBytes,
  media,
  mov,
  mp4,
  mvhd,
  SEGMENT,
  sourceOf,
  tracks,
  webm,
} from './container-builders.ts'

const look = (file: Uint8Array, declared: string) => probeContainer(sourceOf(file), declared)
const refused = (code: string) => expect.objectContaining({ code, message: expect.stringMatching(/^[A-Z].*[.]$/) })

describe('refused, with a sentence that says what to do', () => {
  const text = new TextEncoder().encode('This is my swing. '.repeat(200))
  const png = joinBytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], media(200))
  const cases: [string, Uint8Array, string, string][] = [
    ['a text file', text, 'video/mp4', 'not-a-video'],
    ['an empty file', new Uint8Array(), 'video/mp4', 'not-a-video'],
    ['a picture', png, 'video/mp4', 'not-a-video'],
    ['a picture in a movie container', joinBytes(ftyp('heic'), box('mdat', media())), 'video/mp4', 'not-a-video'],
    ['sound only', joinBytes(ftyp('M4A '), box('moov', mvhd(1, 1)), box('mdat', media())), 'video/mp4', 'not-a-video'],
    ['a MOV called MP4', mov(), 'video/mp4', 'wrong-type'],
    ['an MP4 called MOV', mp4(), 'video/quicktime', 'wrong-type'],
    ['a WEBM called MP4', webm(), 'video/mp4', 'wrong-type'],
    [
      'Matroska',
      joinBytes(
        element(
          [0x1a, 0x45, 0xdf, 0xa3],
          element(
            [0x42, 0x82],
            [...'matroska'].map(c => c.charCodeAt(0)),
          ),
        ),
        media(100),
      ),
      'video/webm',
      'not-a-video',
    ],
    ['an MP4 that is cut off', mp4().slice(0, -1), 'video/mp4', 'truncated'],
    ['a MOV that lost its header', mov().slice(0, -140), 'video/quicktime', 'truncated'],
    ['an MP4 with a byte too many', joinBytes(mp4(), [0]), 'video/mp4', 'truncated'],
    ['an MP4 without media', joinBytes(ftyp('isom'), box('moov', mvhd(1, 1))), 'video/mp4', 'truncated'],
    ['a box smaller than its header', joinBytes(ftyp('isom'), [0, 0, 0, 4], media(100)), 'video/mp4', 'damaged'],
    ['a WEBM that is cut off', webm().slice(0, -1), 'video/webm', 'truncated'],
    ['a WEBM without media', joinBytes(ebml, element(SEGMENT, info, tracks)), 'video/webm', 'truncated'],
    ['a WEBM without tracks', joinBytes(ebml, element(SEGMENT, info, cluster)), 'video/webm', 'damaged'],
    ['a WEBM header before something else', joinBytes(ebml, element([0x16, 0x54, 0xae, 0x6b], media())), 'video/webm', 'damaged'],
  ]
  test.each(cases)('%s', async (_, file, declared, code) => {
    await expect(look(file, declared)).rejects.toEqual(refused(code))
  })
})

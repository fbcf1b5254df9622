import { copyFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isOutOfDiskOrFileHandlesError } from '../../../modules/media/disk-and-file-limit-errors.ts'
import type { MediaEngine } from '../../../modules/media/preparation-process/media-engine.ts'
import { prepareMedia } from '../../../modules/media/preparation-process/prepare-media.ts'
import {
  ORIGINAL_FILE_NAME,
  OUTPUT_FILES,
  type OutputFileKind,
  type PreparationMessage,
  type PreparationProcessInput,
} from '../../../modules/media/preparation-process/protocol.ts'
import { readContainerFile } from '../../../modules/media/preparation-process/read-container-file.ts'
import { sampleVideos, sampleVoice } from '../../support/sample-media.ts'
import { buildMp4 } from './mp4-builder.ts'

// These tests run the preparation code in the test's own process; in production it runs in a child process.

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'prepare-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** Prepares a sample. @returns the final message, and all messages before it */
async function prepared(kind: PreparationProcessInput['kind']) {
  await copyFile(kind === 'voice' ? sampleVoice : sampleVideos.mp4, join(dir, ORIGINAL_FILE_NAME))
  const messages: PreparationMessage[] = []
  const end = await prepareMedia({ kind, dir, type: kind === 'voice' ? 'audio/webm' : 'video/mp4' }, message => void messages.push(message))
  return { end, messages }
}
const sizeOf = (file: OutputFileKind) => stat(join(dir, OUTPUT_FILES[file].name)).then(({ size }) => size)

describe('preparation makes', () => {
  test('AAC sound from a voice-over', async () => {
    const { end, messages } = await prepared('voice')
    expect(end).toEqual({ is: 'made', made: { voice: { bytes: await sizeOf('voice') } } })
    expect(messages).toEqual([{ is: 'probing' }])
    expect((await readdir(dir)).sort()).toEqual(['original', 'voice.m4a'])
  })

  test('a rendition with a poster and a filmstrip', async () => {
    const { end, messages } = await prepared('rendition')
    expect(messages.filter(w => w.is !== 'progress')).toMatchObject([
      { is: 'probing' },
      { is: 'probed', media: { frames: 60, codec: 'avc' }, table: { runs: [[60, expect.any(Number)]] } },
    ])
    expect(end).toEqual({
      is: 'made',
      made: {
        rendition: { width: 320, height: 240, bytes: await sizeOf('rendition') },
        poster: { bytes: await sizeOf('poster') },
        filmstrip: { count: 60, columns: 10, width: 120, height: 90, bytes: await sizeOf('filmstrip') },
      },
    })
    const [poster, strip] = await Promise.all(
      (['poster', 'filmstrip'] as const).map(file => sharp(join(dir, OUTPUT_FILES[file].name)).metadata()),
    )
    expect([poster!.format, poster!.width, poster!.height]).toEqual(['webp', 320, 240])
    expect([strip!.format, strip!.width, strip!.height]).toEqual(['jpeg', 1200, 540])
  })
})

/** Prepares a sample with an engine that has only the functions in `replaced`. */
async function preparedWith(kind: PreparationProcessInput['kind'], replaced: Partial<MediaEngine>) {
  vi.doMock('../../../modules/media/preparation-process/media-engine.ts', () => ({ loadMediaEngine: async () => replaced }))
  return prepared(kind)
}
afterEach(() => void vi.doUnmock('../../../modules/media/preparation-process/media-engine.ts'))

test("a rendition whose frames differ from the original's is refused", async () => {
  const render: MediaEngine['render'] = async (_, out) => writeFile(out, buildMp4({ lengths: Array(59).fill(20) }))
  const { end, messages } = await preparedWith('rendition', { render })
  expect(end).toEqual({ is: 'refused', code: 'different' })
  expect(messages.map(w => w.is)).toEqual(['probing', 'probed'])
})

test('progress is reported at intervals, not for every frame', async () => {
  const render: MediaEngine['render'] = async (_, out, __, progress) => {
    for (const part of [0.1, 0.2, 0.3]) progress(part)
    await sleep(400)
    progress(0.4)
    await writeFile(out, buildMp4({ lengths: Array(59).fill(20) }))
  }
  const { messages } = await preparedWith('rendition', { render })
  expect(messages.flatMap(w => (w.is === 'progress' ? [w.part] : []))).toEqual([0.1, 0.4])
})

test('an error that the file did not cause is thrown instead of refusing the file', async () => {
  const full = Object.assign(new Error('No space left on device'), { code: 'ENOSPC' })
  const [result] = await Promise.allSettled([preparedWith('voice', { voice: () => Promise.reject(full) })])
  expect(result.status === 'rejected' && [result.reason.code, isOutOfDiskOrFileHandlesError(result.reason)]).toEqual(['ENOSPC', true])
})

test('a file that the system cannot open is not reported as damaged', async () => {
  await expect(readContainerFile(join(dir, 'nowhere'), 'video/mp4')).rejects.toMatchObject({ code: 'ENOENT' })
})

test.each(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'] as const)("%s means out of resources, by its name or by FFmpeg's number", code => {
  expect([isOutOfDiskOrFileHandlesError({ code }), isOutOfDiskOrFileHandlesError({ code: -constants.errno[code] })]).toEqual([true, true])
})
test('ENOMEM and unknown errors do not mean out of resources', () => {
  expect([
    isOutOfDiskOrFileHandlesError({ code: 'ENOMEM' }),
    isOutOfDiskOrFileHandlesError({ code: -constants.errno.ENOMEM }),
    isOutOfDiskOrFileHandlesError(new Error('x')),
  ]).toEqual([false, false, false])
})

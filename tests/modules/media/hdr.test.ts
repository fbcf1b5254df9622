import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadMediaEngine } from '../../../modules/media/preparation-process/media-engine.ts'
import { readContainerFile } from '../../../modules/media/preparation-process/read-container-file.ts'
import { ffmpegPath } from '../../support/test-clips.ts'
import {
  colorPatches,
  colorsOfPatches,
  encodePatchVideo,
  HDR_REFERENCE_WHITE_NITS,
  hdrTransferFunctionNames,
  type Rgb,
  sdrCodeValueOf,
  type TransferFunctionName,
} from './hdr-color-patches.ts'

/**
 * Tests how an ordinary screen shows HDR videos. Color patches of known luminance are encoded as HLG (BT.2100, and the base layer
 * of Dolby Vision 8.4, which iPhones record) and as PQ (the base layer of Dolby Vision 8.1, HDR10). The rendition's patches are compared
 * with what an ordinary screen shows for that light according to BT.2408: 203 cd/m² is its white, and darker light is mapped linearly,
 * with the transfer function of BT.1886.
 */

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hdr-'))
})
afterAll(() => rm(dir, { recursive: true }))

async function recordVideo(transfer: TransferFunctionName, name: string): Promise<string> {
  const to = join(dir, name)
  await encodePatchVideo(transfer, 'hevc', to)
  return to
}

/** The color in the middle of each patch of the rendition, 0…255. */
async function shown(file: string): Promise<Rgb[]> {
  const out = join(dir, `${file.split('/').at(-1)}-rendition.mp4`)
  await (await loadMediaEngine()).render(file, out, await readContainerFile(file, 'video/quicktime'), () => {})
  const filter = 'scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int,format=rgb24'
  const { stdout } = await promisify(execFile)(
    ffmpegPath!,
    ['-v', 'error', '-i', out, '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', 'pipe:1'],
    { encoding: 'buffer' },
  )
  return colorsOfPatches(stdout, 3)
}

describe.skipIf(!ffmpegPath).each(hdrTransferFunctionNames)('an HDR video with %s (needs ffmpeg)', (name, transfer) => {
  let whole: string
  let seen: Rgb[]
  beforeAll(async () => {
    whole = await recordVideo(transfer, `${name}.mov`)
    seen = await shown(whole)
  })

  test('gray, skin, grass and sky have the brightness and color of the BT.2408 reference', () => {
    for (const [i, patch] of colorPatches.entries())
      if (Math.max(...patch) < HDR_REFERENCE_WHITE_NITS)
        for (const [j, light] of patch.entries())
          expect(Math.abs(seen[i]![j]! - sdrCodeValueOf(light)), `patch ${i}: ${seen[i]}`).toBeLessThanOrEqual(
            Math.max(2, 0.06 * sdrCodeValueOf(light)),
          )
  })

  test('white stays white, and highlights are still brighter', () => {
    const [, , white, peak] = seen
    for (const rgb of [white!, peak!]) expect(Math.max(...rgb) - Math.min(...rgb)).toBeLessThanOrEqual(1)
    expect(white![0]).toBeGreaterThanOrEqual(235)
    expect(peak![0]).toBeGreaterThan(white![0] + 5)
  })

  test('a video with color tags only in its container looks the same', async () => {
    const silent = join(dir, `${name}-silent.mov`)
    const nothing = 'hevc_metadata=transfer_characteristics=2:colour_primaries=2:matrix_coefficients=2'
    execFileSync(ffmpegPath!, ['-v', 'error', '-y', '-i', whole, '-c', 'copy', '-bsf:v', nothing, silent])
    expect(await shown(silent)).toEqual(seen)
  })
})

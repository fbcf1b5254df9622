import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readContainerFile } from '../../../modules/media/child/container-file.ts'
import { loadMediaEngine } from '../../../modules/media/child/media-engine.ts'
import { ffmpeg } from '../../support/test-clips.ts'

/**
 * Colors of HDR films as an ordinary screen shows them. Patches of known light are encoded as HLG (BT.2100, and the base layer of Dolby Vision
 * 8.4, as iPhones film) and as PQ (the base layer of Dolby Vision 8.1, HDR10), and the rendition's patches are compared with what BT.2408 says
 * that an ordinary screen shows for that light: 203 cd/m² are its white, everything below is in proportion, by BT.1886.
 */

/** Red, green and blue; in cd/m², or as a share of the greatest signal. */
type Rgb = [number, number, number]
/** Reference white of HDR, cd/m² (BT.2408, table 1: 75 % of HLG, 58 % of PQ). */
const WHITE = 203
/** What a screen for HLG shows at its brightest, cd/m², and the system gamma that goes with it (BT.2100, table 5). */
const [PEAK, SYSTEM_GAMMA] = [1000, 1.2]

const map = (rgb: Rgb, f: (value: number) => number) => rgb.map(f) as Rgb
/** BT.2020 from BT.709 primaries (BT.2087). */
const TO_2020: Rgb[] = [
  [0.6274, 0.3293, 0.0433],
  [0.0691, 0.9195, 0.0114],
  [0.0164, 0.088, 0.8956],
]
const to2020 = (rgb: Rgb) => TO_2020.map(row => row.reduce((sum, weight, i) => sum + weight * rgb[i]!, 0)) as Rgb
const luma = ([r, g, b]: Rgb) => 0.2627 * r + 0.678 * g + 0.0593 * b

/** Signal of a light in cd/m², by BT.2100 tables 4 (PQ) and 5 (HLG). */
const signals = {
  'arib-std-b67': (light: Rgb): Rgb => {
    const scene = luma(light) && map(light, n => (n / PEAK) * (luma(light) / PEAK) ** (1 / SYSTEM_GAMMA - 1))
    const [a, b, c] = [0.17883277, 0.28466892, 0.55991073]
    return scene ? map(scene, e => (e <= 1 / 12 ? Math.sqrt(3 * e) : a * Math.log(12 * e - b) + c)) : [0, 0, 0]
  },
  smpte2084: (light: Rgb): Rgb => {
    const power = (n: number) => (n / 10_000) ** (1305 / 8192)
    return map(light, n => ((107 / 128 + (2413 / 128) * power(n)) / (1 + (2392 / 128) * power(n))) ** (2523 / 32))
  },
}
type Transfer = keyof typeof signals

/** Light of an 8-bit color of an ordinary screen (BT.1886) whose white is that of HDR, and back. */
const lightOf = (rgb: Rgb) => map(rgb, n => WHITE * (n / 255) ** 2.4)
const shownAs = (light: number) => 255 * (light / WHITE) ** (1 / 2.4)

const grey = (light: number): Rgb => [light, light, light]
const GREY_18 = 26
const skin: Rgb[] = [
  [197, 139, 106],
  [141, 85, 36],
  [224, 172, 140],
  [90, 56, 37],
]
const patches: Rgb[] = [
  ...[0, GREY_18, WHITE, PEAK].map(grey),
  ...skin.map(lightOf),
  // The colors of grass and of a blue sky.
  lightOf([88, 128, 60]),
  lightOf([120, 170, 215]),
]
const SIDE = 32

/** One frame of patches beside each other, as 10-bit Y′CbCr of BT.2020 with 4:2:0. */
function picture(transfer: Transfer): Buffer {
  const codes = patches.map(light => {
    const [r, g, b] = signals[transfer](to2020(light))
    const y = luma([r, g, b])
    return [64 + 876 * y, 512 + (896 * (b - y)) / 1.8814, 512 + (896 * (r - y)) / 1.4746].map(Math.round)
  })
  const plane = (n: number, side: number) => Array.from({ length: side }, () => codes.flatMap(code => Array(side).fill(code[n]))).flat()
  return Buffer.from(Uint16Array.from([...plane(0, SIDE), ...plane(1, SIDE / 2), ...plane(2, SIDE / 2)]).buffer)
}

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hdr-'))
})
afterAll(() => rm(dir, { recursive: true }))

async function filmed(transfer: Transfer, name: string): Promise<string> {
  const to = join(dir, name)
  const size = `${patches.length * SIDE}x${SIDE}`
  const tags = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc', '-color_range', 'tv']
  const child = spawn(ffmpeg!, [
    ...['-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', '-s', size, '-r', '30', '-i', 'pipe:0', '-c:v', 'libx265'],
    ...['-preset', 'ultrafast', '-x265-params', 'log-level=error:lossless=1', '-tag:v', 'hvc1', ...tags, to],
  ])
  child.stdin.end(Buffer.concat(Array(3).fill(picture(transfer))))
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  return to
}

/** The color in the middle of each patch of the rendition, 0…255. */
async function shown(file: string): Promise<Rgb[]> {
  const out = join(dir, `${file.split('/').at(-1)}-rendition.mp4`)
  await (await loadMediaEngine()).render(file, out, await readContainerFile(file, 'video/quicktime'), () => {})
  const filter = 'scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int,format=rgb24'
  const { stdout } = await promisify(execFile)(
    ffmpeg!,
    ['-v', 'error', '-i', out, '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', 'pipe:1'],
    { encoding: 'buffer' },
  )
  const at = (x: number) => ((SIDE / 2) * patches.length * SIDE + x) * 3
  return patches.map((_, i) => [...stdout.subarray(at(i * SIDE + SIDE / 2), at(i * SIDE + SIDE / 2) + 3)] as Rgb)
}

const transfers = [
  ['HLG', 'arib-std-b67'],
  ['PQ', 'smpte2084'],
] as const

describe.skipIf(!ffmpeg).each(transfers)('%s (needs ffmpeg)', (name, transfer) => {
  let whole: string
  let seen: Rgb[]
  beforeAll(async () => {
    whole = await filmed(transfer, `${name}.mov`)
    seen = await shown(whole)
  })

  test('grey, skin, grass and sky are as bright and as colorful as BT.2408 says', () => {
    for (const [i, patch] of patches.entries())
      if (Math.max(...patch) < WHITE)
        for (const [j, light] of patch.entries())
          expect(Math.abs(seen[i]![j]! - shownAs(light)), `patch ${i}: ${seen[i]}`).toBeLessThanOrEqual(Math.max(2, 0.06 * shownAs(light)))
  })

  test('white is white, and highlights are still brighter', () => {
    const [, , white, peak] = seen
    for (const rgb of [white!, peak!]) expect(Math.max(...rgb) - Math.min(...rgb)).toBeLessThanOrEqual(1)
    expect(white![0]).toBeGreaterThanOrEqual(235)
    expect(peak![0]).toBeGreaterThan(white![0] + 5)
  })

  test('a film with color tags only in its container looks the same', async () => {
    const silent = join(dir, `${name}-silent.mov`)
    const nothing = 'hevc_metadata=transfer_characteristics=2:colour_primaries=2:matrix_coefficients=2'
    execFileSync(ffmpeg!, ['-v', 'error', '-y', '-i', whole, '-c', 'copy', '-bsf:v', nothing, silent])
    expect(await shown(silent)).toEqual(seen)
  })
})

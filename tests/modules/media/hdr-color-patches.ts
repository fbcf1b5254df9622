import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ffmpegPath } from '../../support/test-clips.ts'

/** Color patches of known luminance, and HDR videos of them. */

/** Red, green and blue: light in cd/m², a signal from 0 to 1, or an 8-bit color. */
export type Rgb = [number, number, number]
/** HDR reference white in cd/m² (BT.2408, table 1: a signal of 75% in HLG, of 58% in PQ). */
export const HDR_REFERENCE_WHITE_NITS = 203
/** The peak luminance of an HLG screen in cd/m², and the system gamma at that peak (BT.2100, table 5). */
const [PEAK, SYSTEM_GAMMA] = [1000, 1.2]

const map = (rgb: Rgb, f: (value: number) => number) => rgb.map(f) as Rgb
/** The matrix that converts linear light from BT.709 to BT.2020 primaries (BT.2087). */
const TO_2020: Rgb[] = [
  [0.6274, 0.3293, 0.0433],
  [0.0691, 0.9195, 0.0114],
  [0.0164, 0.088, 0.8956],
]
const to2020 = (rgb: Rgb) => TO_2020.map(row => row.reduce((sum, weight, i) => sum + weight * rgb[i]!, 0)) as Rgb
const luma = ([r, g, b]: Rgb) => 0.2627 * r + 0.678 * g + 0.0593 * b

/** Converts light in cd/m² to a signal from 0 to 1, according to tables 4 (PQ) and 5 (HLG) of BT.2100. */
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
export type TransferFunctionName = keyof typeof signals

/**
 * Converts an 8-bit SDR color to light in cd/m² (BT.1886), with SDR white at HDR reference white; `sdrCodeValueOf` converts one channel
 * back.
 */
const lightOf = (rgb: Rgb) => map(rgb, n => HDR_REFERENCE_WHITE_NITS * (n / 255) ** 2.4)
export const sdrCodeValueOf = (light: number) => 255 * (light / HDR_REFERENCE_WHITE_NITS) ** (1 / 2.4)

const grey = (light: number): Rgb => [light, light, light]
const GREY_18 = 26
const skin: Rgb[] = [
  [197, 139, 106],
  [141, 85, 36],
  [224, 172, 140],
  [90, 56, 37],
]
export const colorPatches: Rgb[] = [
  ...[0, GREY_18, HDR_REFERENCE_WHITE_NITS, PEAK].map(grey),
  ...skin.map(lightOf),
  // The colors of grass and of a blue sky.
  lightOf([88, 128, 60]),
  lightOf([120, 170, 215]),
]
export const PATCH_SIDE_PIXELS = 32

/** Returns a frame with the patches side by side, as 10-bit BT.2020 Y′CbCr with 4:2:0 subsampling. */
function picture(transfer: TransferFunctionName): Buffer {
  const codes = colorPatches.map(light => {
    const [r, g, b] = signals[transfer](to2020(light))
    const y = luma([r, g, b])
    return [64 + 876 * y, 512 + (896 * (b - y)) / 1.8814, 512 + (896 * (r - y)) / 1.4746].map(Math.round)
  })
  const plane = (n: number, side: number) => Array.from({ length: side }, () => codes.flatMap(code => Array(side).fill(code[n]))).flat()
  return Buffer.from(
    Uint16Array.from([...plane(0, PATCH_SIDE_PIXELS), ...plane(1, PATCH_SIDE_PIXELS / 2), ...plane(2, PATCH_SIDE_PIXELS / 2)]).buffer,
  )
}

/** The common name of each transfer function, and ffmpeg's name for it. */
export const hdrTransferFunctionNames = [
  ['HLG', 'arib-std-b67'],
  ['PQ', 'smpte2084'],
] as const

/** Lossless 10-bit encoders: HEVC, as phones record it, and VP9, which every Chromium decodes. */
const encoders = {
  hevc: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error:lossless=1', '-tag:v', 'hvc1'],
  vp9: ['-c:v', 'libvpx-vp9', '-profile:v', '2', '-lossless', '1', '-deadline', 'realtime', '-cpu-used', '8'],
}

/** Encodes three frames of the patches into the file `to`. */
export async function encodePatchVideo(transfer: TransferFunctionName, codec: keyof typeof encoders, to: string): Promise<void> {
  const size = `${colorPatches.length * PATCH_SIDE_PIXELS}x${PATCH_SIDE_PIXELS}`
  const tags = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc', '-color_range', 'tv']
  const child = spawn(ffmpegPath!, [
    ...['-v', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', ...tags, '-s', size, '-r', '30', '-i', 'pipe:0'],
    ...[...encoders[codec], ...tags, to],
  ])
  child.stdin.end(Buffer.concat(Array(3).fill(picture(transfer))))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`ffmpeg could not film patches as ${codec}.`)
}

/** The color in the middle of each patch of an RGB or RGBA picture. */
export const colorsOfPatches = (pixels: Uint8Array, channels: 3 | 4): Rgb[] =>
  colorPatches.map((_, i) => {
    const at =
      ((PATCH_SIDE_PIXELS / 2) * colorPatches.length * PATCH_SIDE_PIXELS + i * PATCH_SIDE_PIXELS + PATCH_SIDE_PIXELS / 2) * channels
    return [...pixels.subarray(at, at + 3)] as Rgb
  })

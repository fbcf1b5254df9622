import { execFile, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { loadMediaEngine } from '../../modules/media/preparation-process/media-engine.ts'
import { readContainerFile } from '../../modules/media/preparation-process/read-container-file.ts'

// Clips as phones, editors and browsers create them, each with frame numbers burned into the picture. ffmpeg creates a clip when a test
// first needs it; the file stays in the temporary directory.

/** The path of ffmpeg, or undefined if it is not installed; tests that need it are then skipped. */
export const ffmpegPath = process.env.PATH?.split(delimiter)
  .map(dir => join(dir, 'ffmpeg'))
  .find(existsSync)

const WIDTH = 384
const HEIGHT = 216
/** The number of bits in a burned-in number, enough for 4096 frames. */
const BITS = 12

interface Recipe {
  frames: number
  /** Frames per second, if constant. */
  rate: string
  /** The time of frame `N` if the rate varies, in ticks of `scale`. */
  times?: { scale: number; at: string }
  /** The last filters before the encoder. */
  filter?: string
  encode: string[]
  sound?: 'aac' | 'libopus'
  /** An ffmpeg sound source, if not a tone. */
  soundSource?: string
  /** A second ffmpeg pass without reencoding: arguments before and after the input. */
  copy?: { before?: string[]; after?: string[] }
  /** Changes bytes of the file in place. */
  damage?: (file: Buffer) => void
  /** Whether the frame with this number is visible; by default all are. */
  isVisible?: (number: number) => boolean
}

const x264 = (...more: string[]) => ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-pix_fmt', 'yuv420p', ...more]
const x265 = (...more: string[]) => [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-x265-params',
  'log-level=error',
  '-tag:v',
  'hvc1',
  ...more,
]
const vpx = (codec: string, ...more: string[]) => ['-c:v', codec, '-b:v', '1M', '-deadline', 'realtime', '-cpu-used', '8', ...more]
const av1 = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime', '-b:v', '500k', '-g', '30']
const noBFrames = ['-bf', '0']

const recipes = {
  '24.mp4': { frames: 60, rate: '24', encode: x264(), sound: 'aac' },
  '29.97.mp4': { frames: 75, rate: '30000/1001', encode: x264() },
  '30.mov': { frames: 75, rate: '30', encode: x264(), sound: 'aac' },
  '60.mp4': { frames: 120, rate: '60', encode: x264('-g', '60') },
  '120.mp4': { frames: 180, rate: '120', encode: x264() },
  '240.mov': { frames: 300, rate: '240', encode: x264('-g', '240'), sound: 'aac' },
  'no-b.mp4': { frames: 75, rate: '30', encode: x264(...noBFrames) },
  'all-key.mp4': { frames: 60, rate: '30', encode: x264('-g', '1') },
  'index-first.mp4': { frames: 60, rate: '30', encode: x264('-movflags', '+faststart') },
  'fragmented.mp4': { frames: 75, rate: '30', encode: x264('-g', '15', '-movflags', 'frag_keyframe+empty_moov') },
  'variable.mp4': { frames: 90, rate: '30', times: { scale: 600, at: '20*N+mod(7*N,5)' }, encode: x264() },
  'mixed.mov': {
    frames: 240,
    rate: '240',
    times: { scale: 2400, at: 'if(lt(N,80),10*N,if(lt(N,140),800+40*(N-80),3200+10*(N-140)))' },
    encode: x264(),
  },
  'edit-list.mp4': {
    frames: 120,
    rate: '30',
    encode: x264('-g', '120', ...noBFrames),
    copy: { before: ['-ss', '1.5'] },
    isVisible: n => n >= 45,
  },
  // Trimmed as on a phone: the file contains all frames, but its edit list shows only two seconds of them.
  'trimmed-end.mp4': { frames: 90, rate: '30', encode: x264(), damage: endAfterTwoSeconds, isVisible: n => n < 60 },
  'delayed.mp4': { frames: 75, rate: '30', encode: x264(), copy: { before: ['-itsoffset', '0.5'] } },
  'rotated.mov': {
    frames: 75,
    rate: '30',
    filter: 'transpose=cclock',
    encode: x264(),
    copy: { after: ['-metadata:s:v', 'rotate=270'] },
  },
  // Noise, a footstep at 0.3 s, and the crack of a bat at frame 151.
  'crack-240.mp4': {
    frames: 300,
    rate: '240',
    encode: x264('-g', '240'),
    sound: 'aac',
    soundSource: [
      "aevalsrc='0.02*(random(0)-0.5)",
      '0.5*sin(2*PI*90*(t-0.3))*exp(-40*(t-0.3))*gte(t,0.3)',
      "0.9*(random(1)-0.5)*exp(-300*(t-151/240))*gte(t,151/240)':s=48000",
    ].join('+'),
  },
  // The same swing from a second angle, at 60 frames per second: the crack is at frame 40.
  'crack-60.mp4': {
    frames: 90,
    rate: '60',
    encode: x264('-g', '60'),
    sound: 'aac',
    soundSource: "aevalsrc='0.02*(random(0)-0.5)+0.9*(random(1)-0.5)*exp(-300*(t-40/60))*gte(t,40/60)':s=48000",
  },
  'vp8.webm': { frames: 75, rate: '30', encode: vpx('libvpx', '-g', '30'), sound: 'libopus' },
  'vp8-live.webm': { frames: 90, rate: '30', encode: vpx('libvpx', '-g', '30', '-live', '1') },
  'vp9.webm': { frames: 75, rate: '30000/1001', encode: vpx('libvpx-vp9', '-g', '30') },
  'vp9-240.webm': { frames: 240, rate: '240', encode: vpx('libvpx-vp9', '-g', '60') },
  'av1.mp4': { frames: 60, rate: '30', encode: av1 },
  'av1.webm': { frames: 60, rate: '60', encode: av1 },
  'hevc.mov': { frames: 120, rate: '60', encode: x265(), sound: 'aac' },
  'hevc-240.mov': { frames: 240, rate: '240', encode: x265() },
  'hlg.mov': {
    frames: 60,
    rate: '30',
    encode: x265('-pix_fmt', 'yuv420p10le', '-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67', '-colorspace', 'bt2020nc'),
  },
  // Every twentieth frame is encoded with a length of one tick, which is then changed to zero.
  'zero-length.mp4': {
    frames: 90,
    rate: '30',
    times: { scale: 600, at: '20*N-19*floor(N/20)' },
    encode: x264(...noBFrames),
    damage: removeTickLongFrames,
    isVisible: n => n % 20 !== 19,
  },
} satisfies Record<string, Recipe>

export type ClipName = keyof typeof recipes
export const testClipNames = Object.keys(recipes) as ClipName[]

/** The burned-in numbers of a clip's visible frames, in order. */
export function expectedClipFrameNumbers(name: ClipName): number[] {
  const { frames, isVisible: shown }: Recipe = recipes[name]
  return Array.from({ length: frames }, (_, n) => n).filter(n => shown?.(n) ?? true)
}

/** The path of a clip, which is created if needed. @throws if ffmpeg fails or is missing */
export const ensureTestClip = (name: ClipName) => ensureClip(name, recipes[name])

/** The path of a clip of any size and length, for instance as large as a phone's; `name` becomes part of the file name. */
export const ensureCustomTestClip = (name: string, recipe: Recipe & { width: number; height: number }) => ensureClip(name, recipe)

async function ensureClip(name: string, recipe: Recipe & { width?: number; height?: number }): Promise<string> {
  if (!ffmpegPath) throw new Error('ffmpeg is not here.')
  const hash = createHash('sha256').update(JSON.stringify(recipe)).update(String(recipe.damage)).digest('hex').slice(0, 12)
  const home = join(tmpdir(), 'diamondlink-clips')
  const path = join(home, `${hash}-${name}`)
  if (await stat(path).catch(() => null)) return path
  await mkdir(home, { recursive: true })
  // The file is renamed into place when it is complete, because another test that needs the clip must not read an incomplete file.
  const draft = (step: string) => join(home, `${randomUUID()}-${step}${extname(name)}`)
  let made = draft('encoded')
  await encode(made, recipe)
  if (recipe.copy) {
    const copied = draft('copied')
    const { before = [], after = [] } = recipe.copy
    await promisify(execFile)(ffmpegPath, [...QUIET, ...before, '-i', made, '-c', 'copy', ...after, copied])
    await rm(made)
    made = copied
  }
  if (recipe.damage) {
    const bytes = await readFile(made)
    recipe.damage(bytes)
    await writeFile(made, bytes)
  }
  await rename(made, path)
  return path
}

const QUIET = ['-hide_banner', '-loglevel', 'error', '-y']

async function encode(
  to: string,
  {
    frames,
    rate,
    times,
    filter,
    encode,
    sound,
    soundSource: heard = 'sine=frequency=220:sample_rate=48000',
    width = WIDTH,
    height = HEIGHT,
  }: Recipe & { width?: number; height?: number },
) {
  const picture = [
    `[1:v]scale=${width}:${Math.floor(height / 8) * 2}:flags=neighbor,format=yuv420p[number]`,
    '[0:v][number]overlay=shortest=1',
    ...(times ? [`settb=1/${times.scale},setpts='${times.at}'`] : []),
    ...(filter ? [filter] : []),
  ]
  const graph = `${picture[0]};${picture.slice(1).join(',')}[out]`
  const child = spawn(
    ffmpegPath!,
    [
      ...[...QUIET, '-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=${rate}`],
      ...['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${BITS}x2`, '-r', rate, '-i', 'pipe:0'],
      ...(sound ? ['-f', 'lavfi', '-i', heard, '-c:a', sound, '-b:a', '64k', '-shortest'] : []),
      ...['-filter_complex', graph, '-map', '[out]', ...(sound ? ['-map', '2:a'] : [])],
      ...(times ? ['-fps_mode', 'passthrough', '-enc_time_base', `1/${times.scale}`, '-video_track_timescale', `${times.scale}`] : []),
      ...[...encode, '-frames:v', `${frames}`, to],
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  )
  let errors = ''
  child.stderr.on('data', text => (errors += text))
  child.stdin.on('error', () => {})
  child.stdin.end(Buffer.concat(Array.from({ length: frames }, (_, n) => numberAsPixels(n))))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`ffmpeg could not make ${to}: ${errors}`)
}

/** A number as a row of white and black pixels, with its complement below. */
function numberAsPixels(number: number): Buffer {
  const bits = Array.from({ length: BITS }, (_, bit) => ((number >> bit) & 1 ? 255 : 0))
  return Buffer.from([...bits, ...bits.map(b => 255 - b)])
}

/** Changes every frame length of one tick in an MP4's time-to-sample table to zero. */
function removeTickLongFrames(file: Buffer) {
  const stts = file.indexOf('stts') + 4
  const entries = file.readUInt32BE(stts + 4)
  for (let i = 0; i < entries; i++) {
    const delta = stts + 8 + i * 8 + 4
    if (file.readUInt32BE(delta) === 1) file.writeUInt32BE(0, delta)
  }
}

/** Changes the duration in an MP4's first edit list to two seconds; ffmpeg writes it in milliseconds. */
function endAfterTwoSeconds(file: Buffer) {
  const list = file.indexOf('elst') + 4
  file.writeUInt32BE(2000, list + 8)
}

const typeOf = (path: string) => ({ '.webm': 'video/webm', '.mov': 'video/quicktime' })[extname(path)] ?? 'video/mp4'

export const frameTableOf = async (path: string) => (await readContainerFile(path, typeOf(path))).table

/** Returns the path of a file's rendition, which is created, if needed, by the same code as in the worker. */
export async function renderRenditionOfTestClip(path: string): Promise<string> {
  const recipe = createHash('sha256')
  for (const part of ['hdr-to-sdr-filters', 'rendition-and-still-settings', 'render-rendition'])
    recipe.update(await readFile(join(import.meta.dirname, `../../modules/media/preparation-process/${part}.ts`)))
  const to = path.replace(/\.\w+$/, `-rendition-${recipe.digest('hex').slice(0, 6)}.mp4`)
  if (await stat(to).catch(() => null)) return to
  const draft = to.replace(/\.mp4$/, `-${randomUUID()}.mp4`)
  const { render } = await loadMediaEngine()
  await render(path, draft, await readContainerFile(path, typeOf(path)), () => {})
  await rename(draft, to)
  return to
}

/** Reads the burned-in numbers of all frames in a file, in presentation order; -1 if a frame has none. */
export async function readBurnedInFrameNumbers(path: string): Promise<number[]> {
  const filter = `crop=iw:floor(ih/8)*2:0:0,scale=${BITS}:2:flags=area,format=gray`
  const { stdout } = await promisify(execFile)(
    ffmpegPath!,
    [...QUIET, '-i', path, '-map', '0:v:0', '-vf', filter, '-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1'],
    { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 },
  )
  const size = BITS * 2
  return Array.from({ length: stdout.length / size }, (_, i) => {
    const gray = stdout.subarray(i * size, (i + 1) * size)
    let number = 0
    for (let bit = 0; bit < BITS; bit++) {
      const contrast = gray[bit]! - gray[bit + BITS]!
      if (Math.abs(contrast) < 40) return -1
      if (contrast > 0) number |= 1 << bit
    }
    return number
  })
}

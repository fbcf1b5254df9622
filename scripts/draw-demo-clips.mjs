/**
 * Draws the demo's videos into src/demo/clips: a swing, a pitch, and a swing whose front shoulder opens early. A 3D figure with joints is
 * posed by keyframes, drawn as SVG, and encoded by ffmpeg: `node scripts/draw-demo-clips.mjs [name…]`. Requires ffmpeg.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { battingScene, flawedSwingKeyframes, homePlateSvg, swingKeyframes } from './demo-clips/batter.mjs'
import { moundSvg, pitchingScene, pitchKeyframes } from './demo-clips/pitcher.mjs'
import { createCamera, FRAMES_PER_SECOND, fieldSvg, PICTURE_HEIGHT, PICTURE_WIDTH } from './demo-clips/scene-svg.mjs'

const out = join(dirname(fileURLToPath(import.meta.url)), '../src/demo/clips')

const boxView = createCamera({ yaw: -16, x: 0.55 })
const moundView = createCamera({ yaw: -10, x: 0.75 })
const withFlaw = swingKeyframes.map(key => ({ ...key, ...flawedSwingKeyframes[key.t] }))
/** The clips by name. `seconds`: the length; `poster`: the time of the poster frame, in seconds; `hevc`: HEVC instead of H.264. */
export const demoClips = {
  swing: {
    seconds: 3.5,
    poster: 1.6,
    scene: battingScene(swingKeyframes, { flight: [19, 6.5, -6], view: boxView }),
    ground: fieldSvg(boxView, homePlateSvg),
  },
  delivery: {
    hevc: true,
    seconds: 3.4,
    poster: 1.7,
    scene: pitchingScene(pitchKeyframes, { view: moundView }),
    ground: fieldSvg(moundView, moundSvg),
  },
  'swing-early-shoulder': {
    seconds: 3.5,
    poster: 1.58,
    scene: battingScene(withFlaw, { flight: [9, -2.5, 5], view: boxView }),
    ground: fieldSvg(boxView, homePlateSvg),
  },
}
/** Draws one frame of a clip as SVG. @param t the frame's time in seconds */
export const drawDemoFrame = (clip, t) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" viewBox="0 0 ${PICTURE_WIDTH} ${PICTURE_HEIGHT}">${clip.ground}${clip.scene(t)}</svg>`,
  )

async function make(name) {
  const clip = demoClips[name]
  const hevc = ['-c:v', 'libx265', '-preset', 'medium', '-crf', '26', '-x265-params', 'log-level=error', '-pix_fmt', 'yuv420p']
  const h264 = [
    '-c:v',
    'libx264',
    '-profile:v',
    'main',
    '-pix_fmt',
    'yuv420p',
    '-crf',
    '22',
    '-preset',
    'veryslow',
    '-g',
    '30',
    '-movflags',
    '+faststart',
  ]
  // One clip is HEVC, which is what iPhones record.
  const codec = clip.hevc ? [...hevc, '-tag:v', 'hvc1', '-movflags', '+faststart'] : h264
  const file = `${name}.${clip.hevc ? 'mov' : 'mp4'}`
  const from = [
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-s',
    `${PICTURE_WIDTH}x${PICTURE_HEIGHT}`,
    '-r',
    String(FRAMES_PER_SECOND),
    '-i',
    '-',
  ]
  const ffmpeg = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...from, ...codec, join(out, file)], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  for (let i = 0; i < Math.round(clip.seconds * FRAMES_PER_SECOND); i++) {
    const pixels = await sharp(drawDemoFrame(clip, i / FRAMES_PER_SECOND))
      .flatten()
      .removeAlpha()
      .raw()
      .toBuffer()
    if (!ffmpeg.stdin.write(pixels)) await once(ffmpeg.stdin, 'drain')
  }
  ffmpeg.stdin.end()
  const [code] = await once(ffmpeg, 'exit')
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
  await sharp(drawDemoFrame(clip, clip.poster))
    .jpeg({ quality: 82, mozjpeg: true })
    .toFile(join(out, `${name}.jpg`))
  console.log(`src/demo/clips/${file}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(out, { recursive: true })
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(demoClips)) await make(name)
}

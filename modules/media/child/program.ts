import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { MAX_VOICE_MS } from '../../reviews/policy.ts'
import { timeline } from '../frames.ts'
import { RENDITION_LINES, scaledSize, VOICE_BIT_RATE } from '../policy.ts'
import type { Engine } from './engine-interface.ts'
import { maxPixels, posterFrame, posterSize, shown, strip, TOO_MANY_PIXELS, tileFrames, X264 } from './picture.ts'
import { Refusal } from './refusal.ts'
import { ending, lasting, resampled } from './sound.ts'

const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y']
/**
 * Only files, and only the container that was looked into: what a file refers to elsewhere is not opened. What an edit list hides is known
 * from the table; left to the program, a frame goes of which a part is shown.
 */
const opened = (webm: boolean) => ['-protocol_whitelist', 'file', ...(webm ? ['-f', 'matroska'] : ['-f', 'mov', '-advanced_editlist', '0'])]

/** How its versions say so. */
const NO_DECODER = /no decoder found for|decoder \([^)]*\) not found for/i

/** FFmpeg as a program of the machine's own, version 5.1 or newer. */
export const program = (ffmpeg: string): Engine => ({
  async render(original, out, { media, table, starts, picture }, progress) {
    const times = timeline(table)
    const webm = media.container === 'webm'
    const first = times.start(0)
    const half = (times.end(0) - starts.shown) / 2
    // The program turns the picture itself, and takes the mark of it from the file.
    const colors = { primaries: 9, transfer: media.hdr ? 18 : 2, matrix: 9 }
    const upright = shown({ ...media, rotation: 0 }, false, colors)
    // Of frames at the same time the first cannot be seen, and none before the first of the table.
    const chosen = `select='gte(t,${starts.shown - half})*not(eq(pts,prev_pts))',setpts='max(0,PTS-STARTPTS-round(${first - starts.shown}/TB))'`
    const make = (sounding: boolean) =>
      run(
        ffmpeg,
        [
          ...[...quiet, '-copyts', '-max_pixels', `${maxPixels(picture)}`, ...opened(webm), '-i', original],
          // Opened a second time for its sound: what is not used of an input is passed over, and sound that has ended is read no further.
          ...(sounding ? [...opened(webm), '-i', original] : []),
          ...['-map', '0:v:0', '-vf', `${chosen},${upright}`],
          ...['-fps_mode', 'passthrough', '-enc_time_base', `1:${table.scale}`, '-video_track_timescale', `${table.scale}`],
          ...['-c:v', 'libx264', '-preset', X264.preset, '-crf', `${X264.crf}`, '-x264-params', X264.params],
          ...(sounding ? ['-map', '1:a:0?', '-af', `asetpts=PTS-${first}/TB,${resampled},${ending(times)},${lasting(times)}`] : []),
          ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-map_metadata', '-1', '-map_chapters', '-1', '-movflags', '+faststart'],
          ...['-progress', 'pipe:1', '-f', 'mp4', out],
        ],
        line => {
          const frame = /^frame=(\d+)/.exec(line)
          if (frame) progress(Math.min(1, Number(frame[1]) / times.frames))
        },
      )
    await make(starts.audio !== null).catch(error => {
      // It is made without sound that nobody can decode.
      if (error instanceof Refusal && NO_DECODER.test(`${error.cause}`)) return make(false)
      throw error
    })
  },

  async voice(original, type, out) {
    const format = { 'audio/webm': 'matroska', 'audio/mp4': 'mov', 'audio/ogg': 'ogg' }[type]
    await run(ffmpeg, [
      ...[...quiet, '-protocol_whitelist', 'file', '-f', format, '-i', original, '-map', '0:a:0', '-t', `${MAX_VOICE_MS / 1000 + 5}`],
      ...['-af', resampled, '-c:a', 'aac', '-b:a', VOICE_BIT_RATE, '-ac', '1', '-map_metadata', '-1'],
      ...['-movflags', '+faststart', '-f', 'mp4', out],
    ])
  },

  async stills(rendition, media, out) {
    const { count, columns, rows, ...tile } = strip({ ...scaledSize(media, RENDITION_LINES), frames: media.frames })
    const poster = posterSize(media)
    const among = (frames: number[]) => `select='${frames.map(n => `eq(n,${n})`).join('+')}'`
    const tiles = `${among(tileFrames(media.frames, count))},scale=${tile.width}:${tile.height},tile=${columns}x${rows}:nb_frames=${count}`
    const still = `${among([posterFrame(media.frames)])},scale=${poster.width}:${poster.height}`
    const to = (file: string, quality: number) => ['-frames:v', '1', '-q:v', `${quality}`, '-f', 'image2', '-update', '1', file]
    await run(ffmpeg, [
      ...[...quiet, ...opened(false), '-i', rendition, '-filter_complex', `[0:v]split[a][b];[a]${tiles}[strip];[b]${still}[poster]`],
      ...['-map', '[strip]', ...to(out.filmstrip, 6), '-map', '[poster]', ...to(out.poster, 2)],
    ])
    return { count, columns, ...tile }
  },
})

/** Runs it to its end. @throws Refusal where it ends with an error of the file's; one with code ENOSPC where the disk is full */
async function run(ffmpeg: string, args: string[], line?: (line: string) => void) {
  const child = spawn(ffmpeg, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  let complaint = ''
  let isTooLarge = false
  child.stderr.on('data', data => {
    complaint = (complaint + data).slice(-2000)
    if (!TOO_MANY_PIXELS.test(complaint)) return
    isTooLarge = true
    end()
  })
  createInterface(child.stdout).on('line', text => line?.(text))
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, fail) => {
    child.once('error', fail)
    child.once('close', (...how) => done(how))
  })
  process.off('exit', end)
  if (isTooLarge) throw new Refusal('other-size', complaint)
  if (code === 0) return
  if (complaint.includes('No space left on device')) throw Object.assign(new Error(complaint), { code: 'ENOSPC' })
  if (!signal) throw new Refusal('damaged', complaint || `FFmpeg ended with ${code}`)
  // Whoever watches tells a fault of the file from an end that came from outside: this ends as the program did.
  console.error(complaint)
  process.kill(process.pid, signal)
  await new Promise(() => {})
}

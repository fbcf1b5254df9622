import { stat, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { Frame, Packet, Stream } from 'node-av'
import type { Voice } from '../../reviews/contract.ts'
import { MAX_VOICE_MS } from '../../reviews/policy.ts'
import { timeline } from '../frames.ts'
import { MAX_SIDE_PIXELS, RENDITION_LINES, scaledSize, VOICE_BIT_RATE } from '../policy.ts'
import type { ContainerFacts } from '../read-container.ts'
import { maxSoundPackets } from './look.ts'
import { maxPixels, posterFrame, posterSize, shown, strip, TOO_MANY_PIXELS, tileFrames, X264 } from './picture.ts'
import { Refusal, type RefusalCode } from './refusal.ts'
import { ending, lasting, resampled, SAMPLE_RATE } from './sound.ts'

/** Threads of one decoder or encoder: more of them want more memory than they save time. */
const THREADS = Math.min(4, availableParallelism())
/** Part of the frames that may be missing (a copy that broke in the middle): the one before is shown for longer, as players do. */
const MISSING_MOST = 0.02
/** A recording may be a little longer than its limit, ms. */
const SLACK = 5000

/** Only files, and only the container that was looked into: what a file refers to elsewhere is not opened. */
const opened = (av: Av, file: string, webm: boolean) =>
  av.Demuxer.open(file, {
    format: webm ? 'matroska' : 'mov',
    options: {
      protocol_whitelist: 'file',
      // What an edit list hides is known from the table; read without it, every packet has a frame.
      ...(!webm && { ignore_editlist: '1' }),
    },
  })

const quiet = (pixels: number) => ({ exitOnError: false, context: { threadCount: THREADS }, options: { max_pixels: pixels } })

type Av = typeof import('node-av')

/** Whether a decoder has met a picture that is larger than it may be: it tells nobody but the log. */
let isTooLarge = false
function listenToLog(av: Av) {
  av.Log.setLevel(av.AV_LOG_ERROR)
  const onMessage = (_: number, message: string) => {
    if (TOO_MANY_PIXELS.test(message)) isTooLarge = true
    console.error(message.trimEnd())
  }
  // A callback gets messages of all levels unless it says so itself.
  av.Log.setCallback(onMessage, { maxLevel: av.AV_LOG_ERROR })
}

/** What decodes, scales and encodes: FFmpeg as a library in this process (node-av). */
export function library(av: Av) {
  listenToLog(av)
  return {
    /** @param progress 0…1 @throws Refusal */
    render: (original: string, out: string, looked: ContainerFacts, progress: (part: number) => void) =>
      render(av, original, out, looked, progress),
    /** AAC of a voice-over, from its first sound on. @throws Refusal */
    voice: (original: string, type: Voice['type'], out: string) => voice(av, original, type, out),
    /** The poster and the filmstrip of a rendition, as JPEG. @throws Refusal */
    stills: (rendition: string, media: ContainerFacts['media'], out: { poster: string; filmstrip: string }) =>
      stills(av, rendition, media, out),
  }
}

const secondsOf = (pts: bigint, { timeBase }: { timeBase: { num: number; den: number } }) => (Number(pts) * timeBase.num) / timeBase.den

/**
 * Makes the rendition: every frame of the table once, at its time, turned and scaled, without B-frames.
 * @param progress 0…1
 * @throws Refusal
 */
async function render(
  av: Av,
  file: string,
  out: string,
  { media, table, flip, starts, picture: promised }: ContainerFacts,
  progress: (part: number) => void,
): Promise<void> {
  const times = timeline(table)
  const { frames } = times
  const { scale, first } = table
  await using demuxer = await opened(av, file, media.container === 'webm')
  const picture = demuxer.video()
  const sound = starts.audio === null ? undefined : demuxer.audio()
  if (!picture) throw new Refusal('no-picture')
  const pixels = maxPixels(promised)
  // FFmpeg has decoded a first picture by now, to find out what it is.
  if (picture.codecpar.width * picture.codecpar.height > pixels) throw new Refusal('other-size')
  // What is not used costs nothing.
  for (const stream of demuxer.streams) if (stream !== picture && stream !== sound) stream.discard = av.AVDISCARD_ALL
  isTooLarge = false
  using decoder = await av.Decoder.create(picture, quiet(pixels)).catch(() => {
    throw new Refusal(isTooLarge ? 'other-size' : 'codec')
  })
  const { colorPrimaries, colorTrc, colorSpace } = picture.codecpar
  const colors = { primaries: colorPrimaries, transfer: colorTrc, matrix: colorSpace }
  using filter = av.FilterAPI.create(shown(media, flip, colors), { graph: { nbThreads: THREADS } })
  using encoder = await av.Encoder.create(av.FF_ENCODER_LIBX264, {
    filter,
    // By the clock alone the encoder would think of thousands of frames a second, and mark the file for decoders that nobody has.
    context: { threadCount: THREADS, framerate: new av.Rational(...usual(media)) },
    options: { preset: X264.preset, crf: X264.crf, 'x264-params': X264.params },
  })
  using hearing = sound ? await listening(av, sound, { fitted: [ending(times), lasting(times)] }) : null
  await using muxer = await av.Muxer.open(out, {
    format: 'mp4',
    options: { movflags: '+faststart', video_track_timescale: scale, fflags: '+bitexact' },
  })
  const videoOut = muxer.addStream(encoder)
  const audioOut = hearing && muxer.addStream(hearing.encoder)

  const write = async (packets: Packet[], stream: number) => {
    for (using packet of packets) await muxer.writePacket(packet, stream)
  }

  /** The frame that is shown until the next one of the table is decoded. */
  let held: Frame | null = null
  let next = 0
  let missing = 0
  const showUntil = async (end: number, otherwise: Frame | null) => {
    for (let filling = false; next < end; next++, filling = true) {
      const still = held ?? otherwise
      if (!still) throw new Refusal('damaged', 'no frame can be decoded')
      if (filling || !held) missing++
      if (missing > Math.max(2, frames * MISSING_MOST))
        throw new Refusal('damaged', `${missing} of ${frames} frames until ${next} are missing`)
      using frame = still.clone()!
      frame.pts = BigInt(Math.round(times.start(next) * scale) - first)
      frame.duration = BigInt(Math.round((times.end(next) - times.start(next)) * scale))
      frame.timeBase = new av.Rational(1, scale)
      // A key frame of the original is none of ours.
      frame.pictType = av.AV_PICTURE_TYPE_NONE
      for (using ready of await filter.processAll(frame)) await write(await encoder.encodeAll(ready), videoOut)
    }
    progress(next / frames)
  }

  /** Seconds from the decoder's clock to that of the table. */
  let shift: number | undefined
  let soundShift: number | undefined
  let at = -1
  const seen = async (decoded: Frame[]) => {
    for (const frame of decoded) {
      const seconds = secondsOf(frame.pts, frame) + shift!
      // Before the first frame of the table: hidden, but it may reach into it.
      const index = seconds * scale < first - 0.5 ? -1 : times.at(seconds)
      if (index < at) {
        frame.free()
        continue
      }
      await showUntil(index, frame)
      at = index
      held?.free()
      held = frame
    }
  }

  const pictures = metered('damaged', promised.packets, promised.bytes)
  const sounds = metered('sound', maxSoundPackets(times.seconds), (await stat(file)).size)
  for (using packet of demuxer.packetsSync()) {
    if (!packet) break
    if (packet.streamIndex === picture.index) {
      pictures.count(packet)
      shift ??= starts.video - secondsOf(packet.pts, picture)
      await seen(await decoder.decodeAll(packet))
      if (isTooLarge) throw new Refusal('other-size')
    } else if (hearing && packet.streamIndex === sound!.index) {
      soundShift ??= starts.audio! - secondsOf(packet.pts, sound!)
      const offset = soundShift - first / scale
      if (secondsOf(packet.pts, sound!) + offset > times.seconds || hearing.seconds() > maxDecodedSound(times.seconds)) {
        sound!.discard = av.AVDISCARD_ALL
        continue
      }
      sounds.count(packet)
      await write(await hearing.hear(packet, offset), audioOut!)
    }
  }
  if (shift === undefined) throw new Refusal('no-picture')
  await seen(await decoder.decodeAll(null))
  await showUntil(frames, null)
  for (using ready of await filter.processAll(null)) await write(await encoder.encodeAll(ready), videoOut)
  await write(await encoder.encodeAll(null), videoOut)
  if (hearing) await write(await hearing.end(), audioOut!)
}

/** Sound that may be decoded for a film so long, seconds: what lies before the first picture, or is there twice, is left out later. */
const maxDecodedSound = (seconds: number) => 2 * seconds + 60

/**
 * FFmpeg reads a container with a parser of its own: a file that looks short to ours may go on for ever in its eyes. No track gives more than
 * it was seen to hold.
 */
function metered(code: RefusalCode, mostPackets: number, mostBytes: number) {
  let [packets, bytes] = [0, 0]
  return {
    /** @throws Refusal */
    count({ size }: Packet) {
      packets++
      bytes += size
      // A little of a packet's head may have been stripped in the file: it costs nothing.
      if (packets > mostPackets || bytes > mostBytes + packets * 16)
        throw new Refusal(code, `packet ${packets}, ${bytes} bytes: the file promised ${mostPackets} of together ${mostBytes} bytes`)
    },
  }
}

const usual = ({ rate, frames, milliseconds }: ContainerFacts['media']) =>
  rate ?? ([Math.round((frames * 1e6) / milliseconds), 1000] as const)

/** What a voice-over may be in, as FFmpeg names it. */
const VOICES: Record<Voice['type'], string> = { 'audio/webm': 'matroska', 'audio/mp4': 'mov', 'audio/ogg': 'ogg' }

async function voice(av: Av, file: string, type: Voice['type'], out: string) {
  const options = { protocol_whitelist: 'file' }
  await using demuxer = await av.Demuxer.open(file, { format: VOICES[type], options }).catch(error => {
    throw new Refusal('damaged', error)
  })
  const sound = demuxer.audio()
  if (!sound) throw new Refusal('no-sound')
  using hearing = await listening(av, sound, { bitRate: VOICE_BIT_RATE, channels: 'mono' })
  if (!hearing) throw new Refusal('codec')
  await using muxer = await av.Muxer.open(out, { format: 'mp4', options: { movflags: '+faststart', fflags: '+bitexact' } })
  const stream = muxer.addStream(hearing.encoder)
  const write = async (packets: Packet[]) => {
    for (using packet of packets) await muxer.writePacket(packet, stream)
  }
  let begins: number | undefined
  for (using packet of demuxer.packetsSync(sound.index)) {
    if (!packet) break
    const seconds = secondsOf(packet.pts, sound)
    begins ??= seconds
    if ((seconds - begins) * 1000 > MAX_VOICE_MS + SLACK) throw new Refusal('too-much')
    await write(await hearing.hear(packet, -begins))
  }
  if (begins === undefined) throw new Refusal('no-sound')
  await write(await hearing.end())
}

/** Decodes, resamples and encodes the sound; what lies before the first picture is left out. */
async function listening(av: Av, stream: Stream, { bitRate = '128k', channels = 'stereo|mono', fitted = [] as string[] } = {}) {
  const decoder = await av.Decoder.create(stream, { exitOnError: false }).catch(() => null)
  if (!decoder) return null
  const filter = av.FilterAPI.create([resampled, ...fitted, `aformat=sample_fmts=fltp:channel_layouts=${channels}`].join(','))
  const encoder = await av.Encoder.create(av.FF_ENCODER_AAC, { filter, context: { bitRate } })
  const on = async (frames: Frame[]) => {
    const packets: Packet[] = []
    for (using frame of frames) packets.push(...(await encoder.encodeAll(frame)))
    return packets
  }
  let decoded = 0
  return {
    encoder,
    /** How much has been decoded, whatever its times say. */
    seconds: () => decoded,
    /** `shift`: seconds from the decoder's clock to the rendition's. */
    async hear(packet: Packet, shift: number): Promise<Packet[]> {
      const packets: Packet[] = []
      for (using frame of await decoder.decodeAll(packet)) {
        const seconds = secondsOf(frame.pts, frame) + shift
        decoded += frame.nbSamples / frame.sampleRate
        frame.timeBase = new av.Rational(1, SAMPLE_RATE)
        frame.pts = BigInt(Math.round(seconds * SAMPLE_RATE))
        packets.push(...(await on(await filter.processAll(frame))))
      }
      return packets
    },
    async end(): Promise<Packet[]> {
      return [...(await on(await filter.processAll(null))), ...(await encoder.encodeAll(null))]
    },
    [Symbol.dispose]() {
      decoder.close()
      filter.close()
      encoder.close()
    },
  }
}

/** A still for lists, and a strip of stills to find a moment by: both from the rendition, which is decoded once for it. */
async function stills(av: Av, rendition: string, media: ContainerFacts['media'], out: { poster: string; filmstrip: string }) {
  const size = scaledSize(media, RENDITION_LINES)
  const tiles = strip({ ...size, frames: media.frames })
  const wanted = tileFrames(media.frames, tiles.count)
  const poster = posterFrame(media.frames)
  await using demuxer = await opened(av, rendition, false)
  using decoder = await av.Decoder.create(demuxer.video()!, quiet(MAX_SIDE_PIXELS * MAX_SIDE_PIXELS))
  using filter = av.FilterAPI.create(
    `scale=${tiles.width}:${tiles.height},tile=${tiles.columns}x${tiles.rows}:nb_frames=${tiles.count},format=yuvj420p`,
  )
  const small = posterSize(media)
  using enlarged = av.FilterAPI.create(`scale=${small.width}:${small.height},format=yuvj420p`)
  let index = 0
  const written: Promise<void>[] = []
  const save = async (frames: Frame[], file: string, quality: number) => {
    for (using frame of frames) {
      const jpeg = await av.Encoder.encodeOne(av.FF_ENCODER_MJPEG, frame, {
        context: { globalQuality: quality * 118, flags: av.AV_CODEC_FLAG_QSCALE },
      })
      written.push(writeFile(file, jpeg))
    }
  }
  const seen = async (frames: Frame[]) => {
    for (using frame of frames) {
      if (index === poster) await save(await enlarged.processAll(frame), out.poster, 2)
      if (wanted.includes(index)) await save(await filter.processAll(frame), out.filmstrip, 6)
      index++
    }
  }
  // The last is none, and brings what the decoder has left.
  for (using packet of demuxer.packetsSync(demuxer.video()!.index)) await seen(await decoder.decodeAll(packet))
  await save(await filter.processAll(null), out.filmstrip, 6)
  await Promise.all(written)
  if (index !== media.frames) throw new Refusal('different')
  const { count, columns, width, height } = tiles
  return { count, columns, width, height }
}

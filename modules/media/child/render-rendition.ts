import { stat } from 'node:fs/promises'
import type { Frame, Packet } from 'node-av'
import { timeline } from '../frames.ts'
import type { ContainerFacts } from '../read-container.ts'
import { maxSoundPackets } from './container-file.ts'
import { CODEC_THREADS, decoderOptions, mediaStreamOf, type NodeAv, openDemuxer, secondsOfTimestamp, sizeLimit } from './node-av.ts'
import { maxDecodedPixels, renditionFilters, X264_OPTIONS } from './picture.ts'
import { Refusal, type RefusalCode } from './refusal.ts'
import { padSoundToPicture, trimSoundToPicture } from './sound.ts'
import { soundTranscoder } from './sound-transcoder.ts'

/** Part of the frames that may be missing (a copy that broke in the middle): the one before is shown for longer, as players do. */
const MAX_MISSING_PART = 0.02

/**
 * Makes the rendition: every frame of the table once, at its time, turned and scaled, without B-frames.
 * @param progress 0…1
 * @throws Refusal
 */
export async function renderRendition(
  av: NodeAv,
  file: string,
  out: string,
  { media, table, flip, tracks, starts, picture: promised }: ContainerFacts,
  progress: (part: number) => void,
): Promise<void> {
  const times = timeline(table)
  const { frames } = times
  const { scale, first } = table
  await using demuxer = await openDemuxer(av, file, media.container === 'webm')
  const picture = mediaStreamOf(demuxer.streams, av.AVMEDIA_TYPE_VIDEO, tracks.video)
  const sound = tracks.audio ? mediaStreamOf(demuxer.streams, av.AVMEDIA_TYPE_AUDIO, tracks.audio) : undefined
  if (!picture) throw new Refusal('no-picture')
  const pixels = maxDecodedPixels(promised)
  // FFmpeg has decoded a first picture by now, to find out what it is.
  if (picture.codecpar.width * picture.codecpar.height > pixels) throw new Refusal('other-size')
  // Unused streams are skipped.
  for (const stream of demuxer.streams) if (stream !== picture && stream !== sound) stream.discard = av.AVDISCARD_ALL
  sizeLimit.isExceeded = false
  using decoder = await av.Decoder.create(picture, decoderOptions(pixels)).catch(() => {
    throw new Refusal(sizeLimit.isExceeded ? 'other-size' : 'codec')
  })
  const { colorPrimaries, colorTrc, colorSpace } = picture.codecpar
  const colors = { primaries: colorPrimaries, transfer: colorTrc, matrix: colorSpace }
  using filter = av.FilterAPI.create(renditionFilters(media, flip, colors), { graph: { nbThreads: CODEC_THREADS } })
  using encoder = await av.Encoder.create(av.FF_ENCODER_LIBX264, {
    filter,
    // By the clock alone the encoder would think of thousands of frames a second, and mark the file for decoders that nobody has.
    context: { threadCount: CODEC_THREADS, framerate: new av.Rational(...frameRate(media)) },
    options: { preset: X264_OPTIONS.preset, crf: X264_OPTIONS.crf, 'x264-params': X264_OPTIONS.params },
  })
  using transcoder = sound ? await soundTranscoder(av, sound, { fitted: [trimSoundToPicture(times), padSoundToPicture(times)] }) : null
  await using muxer = await av.Muxer.open(out, {
    format: 'mp4',
    options: { movflags: '+faststart', video_track_timescale: scale, fflags: '+bitexact' },
  })
  const videoOut = muxer.addStream(encoder)
  const audioOut = transcoder && muxer.addStream(transcoder.encoder)

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
      if (missing > Math.max(2, frames * MAX_MISSING_PART))
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
  const show = async (decoded: Frame[]) => {
    for (const frame of decoded) {
      const seconds = secondsOfTimestamp(frame.pts, frame) + shift!
      // Before the first frame of the table: hidden, but it may reach into it.
      const index = seconds * scale < first - 0.5 ? -1 : times.at(seconds)
      // Of what an edit list cuts from the end nothing is shown.
      const isAfterEnd = seconds * scale > times.end(frames - 1) * scale - 0.5
      if (index < at || isAfterEnd) {
        frame.free()
        continue
      }
      await showUntil(index, frame)
      at = index
      held?.free()
      held = frame
    }
  }

  const pictures = packetMeter('damaged', promised.packets, promised.bytes)
  const sounds = packetMeter('sound', maxSoundPackets(times.seconds), (await stat(file)).size)
  for (using packet of demuxer.packetsSync()) {
    if (!packet) break
    if (packet.streamIndex === picture.index) {
      pictures.count(packet)
      shift ??= starts.video - secondsOfTimestamp(packet.pts, picture)
      await show(await decoder.decodeAll(packet))
      if (sizeLimit.isExceeded) throw new Refusal('other-size')
    } else if (transcoder && packet.streamIndex === sound!.index) {
      soundShift ??= starts.audio! - secondsOfTimestamp(packet.pts, sound!)
      const offset = soundShift - first / scale
      if (secondsOfTimestamp(packet.pts, sound!) + offset > times.seconds || transcoder.seconds() > maxDecodedSound(times.seconds)) {
        sound!.discard = av.AVDISCARD_ALL
        continue
      }
      sounds.count(packet)
      await write(await transcoder.transcode(packet, offset), audioOut!)
    }
  }
  if (shift === undefined) throw new Refusal('no-picture')
  await show(await decoder.decodeAll(null))
  await showUntil(frames, null)
  for (using ready of await filter.processAll(null)) await write(await encoder.encodeAll(ready), videoOut)
  await write(await encoder.encodeAll(null), videoOut)
  if (transcoder) await write(await transcoder.end(), audioOut!)
}

/** Sound that may be decoded for a film so long, seconds: what lies before the first picture, or is there twice, is left out later. */
const maxDecodedSound = (seconds: number) => 2 * seconds + 60

/**
 * FFmpeg reads a container with a parser of its own: a file that looks short to ours may go on for ever in its eyes. No track gives more than
 * it was seen to hold.
 */
function packetMeter(code: RefusalCode, mostPackets: number, mostBytes: number) {
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

const frameRate = ({ rate, frames, milliseconds }: ContainerFacts['media']) =>
  rate ?? ([Math.round((frames * 1e6) / milliseconds), 1000] as const)

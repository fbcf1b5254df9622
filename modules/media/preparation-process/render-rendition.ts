import { stat } from 'node:fs/promises'
import type { Frame, Packet } from 'node-av'
import { frameTimeline } from '../frames.ts'
import type { ContainerFacts } from '../read-container.ts'
import { createAacSoundTranscoder } from './aac-sound-transcoder.ts'
import { MediaRefusal, type RefusalCode } from './media-refusal.ts'
import {
  CODEC_THREADS,
  decoderOptions,
  ffmpegStreamOfTrack,
  type NodeAv,
  openDemuxer,
  oversizedPictureDetected,
  secondsOfTimestamp,
} from './node-av-helpers.ts'
import { maxSoundPackets } from './read-container-file.ts'
import { maxDecodedPixelsPerFrame, renditionFilters, X264_OPTIONS } from './rendition-and-still-settings.ts'
import { padSoundFilter, trimSoundToPictureFilter } from './sound-timing-filters.ts'

/**
 * The share of frames that may be missing, as in a damaged copy; two may be missing from even the shortest video. In place of a missing
 * frame, the rendition repeats the previous one, as video players do.
 */
const MAX_MISSING_PART = 0.02

/**
 * Renders every frame of the table once, at its time, rotated and scaled, without B-frames, together with the sound.
 * @param progress called with the rendered share of frames, 0 to 1
 * @throws MediaRefusal
 */
export async function renderRendition(
  av: NodeAv,
  file: string,
  out: string,
  { media, table, flip, tracks, starts, picture: promised }: ContainerFacts,
  progress: (part: number) => void,
): Promise<void> {
  const times = frameTimeline(table)
  const { frames } = times
  const { scale, first } = table
  await using demuxer = await openDemuxer(av, file, media.container === 'webm')
  const picture = ffmpegStreamOfTrack(demuxer.streams, av.AVMEDIA_TYPE_VIDEO, tracks.video)
  const sound = tracks.audio ? ffmpegStreamOfTrack(demuxer.streams, av.AVMEDIA_TYPE_AUDIO, tracks.audio) : undefined
  if (!picture) throw new MediaRefusal('no-picture')
  const pixels = maxDecodedPixelsPerFrame(promised)
  // FFmpeg has already decoded the first frame to detect its format.
  if (picture.codecpar.width * picture.codecpar.height > pixels) throw new MediaRefusal('other-size')
  for (const stream of demuxer.streams) if (stream !== picture && stream !== sound) stream.discard = av.AVDISCARD_ALL
  oversizedPictureDetected.isSet = false
  using decoder = await av.Decoder.create(picture, decoderOptions(pixels)).catch(() => {
    throw new MediaRefusal(oversizedPictureDetected.isSet ? 'other-size' : 'codec')
  })
  const { colorPrimaries, colorTrc, colorSpace } = picture.codecpar
  const colors = { primaries: colorPrimaries, transfer: colorTrc, matrix: colorSpace }
  using filter = av.FilterAPI.create(renditionFilters(media, flip, colors), { graph: { nbThreads: CODEC_THREADS } })
  using encoder = await av.Encoder.create(av.FF_ENCODER_LIBX264, {
    filter,
    // Without a frame rate, the encoder would derive thousands of frames per second from the time base, and declare an H.264 level that
    // no device supports.
    context: { threadCount: CODEC_THREADS, framerate: new av.Rational(...frameRate(media)) },
    options: { preset: X264_OPTIONS.preset, crf: X264_OPTIONS.crf, 'x264-params': X264_OPTIONS.params },
  })
  using transcoder = sound
    ? await createAacSoundTranscoder(av, sound, { timingFilters: [trimSoundToPictureFilter(times), padSoundFilter(times)] })
    : null
  await using muxer = await av.Muxer.open(out, {
    format: 'mp4',
    options: { movflags: '+faststart', video_track_timescale: scale, fflags: '+bitexact' },
  })
  const videoOut = muxer.addStream(encoder)
  const audioOut = transcoder && muxer.addStream(transcoder.encoder)

  const write = async (packets: Packet[], stream: number) => {
    for (using packet of packets) await muxer.writePacket(packet, stream)
  }

  /** The frame to show until the next one of the table is decoded. */
  let held: Frame | null = null
  let next = 0
  let missing = 0
  const showUntil = async (end: number, otherwise: Frame | null) => {
    for (let filling = false; next < end; next++, filling = true) {
      const still = held ?? otherwise
      if (!still) throw new MediaRefusal('damaged', 'no frame can be decoded')
      if (filling || !held) missing++
      if (missing > Math.max(2, frames * MAX_MISSING_PART))
        throw new MediaRefusal('damaged', `${missing} of ${frames} frames until ${next} are missing`)
      using frame = still.clone()!
      frame.pts = BigInt(Math.round(times.start(next) * scale) - first)
      frame.duration = BigInt(Math.round((times.end(next) - times.start(next)) * scale))
      frame.timeBase = new av.Rational(1, scale)
      // Without this, keyframes of the original would also become keyframes of the rendition.
      frame.pictType = av.AV_PICTURE_TYPE_NONE
      for (using ready of await filter.processAll(frame)) await write(await encoder.encodeAll(ready), videoOut)
    }
    progress(next / frames)
  }

  /** Seconds to add to the decoder's clock to get the time in the table. */
  let shift: number | undefined
  let soundShift: number | undefined
  let at = -1
  const show = async (decoded: Frame[]) => {
    for (const frame of decoded) {
      const seconds = secondsOfTimestamp(frame.pts, frame) + shift!
      // A frame that begins before the table's first frame, even if it overlaps it, only stands in for first frames that cannot be decoded.
      const index = seconds * scale < first - 0.5 ? -1 : times.at(seconds)
      // Frames that an edit list cuts from the end are not shown.
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
      if (oversizedPictureDetected.isSet) throw new MediaRefusal('other-size')
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
  if (shift === undefined) throw new MediaRefusal('no-picture')
  await show(await decoder.decodeAll(null))
  await showUntil(frames, null)
  for (using ready of await filter.processAll(null)) await write(await encoder.encodeAll(ready), videoOut)
  await write(await encoder.encodeAll(null), videoOut)
  if (transcoder) await write(await transcoder.end(), audioOut!)
}

/**
 * The maximum seconds of sound to decode for a video of this length. Sound before the first frame and duplicate sound are left out later.
 */
const maxDecodedSound = (seconds: number) => 2 * seconds + 60

/**
 * Limits a track to the packets and bytes that the probe found or accepts. FFmpeg uses its own parser, so a file that looks short to ours
 * may be endless to FFmpeg.
 */
function packetMeter(code: RefusalCode, maxPackets: number, maxBytes: number) {
  let [packets, bytes] = [0, 0]
  return {
    /** @throws MediaRefusal */
    count({ size }: Packet) {
      packets++
      bytes += size
      // FFmpeg restores a few header bytes that the file may omit from each packet.
      if (packets > maxPackets || bytes > maxBytes + packets * 16)
        throw new MediaRefusal(
          code,
          `packet ${packets}, ${bytes} bytes: the file declares ${maxPackets} packets of ${maxBytes} bytes in all`,
        )
    },
  }
}

const frameRate = ({ rate, frames, milliseconds }: ContainerFacts['media']) =>
  rate ?? ([Math.round((frames * 1e6) / milliseconds), 1000] as const)

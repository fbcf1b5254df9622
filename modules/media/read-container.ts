import { EncodedPacketSink, type Input, type InputTrack, type InputVideoTrack } from 'mediabunny'
import type { VideoProperties } from './contract.ts'
import { detectCaptureRate } from './detect-capture-rate.ts'
import { buildFrameTable, type FrameTable, frameCount, frameTimeline, MAX_FRAMES_PER_VIDEO } from './frames.ts'
import { MAX_PIXELS_IN_ALL_FRAMES, MAX_VIDEO_MINUTES, MAX_VIDEO_SIDE_PIXELS } from './policy.ts'
import { MediaRefusal } from './preparation-process/media-refusal.ts'

/** Identifies a track by its id in the container, and by its place among the tracks of its type, counted from 1. */
export interface TrackIdAndOrdinal {
  id: number
  place: number
}

/** What a container declares about its video and sound. */
export interface ContainerFacts {
  media: VideoProperties
  table: FrameTable
  flip: boolean
  /** The chosen video and audio tracks. All code that opens the file uses these. */
  tracks: { video: TrackIdAndOrdinal; audio: TrackIdAndOrdinal | null }
  /**
   * Times on the container's clock, in seconds. `video` and `audio`: when the first packets begin; decoded times are aligned with them.
   * `shown`: when the table's first frame begins, even if an edit list hides its beginning.
   */
  starts: { video: number; audio: number | null; shown: number }
  /** The video track: its number of packets, their total bytes, and the stored picture size before rotation and aspect correction. */
  picture: { packets: number; bytes: number; width: number; height: number }
}

/** The frame rate counts as constant if no frame's length differs from the mean by more than this share of it. */
const MAX_UNEVEN_PART = 0.1
/**
 * Camera frame rates as fractions. A millisecond clock records them only approximately, so a measured rate that is very close to one of
 * these is replaced by it.
 */
const CAMERA_RATES: [number, number][] = [
  ...[24, 25, 30, 48, 50, 60, 90, 100, 120, 180, 240, 480, 960].map((rate): [number, number] => [rate, 1]),
  ...[24000, 30000, 60000, 120000, 240000].map((rate): [number, number] => [rate, 1001]),
]

/**
 * Reads what a container declares about its video. Decodes nothing, so the result is the same in a browser and in the preparation process.
 * A malicious file can keep this busy forever, so the caller must limit how long it runs.
 * @throws MediaRefusal, or any error that a damaged file causes
 */
export async function readContainer(input: Input, type: string): Promise<ContainerFacts> {
  const track = await input.getPrimaryVideoTrack()
  if (!track) throw new MediaRefusal('no-picture')
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  // Decoders work on the stored picture. The container may declare a much smaller display size.
  const stored = { width: await track.getCodedWidth(), height: await track.getCodedHeight() }
  if (![width, height, stored.width, stored.height].every(side => side >= 2)) throw new MediaRefusal('damaged')
  if (Math.max(width, height, stored.width, stored.height) > MAX_VIDEO_SIDE_PIXELS) throw new MediaRefusal('too-large')
  const { table, start, shown, packets, bytes, omittedMilliseconds } = await tableOf(track)
  const frames = frameCount(table)
  if (frames < 2) throw new MediaRefusal('still')
  const { seconds } = frameTimeline(table)
  if (seconds > MAX_VIDEO_MINUTES * 60 || packets * Math.max(width * height, stored.width * stored.height) > MAX_PIXELS_IN_ALL_FRAMES)
    throw new MediaRefusal('too-long')
  const sound = await input.getPrimaryAudioTrack().catch(() => null)
  const first = sound && (await firstPacket(sound).catch(() => null))
  const rate = constantFrameRateOf(table)
  return {
    media: {
      container: type === 'video/webm' ? 'webm' : type === 'video/quicktime' ? 'mov' : 'mp4',
      codec: (await track.getCodec()) ?? 'unknown',
      width,
      height,
      rotation: await track.getRotation(),
      milliseconds: Math.ceil(seconds * 1000),
      frames,
      rate,
      variable: rate === null,
      hdr: await track.hasHighDynamicRange(),
      sound: !!first,
      captureRate: detectCaptureRate((await input.getMetadataTags().catch(() => ({ raw: {} }))).raw ?? {}, table),
      ...(omittedMilliseconds > 0 && { omittedMilliseconds }),
    },
    table,
    flip: await track.getFlip(),
    tracks: { video: referenceOf(track), audio: sound && first && referenceOf(sound) },
    starts: { video: start, audio: first?.timestamp ?? null, shown },
    picture: { packets, bytes, ...stored },
  }
}

const referenceOf = ({ id, number }: InputTrack): TrackIdAndOrdinal => ({ id, place: number })
const firstPacket = (track: InputTrack) => new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true })

/** The maximum size of a packet that is checked for being a keyframe. */
const MAX_DELTA_BYTES = 10_000_000
/** Whether the first packet is not a keyframe, according to its bits. mediabunny always treats the first packet as one. */
async function beginsWithoutKeyFrame(track: InputVideoTrack): Promise<boolean> {
  const sink = new EncodedPacketSink(track)
  const first = await sink.getFirstPacket({ metadataOnly: true })
  if (!first || first.byteLength > MAX_DELTA_BYTES) return false
  const whole = await sink.getFirstPacket().catch(() => null)
  // A damaged packet is left to the decoder.
  return !!whole && (await track.determinePacketType(whole).catch(() => null)) === 'delta'
}

/**
 * Reads a track's frame table, the times of its first packet (which need not be its first frame) and of its first frame, the number of its
 * packets and their total bytes, and the milliseconds at the start that cannot be decoded. @throws MediaRefusal
 */
async function tableOf(
  track: InputVideoTrack,
): Promise<{ table: FrameTable; start: number; shown: number; packets: number; bytes: number; omittedMilliseconds: number }> {
  const scale = await track.getTimeResolution()
  const starts: number[] = []
  let bytes = 0
  let last = { at: Number.NEGATIVE_INFINITY, end: 0 }
  /** The first keyframe after the first packet: the number of packets before it, and its time. */
  let nextKey: { before: number; at: number } | undefined
  let hasDelta = false
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
    const at = Math.round(packet.timestamp * scale)
    if (packet.type === 'delta') hasDelta = true
    else if (starts.length) nextKey ??= { before: starts.length, at }
    if (starts.push(at) > MAX_FRAMES_PER_VIDEO) throw new MediaRefusal('too-long')
    bytes += packet.byteLength
    if (at >= last.at) last = { at, end: Math.round((packet.timestamp + packet.duration) * scale) }
  }
  const packets = starts.length
  const start = starts[0]!
  // If the file was cut from a longer one between keyframes, nothing before its first keyframe can be decoded, so the video begins with it.
  const isCut = hasDelta && nextKey && (await beginsWithoutKeyFrame(track))
  const decodable = isCut ? starts.slice(nextKey!.before).filter(at => at >= nextKey!.at) : starts
  starts.splice(0, starts.length, ...decodable.sort((a, b) => a - b))
  // If the file does not give the duration of its last frame, use that of the one before it.
  const before = starts.at(-1)! - (starts.at(-2) ?? start)
  const table = buildFrameTable(scale, starts, last.end > last.at ? last.end : last.at + Math.max(1, Math.round(before)))
  if (!table) throw new MediaRefusal('no-picture')
  const shown = starts.findLast(at => at <= table.first)!
  const omittedMilliseconds = isCut ? Math.round(((nextKey!.at - Math.max(0, start)) / scale) * 1000) : 0
  return {
    table: start < 0 ? { ...table, hidden: -start } : table,
    start: start / scale,
    shown: shown / scale,
    packets,
    bytes,
    omittedMilliseconds,
  }
}

/**
 * Frames per second as a fraction if all frames but the last are about equally long (`MAX_UNEVEN_PART`), otherwise null. A rate within
 * 0.05% of one of `CAMERA_RATES` is replaced by it.
 */
export function constantFrameRateOf({ scale, runs }: FrameTable): [number, number] | null {
  const deltas = runs.flatMap(([count, delta], i) => {
    const counted = i === runs.length - 1 ? count - 1 : count
    return counted > 0 ? [[counted, delta] as const] : []
  })
  const frames = deltas.reduce((sum, [count]) => sum + count, 0)
  const mean = deltas.reduce((sum, [count, delta]) => sum + count * delta, 0) / frames
  // A millisecond clock changes each length by up to one tick, which at high frame rates is a larger share than `MAX_UNEVEN_PART`.
  if (!frames || deltas.some(([, delta]) => Math.abs(delta - mean) > Math.max(MAX_UNEVEN_PART * mean, scale <= 1000 ? 1 : 0))) return null
  const rate = scale / mean
  const known = CAMERA_RATES.map(([n, d]) => ({ n, d, off: Math.abs(n / d / rate - 1) })).sort((a, b) => a.off - b.off)[0]!
  if (known.off < 0.0005) return [known.n, known.d]
  return Number.isInteger(mean) && Number.isInteger(scale) ? reduced(scale, mean) : [Math.round(rate * 1000), 1000]
}

const reduced = (n: number, d: number): [number, number] => {
  const gcd = (a: number, b: number): number => (b ? gcd(b, a % b) : a)
  return [n / gcd(n, d), d / gcd(n, d)]
}

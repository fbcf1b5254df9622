import { join } from 'node:path'
import type { Canvas } from '@napi-rs/canvas'
import type { Frame, Packet } from 'node-av'
import type { Note } from '../../modules/folders/contract.ts'
import { type FrameTimeline, frameTimeline } from '../../modules/media/frames.ts'
import { CODEC_THREADS, type NodeAv } from '../../modules/media/preparation-process/node-av-helpers.ts'
import { SOUND_SAMPLE_RATE_HZ } from '../../modules/media/preparation-process/sound-timing-filters.ts'
import { MAX_ONION_SKIN_DISTANCE } from '../../modules/reviews/policy.ts'
import { createComparisonTiming, toRealTimeline } from '../comparison/comparison-timing.ts'
import { locateSegment } from '../feedback/watch/playback-transitions.ts'
import { reviewPlaylistOf } from '../feedback/watch/review-playlist.ts'
import { type StageContent, stageContentAt } from '../feedback/watch/stage-content.ts'
import { mayNeedCaptionPages } from './caption-paging-and-truncation.ts'
import { copyPixelsToEncoderFrame } from './copy-pixels-to-encoder-frame.ts'
import { createFramePainter } from './frame-painter.ts'
import { openRenditionReader, type RenditionReader } from './rendition-reader.ts'
import type { ReviewVideoInput } from './review-video-input.ts'
import { reviewVideoFrameRate, reviewVideoSize } from './review-video-size-and-frame-rate.ts'
import { openSoundReader, type SoundReader, silentSamples } from './sound-reader.ts'
import { soundtrackOf } from './soundtrack-segments.ts'

/** Speed (`preset`) and quality (`crf`, lower is better) of the video encoder. */
const X264 = { preset: 'veryfast', crf: 23 }
/** Frequent keyframes make seeking fast. */
const KEYFRAME_SECONDS = 2
const SOUND_BIT_RATE = '96k'

/** Each pool that `openFiles` returns keeps at most this many files open, because every decoder takes about ten megabytes of memory. */
const MAX_OPEN_FILES = 2

/**
 * An index of `renditions`: the first pool is for the stage, the next two are for the sides of a comparison, and from this index on, each
 * is for one frame of an onion skin.
 */
const FIRST_ONION_SKIN_READER = 3

/** Returns a pool that opens a file on first use, and closes the least recently used one when more than `MAX_OPEN_FILES` are open. */
function openFiles<T extends { close(): Promise<void> }>(open: (id: string) => Promise<T | null>) {
  const opened = new Map<string, T | null>()
  return {
    async get(id: string): Promise<T | null> {
      const file = opened.has(id) ? opened.get(id)! : await open(id)
      opened.delete(id)
      opened.set(id, file)
      for (const [oldestId, oldestFile] of opened) {
        if (opened.size <= MAX_OPEN_FILES) break
        opened.delete(oldestId)
        await oldestFile?.close()
      }
      return file
    },
    close: () => Promise.all([...opened.values()].map(file => file?.close())),
  }
}

/**
 * Renders a review as one MP4 that shows what the browser shows when it plays the review from beginning to end.
 * @param dir the directory with the files of `input`
 * @param progress called with the fraction that has been rendered, 0 to 1
 */
export async function renderReview(av: NodeAv, input: ReviewVideoInput, dir: string, out: string, progress: (part: number) => void) {
  const { session } = input
  const size = reviewVideoSize(session)
  // Comes before the playlist, which measures the texts on mirrored clips, because it installs the fonts.
  const painter = createFramePainter(size)
  const playlist = reviewPlaylistOf(session)
  const durations = playlist.segments.map(s => s.milliseconds)
  const frameRate = reviewVideoFrameRate(session)
  const samplesPerFrame = SOUND_SAMPLE_RATE_HZ / frameRate
  const tables = new Map(input.clips.map(({ video, table }) => [video, frameTimeline(table)]))
  const timesOf = (video: string): FrameTimeline | null => tables.get(video) ?? null
  const fileOf = (video: string) => join(dir, input.clips.find(c => c.video === video)!.file)
  const openClip = (video: string) => openRenditionReader(av, fileOf(video), timesOf(video)!)
  /**
   * Separate pools for the stage, for each side of a comparison, and for each frame of an onion skin, because they may show the same clip
   * at different frames.
   */
  const renditions = Array.from({ length: FIRST_ONION_SKIN_READER + 2 * MAX_ONION_SKIN_DISTANCE }, () =>
    openFiles<RenditionReader>(openClip),
  )
  const pictureOf = async (reader: number, video: string, frame: number): Promise<Canvas> =>
    (await renditions[reader]!.get(video))!.picture(frame)
  const sounds = openFiles<SoundReader>(async id => {
    const voice = input.voices.find(v => v.id === id)
    return voice || timesOf(id) ? openSoundReader(av, voice ? join(dir, voice.file) : fileOf(id)) : null
  })
  const soundtrack = soundtrackOf(playlist, timesOf, SOUND_SAMPLE_RATE_HZ)

  async function paintComparison(content: StageContent & { kind: 'comparison' }, part: number) {
    const { comparison, pair } = content.segment
    const times = comparison.sides.map(({ video }, i) => {
      const clipTimes = timesOf(video)
      return clipTimes && toRealTimeline(clipTimes, pair[i]!.clip.media?.captureRate?.rate)
    })
    const [a, b] = times
    if (!a || !b) return painter.nothing()
    const timedClip = (i: 0 | 1, times: FrameTimeline) => ({
      ...comparison.sides[i],
      origin: times.clamp(comparison.sides[i].origin),
      times,
    })
    const timing = createComparisonTiming([timedClip(0, a), timedClip(1, b)], comparison.stretch)
    const frames = timing.frames(Math.min(content.time, timing.to))
    const [first, second] = comparison.sides
    const pictures = [await pictureOf(1, first.video, frames[0]), await pictureOf(2, second.video, frames[1])] as const
    const around = new Map<number, Canvas>()
    for (const [i, distance] of (comparison.mode === 'ghost' ? (comparison.onionSkin?.around ?? []) : []).entries()) {
      const frame = frames[1] + distance
      if (frame >= 0 && frame < b.frames) around.set(distance, await pictureOf(FIRST_ONION_SKIN_READER + i, second.video, frame))
    }
    painter.comparison(content, pictures, frames, part, distance => around.get(distance) ?? null)
  }

  async function paint(content: StageContent | null, part: number) {
    if (!content) painter.nothing()
    else if (content.kind === 'clip') painter.clip(content, await pictureOf(0, content.video, content.frame), part)
    else if (content.kind === 'comparison') await paintComparison(content, part)
    else painter.goal(content)
  }

  using toYuv = av.FilterAPI.create(
    'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709',
    { graph: { nbThreads: CODEC_THREADS } },
  )
  using picturesOut = await av.Encoder.create(av.FF_ENCODER_LIBX264, {
    filter: toYuv,
    context: { threadCount: CODEC_THREADS, framerate: new av.Rational(frameRate, 1) },
    options: { preset: X264.preset, crf: X264.crf, 'x264-params': `keyint=${KEYFRAME_SECONDS * frameRate}:bframes=0` },
  })
  using toPlanes = av.FilterAPI.create('aformat=sample_fmts=fltp:channel_layouts=stereo')
  using soundOut = await av.Encoder.create(av.FF_ENCODER_AAC, { filter: toPlanes, context: { bitRate: SOUND_BIT_RATE } })
  await using muxer = await av.Muxer.open(out, { format: 'mp4', options: { movflags: '+faststart', fflags: '+bitexact' } })
  const [videoStream, audioStream] = [muxer.addStream(picturesOut), muxer.addStream(soundOut)]
  const write = async (packets: Packet[], stream: number) => {
    for (using packet of packets) await muxer.writePacket(packet, stream)
  }

  /** The most recently painted frame, converted to YUV, and the `contentKey` of what it shows. */
  const latest: { frame?: Frame | undefined; key: string } = { key: '' }
  async function pictureFrame(index: number): Promise<Frame> {
    // The middle of the time during which this frame is shown.
    const at = ((index + 0.5) * 1000) / frameRate
    const { index: nth, offset } = locateSegment(durations, at)
    const segment = playlist.segments[nth]!
    const content = stageContentAt(segment, offset, session, timesOf)
    const part = offset / segment.milliseconds
    const nextKey = contentKey(content, nth, part)
    if (nextKey !== latest.key) {
      await paint(content, part)
      latest.frame?.free()
      using painted = copyPixelsToEncoderFrame(av, painter.pixels(), size)
      painted.pts = BigInt(index)
      painted.timeBase = new av.Rational(1, frameRate)
      ;[latest.frame] = await toYuv.processAll(painted)
      latest.key = nextKey
    }
    const frame = latest.frame!.clone()!
    frame.pts = BigInt(index)
    frame.duration = 1n
    frame.timeBase = new av.Rational(1, frameRate)
    return frame
  }

  let nextPart = 0
  /** The audio samples that accompany the video frame with this index. */
  async function soundFrame(index: number): Promise<Frame> {
    const [from, to] = [index * samplesPerFrame, (index + 1) * samplesPerFrame]
    const samples = silentSamples(samplesPerFrame)
    while (nextPart < soundtrack.length && soundtrack[nextPart]!.to <= from) nextPart++
    for (let i = nextPart; i < soundtrack.length && soundtrack[i]!.from < to; i++) {
      const { source, sourceFrom, ...range } = soundtrack[i]!
      const [start, end] = [Math.max(from, range.from), Math.min(to, range.to)]
      const reader = await sounds.get('voice' in source ? source.voice : source.video)
      if (!reader || end <= start) continue
      const part = await reader.read(sourceFrom + start - range.from, end - start)
      part.copy(samples, ((start - from) * samples.length) / samplesPerFrame)
    }
    return av.Frame.fromAudioBuffer(samples, {
      nbSamples: samplesPerFrame,
      format: av.AV_SAMPLE_FMT_FLT,
      sampleRate: SOUND_SAMPLE_RATE_HZ,
      channelLayout: av.AV_CHANNEL_LAYOUT_STEREO,
      pts: BigInt(from),
      timeBase: { num: 1, den: SOUND_SAMPLE_RATE_HZ },
    })
  }

  async function encode(picture: Frame, sound: Frame) {
    using pictureFreed = picture
    using soundFreed = sound
    await write(await picturesOut.encodeAll(pictureFreed), videoStream)
    for (using ready of await toPlanes.processAll(soundFreed)) await write(await soundOut.encodeAll(ready), audioStream)
  }

  /** The encoding of the previous frame, which runs in FFmpeg's threads while the next one is decoded and painted. */
  let encoding = Promise.resolve()
  try {
    const count = Math.max(1, Math.ceil((playlist.milliseconds * frameRate) / 1000))
    for (let index = 0; index < count; index++) {
      const [picture, sound] = [await pictureFrame(index), await soundFrame(index)]
      await encoding
      encoding = encode(picture, sound)
      // If this encoding fails, the next `await encoding` throws its error; without a handler until then, Node would end the process.
      encoding.catch(() => {})
      progress((index + 1) / count)
    }
    await encoding
    await write(await picturesOut.encodeAll(null), videoStream)
    await write(await soundOut.encodeAll(null), audioStream)
  } finally {
    await encoding.catch(() => {})
    latest.frame?.free()
    await Promise.all([...renditions, sounds].map(files => files.close()))
  }
}

/** A key for what the stage shows: at two moments with the same key, the stage looks the same. */
function contentKey(content: StageContent | null, segment: number, part: number): string {
  if (content?.kind === 'goal' || !content) return `${segment}`
  // A long caption is shown page by page during the segment. The key changes 40 times, so a page appears at most 1/40 of the segment late.
  const pageOf = (note: Note | undefined) => (note && mayNeedCaptionPages(note.text) ? Math.floor(part * 40) : 0)
  if (content.kind === 'comparison') return `${segment} ${content.time} ${pageOf(content.segment.note)}`
  const { video, frame, view, shapes, note } = content
  const drawn = shapes.map(({ shape, opacity }) => `${shape.id} ${opacity} ${shape.p.length} ${shape.p.at(-2)} ${shape.p.at(-1)}`)
  return [video, frame, view.scale, view.x, view.y, note?.id, pageOf(note), ...drawn].join()
}

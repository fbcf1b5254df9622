import {
  BlobSource,
  BufferTarget,
  Conversion,
  type ConversionOptions,
  canEncodeVideo,
  EncodedPacketSink,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MovOutputFormat,
  MP4,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  QTFF,
  QUALITY_HIGH,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { framesOf } from '../../modules/media/frames.ts'
import { RENDITION_LINES, scaledSize } from '../../modules/media/policy.ts'
import { readContainer } from '../../modules/media/read-container.ts'
import type { Asked, Told } from './edit.ts'

/** Seconds between key frames of a smaller copy. */
const KEY_SECONDS = 0.25

const tell = (told: Told, transfer: Transferable[] = []) => postMessage(told, { transfer })
const opened = (file: Blob, type: string) =>
  new Input({ source: new BlobSource(file), formats: type === 'video/webm' ? [WEBM, MATROSKA] : [MP4, QTFF] })
const containers: Record<string, () => OutputFormat> = {
  'video/mp4': () => new Mp4OutputFormat(),
  'video/quicktime': () => new MovOutputFormat(),
  'video/webm': () => new WebMOutputFormat(),
}

async function converted(input: Input, format: OutputFormat, how: Partial<ConversionOptions>): Promise<ArrayBuffer> {
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const conversion = await Conversion.init({ input, output, tracks: 'primary', showWarnings: false, ...how })
  if (!conversion.isValid || conversion.discardedTracks.some(d => d.track.isVideoTrack())) throw new Error('It cannot be converted.')
  conversion.onProgress = part => tell({ is: 'progress', part })
  await conversion.execute()
  return target.buffer!
}

/** Copies a part as it is: no picture is encoded again, so the file begins at a key frame, which MP4 and MOV do not show. */
async function trimmed(input: Input, picture: InputVideoTrack, { type, from, to }: Extract<Asked, { edit: 'trim' }>) {
  const webm = type === 'video/webm'
  const key = await new EncodedPacketSink(picture).getKeyPacket(from, { metadataOnly: true })
  const copy = { mode: 'forced', ...(webm && { shiftTolerance: Number.POSITIVE_INFINITY }) } as const
  const bytes = await converted(input, containers[type]!(), { trim: { start: from, end: to }, copy })
  return { bytes, type, before: key ? Math.max(0, from - key.timestamp) : null, shows: webm }
}

/** Every frame once more, in the kind that each browser plays. */
async function shrunk(input: Input, { file, type }: Asked) {
  const { media, table } = await readContainer(input, type)
  const bytes = await converted(input, containers['video/mp4']!(), {
    video: {
      ...scaledSize(media, RENDITION_LINES),
      fit: 'fill',
      codec: 'avc',
      quality: QUALITY_HIGH,
      keyFrameInterval: KEY_SECONDS,
      allowTransformationMetadata: false,
    },
  })
  const copy = await readContainer(opened(new Blob([bytes]), 'video/mp4'), 'video/mp4')
  if (framesOf(copy.table) !== framesOf(table)) throw new Error('It has other frames than the original.')
  if (bytes.byteLength >= file.size) throw new Error('It is not smaller.')
  return { bytes, type: 'video/mp4' }
}

addEventListener('message', async ({ data }: MessageEvent<Asked>) => {
  const input = opened(data.file, data.type)
  try {
    const picture = await input.getPrimaryVideoTrack()
    if (!picture) throw new Error('There is no picture.')
    if (data.edit === 'able') {
      tell({ is: 'able', able: (await picture.canDecode()) && (await canEncodeVideo('avc', { width: 1280, height: RENDITION_LINES })) })
    } else {
      const made = data.edit === 'trim' ? await trimmed(input, picture, data) : await shrunk(input, data)
      tell({ is: 'made', made }, [made.bytes])
    }
  } catch (error) {
    tell({ is: 'failed', why: String(error) })
  }
})

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
  type MetadataTags,
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
import type { VideoProperties } from '../../modules/media/contract.ts'
import { frameCount } from '../../modules/media/frames.ts'
import { CAPTURE_RATE_TAG, RENDITION_SHORTER_SIDE_PX, scaledSize } from '../../modules/media/policy.ts'
import { readContainer } from '../../modules/media/read-container.ts'
import type { VideoEditReply, VideoEditRequest } from './trim-and-compress.ts'

/** Keyframe interval of a smaller copy; short, because the player seeks to single frames. */
const KEYFRAME_SECONDS = 0.25

const reply = (message: VideoEditReply, transfer: Transferable[] = []) => postMessage(message, { transfer })
const openInput = (file: Blob, type: string) =>
  new Input({ source: new BlobSource(file), formats: type === 'video/webm' ? [WEBM, MATROSKA] : [MP4, QTFF] })
const containers: Record<string, () => OutputFormat> = {
  // Unlike the default metadata format, this one can hold the capture-rate tag.
  'video/mp4': () => new Mp4OutputFormat({ metadataFormat: 'mdta' }),
  'video/quicktime': () => new MovOutputFormat({ metadataFormat: 'mdta' }),
  'video/webm': () => new WebMOutputFormat(),
}

/**
 * The only metadata that a copy gets: the camera's capture rate, if it can be detected in the original. It may not be detectable in the
 * copy, for example if trimming left only the slow part of an iPhone's slow-motion video. The location and the phone's model are left out.
 */
const tagsOfCopy = ({ captureRate }: VideoProperties): MetadataTags => ({
  raw: captureRate ? { [CAPTURE_RATE_TAG]: String(captureRate.rate) } : {},
})

/** Converts the video. @throws Error if the video track cannot be converted with these options */
async function convert(input: Input, format: OutputFormat, options: Partial<ConversionOptions>): Promise<ArrayBuffer> {
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const conversion = await Conversion.init({ input, output, tracks: 'primary', showWarnings: false, ...options })
  if (!conversion.isValid || conversion.discardedTracks.some(d => d.track.isVideoTrack())) throw new Error('The video cannot be converted.')
  conversion.onProgress = part => reply({ is: 'progress', part })
  await conversion.execute()
  return target.buffer!
}

/**
 * Copies a part without reencoding, so the new file has to begin at the last keyframe at or before `from`. MP4 and MOV hide the extra
 * frames with an edit list; WebM shows them.
 */
async function trim(input: Input, picture: InputVideoTrack, { type, from, to }: Extract<VideoEditRequest, { edit: 'trim' }>) {
  const isWebm = type === 'video/webm'
  const key = await new EncodedPacketSink(picture).getKeyPacket(from, { metadataOnly: true })
  const { media } = await readContainer(input, type)
  const copy = { mode: 'forced', ...(isWebm && { shiftTolerance: Number.POSITIVE_INFINITY }) } as const
  const bytes = await convert(input, containers[type]!(), { trim: { start: from, end: to }, copy, tags: tagsOfCopy(media) })
  return { bytes, type, secondsBeforeStart: key ? Math.max(0, from - key.timestamp) : null, showsFootageBeforeStart: isWebm }
}

/**
 * Reencodes every frame as H.264 with at most 720 lines, which every browser plays.
 * @throws Error if the copy has more or fewer frames than the original, or is not smaller
 */
async function compress(input: Input, { file, type }: VideoEditRequest) {
  const { media, table } = await readContainer(input, type)
  const bytes = await convert(input, containers['video/mp4']!(), {
    video: {
      ...scaledSize(media, RENDITION_SHORTER_SIDE_PX),
      fit: 'fill',
      codec: 'avc',
      quality: QUALITY_HIGH,
      keyFrameInterval: KEYFRAME_SECONDS,
      allowTransformationMetadata: false,
    },
    tags: tagsOfCopy(media),
  })
  const copy = await readContainer(openInput(new Blob([bytes]), 'video/mp4'), 'video/mp4')
  if (frameCount(copy.table) !== frameCount(table)) throw new Error('The copy has other frames than the original.')
  if (bytes.byteLength >= file.size) throw new Error('The copy is not smaller.')
  return { bytes, type: 'video/mp4' }
}

addEventListener('message', async ({ data }: MessageEvent<VideoEditRequest>) => {
  const input = openInput(data.file, data.type)
  try {
    const picture = await input.getPrimaryVideoTrack()
    if (!picture) throw new Error('The file has no video track.')
    if (data.edit === 'canCompress') {
      reply({
        is: 'canCompress',
        canCompress: (await picture.canDecode()) && (await canEncodeVideo('avc', { width: 1280, height: RENDITION_SHORTER_SIDE_PX })),
      })
    } else {
      const edited = data.edit === 'trim' ? await trim(input, picture, data) : await compress(input, data)
      reply({ is: 'edited', edited }, [edited.bytes])
    }
  } catch (error) {
    reply({ is: 'failed', reason: String(error) })
  }
})

import type { Decoder, FilterAPI, Frame, Packet } from 'node-av'
import { type NodeAv, secondsOfTimestamp } from '../../modules/media/preparation-process/node-av-helpers.ts'
import { SOUND_SAMPLE_RATE_HZ } from '../../modules/media/preparation-process/sound-timing-filters.ts'
import { openServerMadeMp4, seekToKeyframeBefore } from './rendition-reader.ts'

const SOUND_CHANNELS = 2
const BYTES_PER_SAMPLE = 4 * SOUND_CHANNELS
/** Sound that is at most this many samples ahead is decoded and skipped; for sound farther away the reader seeks. */
const MAX_SKIPPED_SAMPLES = 10 * SOUND_SAMPLE_RATE_HZ

/** Silent stereo sound as interleaved 32-bit floats. */
export const silentSamples = (samples: number) => Buffer.alloc(samples * BYTES_PER_SAMPLE)

/** Opens the sound of a file for reading in any order, as 48 kHz stereo. Resolves to null if the file has no sound. */
export async function openSoundReader(av: NodeAv, file: string) {
  const demuxer = await openServerMadeMp4(av, file)
  const stream = demuxer.audio()
  if (!stream) {
    await demuxer.close()
    return null
  }
  let decoder: Decoder
  let resampler: FilterAPI
  let packets: Iterator<Packet | null>
  /** Sound that has been decoded but not read yet. `at`: the index of its first sample. */
  let decoded: { at: number; samples: Buffer }[] = []
  let position = 0
  let isAtEnd = false

  async function start(at: number) {
    position = at
    decoded = []
    isAtEnd = false
    decoder = await av.Decoder.create(stream!, { exitOnError: false })
    resampler = av.FilterAPI.create(`aresample=${SOUND_SAMPLE_RATE_HZ},aformat=sample_fmts=flt:channel_layouts=stereo`)
    packets = demuxer.packetsSync(stream!.index)
  }
  function stop() {
    decoder.close()
    resampler.close()
  }
  async function seek(at: number) {
    stop()
    // Seeks to a tenth of a second earlier, because an audio decoder needs the packet before the first sample that is read.
    await seekToKeyframeBefore(av, demuxer, Math.max(0, at / SOUND_SAMPLE_RATE_HZ - 0.1))
    await start(at)
  }
  await start(0)

  /** The decoded parts that end after a sample. */
  const decodedAfter = (sample: number) => decoded.filter(({ at, samples }) => at + samples.length / BYTES_PER_SAMPLE > sample)
  const keep = (frames: Frame[]) => {
    for (using frame of frames) {
      const at = Math.round(secondsOfTimestamp(frame.pts, frame) * SOUND_SAMPLE_RATE_HZ)
      const samples = Buffer.from(frame.toBuffer()).subarray(0, frame.nbSamples * BYTES_PER_SAMPLE)
      if (at + frame.nbSamples > position) decoded.push({ at, samples })
    }
  }
  async function decodeMore() {
    using packet = packets.next().value ?? null
    isAtEnd = packet === null
    for (using frame of await decoder.decodeAll(packet)) keep(await resampler.processAll(frame))
    if (isAtEnd) keep(await resampler.processAll(null))
  }

  return {
    /** Reads `count` samples starting at sample `from`; silence where the file has no sound. */
    async read(from: number, count: number): Promise<Buffer> {
      if (from < position || from > position + MAX_SKIPPED_SAMPLES) await seek(from)
      position = from
      decoded = decodedAfter(from)
      const end = from + count
      const decodedUntil = () => {
        const last = decoded.at(-1)
        return last ? last.at + last.samples.length / BYTES_PER_SAMPLE : 0
      }
      while (!isAtEnd && decodedUntil() < end) await decodeMore()
      const samples = silentSamples(count)
      for (const { at, samples: decodedSamples } of decoded) {
        if (at >= end) break
        const skipped = Math.max(0, from - at)
        decodedSamples.copy(samples, Math.max(0, at - from) * BYTES_PER_SAMPLE, skipped * BYTES_PER_SAMPLE)
      }
      position = end
      decoded = decodedAfter(end)
      return samples
    },
    async close() {
      stop()
      await demuxer.close()
    },
  }
}
export type SoundReader = NonNullable<Awaited<ReturnType<typeof openSoundReader>>>

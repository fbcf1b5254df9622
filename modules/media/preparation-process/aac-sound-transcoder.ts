import type { Frame, Packet, Stream } from 'node-av'
import { type NodeAv, secondsOfTimestamp } from './node-av-helpers.ts'
import { RESAMPLE_FILTER, SOUND_SAMPLE_RATE_HZ } from './sound-timing-filters.ts'

/**
 * Returns a transcoder that decodes, resamples and encodes a sound track as AAC, without the part before time 0.
 * @param timingFilters filters that trim and pad the sound to the rendition's length
 * @returns null if there is no decoder for the track
 */
export async function createAacSoundTranscoder(
  av: NodeAv,
  stream: Stream,
  { bitRate = '128k', channels = 'stereo|mono', timingFilters = [] as string[] } = {},
) {
  const decoder = await av.Decoder.create(stream, { exitOnError: false }).catch(() => null)
  if (!decoder) return null
  const filter = av.FilterAPI.create([RESAMPLE_FILTER, ...timingFilters, `aformat=sample_fmts=fltp:channel_layouts=${channels}`].join(','))
  const encoder = await av.Encoder.create(av.FF_ENCODER_AAC, { filter, context: { bitRate } })
  const encodeFrames = async (frames: Frame[]) => {
    const packets: Packet[] = []
    for (using frame of frames) packets.push(...(await encoder.encodeAll(frame)))
    return packets
  }
  let decoded = 0
  return {
    encoder,
    /** Seconds of sound decoded so far, regardless of timestamps. */
    seconds: () => decoded,
    /** `shift`: seconds to add to the decoder's clock to get the rendition's time. */
    async transcode(packet: Packet, shift: number): Promise<Packet[]> {
      const packets: Packet[] = []
      for (using frame of await decoder.decodeAll(packet)) {
        const seconds = secondsOfTimestamp(frame.pts, frame) + shift
        decoded += frame.nbSamples / frame.sampleRate
        frame.timeBase = new av.Rational(1, SOUND_SAMPLE_RATE_HZ)
        frame.pts = BigInt(Math.round(seconds * SOUND_SAMPLE_RATE_HZ))
        packets.push(...(await encodeFrames(await filter.processAll(frame))))
      }
      return packets
    },
    async end(): Promise<Packet[]> {
      return [...(await encodeFrames(await filter.processAll(null))), ...(await encoder.encodeAll(null))]
    },
    [Symbol.dispose]() {
      decoder.close()
      filter.close()
      encoder.close()
    },
  }
}

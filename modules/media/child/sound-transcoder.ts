import type { Frame, Packet, Stream } from 'node-av'
import { type NodeAv, secondsOfTimestamp } from './node-av.ts'
import { RESAMPLE_FILTER, SAMPLE_RATE } from './sound.ts'

/** Decodes, resamples and encodes a track of sound; what lies before the first picture is left out. Null where no decoder knows it. */
export async function soundTranscoder(
  av: NodeAv,
  stream: Stream,
  { bitRate = '128k', channels = 'stereo|mono', fitted = [] as string[] } = {},
) {
  const decoder = await av.Decoder.create(stream, { exitOnError: false }).catch(() => null)
  if (!decoder) return null
  const filter = av.FilterAPI.create([RESAMPLE_FILTER, ...fitted, `aformat=sample_fmts=fltp:channel_layouts=${channels}`].join(','))
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
    async transcode(packet: Packet, shift: number): Promise<Packet[]> {
      const packets: Packet[] = []
      for (using frame of await decoder.decodeAll(packet)) {
        const seconds = secondsOfTimestamp(frame.pts, frame) + shift
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

import {
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  MATROSKA,
  MP4,
  Mp4OutputFormat,
  OGG,
  Output,
  WEBM,
} from 'mediabunny'
import type { Voice } from '../../modules/reviews/contract.ts'

export interface Remuxed {
  file: Blob
  type: Voice['type']
  /** How long it sounds. */
  milliseconds: number
}

/**
 * A recording as it came from the browser, put into an MP4: its length is known then, and every place of it is found. Nothing is encoded
 * anew. One that broke off ends where it broke off.
 * @returns null where there is no sound in it
 */
export async function remuxed(recording: Blob): Promise<Remuxed | null> {
  const input = new Input({ source: new BlobSource(recording), formats: [WEBM, MATROSKA, MP4, OGG] })
  try {
    const track = await input.getPrimaryAudioTrack()
    const codec = track?.codec
    if (!track || !codec) return null
    const target = new BufferTarget()
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
    const source = new EncodedAudioPacketSource(codec)
    output.addAudioTrack(source)
    await output.start()
    const decoderConfig = (await track.getDecoderConfig()) ?? undefined
    let first: number | undefined
    let end = 0
    try {
      for await (const packet of new EncodedPacketSink(track).packets()) {
        first ??= packet.timestamp
        const timestamp = Math.max(0, packet.timestamp - first)
        end = timestamp + packet.duration
        await source.add(packet.clone({ timestamp }), { decoderConfig })
      }
    } catch (error) {
      // The last second was cut off in the middle of something.
      if (end === 0) throw error
    }
    if (end === 0) return null
    await output.finalize()
    return { file: new Blob([target.buffer!], { type: 'audio/mp4' }), type: 'audio/mp4', milliseconds: Math.max(1, Math.round(end * 1000)) }
  } finally {
    input.dispose()
  }
}

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

/** A recording in a file that supports playback and seeking. */
export interface RemuxedRecording {
  file: Blob
  type: Voice['type']
  /** Length of the sound. */
  milliseconds: number
}

const WHOLE = { from: 0, to: Number.POSITIVE_INFINITY }

/**
 * Copies the packets of a MediaRecorder file into an MP4 without re-encoding. MediaRecorder's WebM has no duration and does not support
 * seeking. An interrupted recording ends at its last complete packet.
 * @param part the part of the recording to copy, in ms; each packet, about 20 ms long, is copied or omitted as a whole
 * @returns null if there is no sound
 * @throws Error if the recording is unreadable, or none of its packets can be copied
 */
export async function remuxToMp4(recording: Blob, part: { from: number; to: number } = WHOLE): Promise<RemuxedRecording | null> {
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
    /** Time of the first packet that is copied. */
    let begin: number | undefined
    let end = 0
    try {
      for await (const packet of new EncodedPacketSink(track).packets()) {
        first ??= packet.timestamp
        const middle = (packet.timestamp - first + packet.duration / 2) * 1000
        if (middle < part.from) continue
        if (middle >= part.to) break
        begin ??= packet.timestamp
        const timestamp = Math.max(0, packet.timestamp - begin)
        end = timestamp + packet.duration
        await source.add(packet.clone({ timestamp }), { decoderConfig })
      }
    } catch (error) {
      // After a crash, the last chunk may end inside a packet.
      if (end === 0) throw error
    }
    if (end === 0) return null
    await output.finalize()
    return { file: new Blob([target.buffer!], { type: 'audio/mp4' }), type: 'audio/mp4', milliseconds: Math.max(1, Math.round(end * 1000)) }
  } finally {
    input.dispose()
  }
}

import type { Packet } from 'node-av'
import type { Voice } from '../../reviews/contract.ts'
import { MAX_VOICE_MS } from '../../reviews/policy.ts'
import { CONVERTED_VOICE_AAC_BIT_RATE } from '../policy.ts'
import { createAacSoundTranscoder } from './aac-sound-transcoder.ts'
import { MediaRefusal } from './media-refusal.ts'
import { type NodeAv, secondsOfTimestamp } from './node-av-helpers.ts'

/** A recording may exceed the maximum length by this much. */
const SLACK_MS = 5000
/** FFmpeg's names for the container formats of voice-overs. */
const FORMATS: Record<Voice['type'], string> = { 'audio/webm': 'matroska', 'audio/mp4': 'mov', 'audio/ogg': 'ogg' }

/** Converts a voice-over to AAC, and moves its first packet to time 0. @throws MediaRefusal */
export async function transcodeVoice(av: NodeAv, file: string, type: Voice['type'], out: string) {
  const options = { protocol_whitelist: 'file' }
  await using demuxer = await av.Demuxer.open(file, { format: FORMATS[type], options }).catch(error => {
    throw new MediaRefusal('damaged', error)
  })
  const sound = demuxer.audio()
  if (!sound) throw new MediaRefusal('no-sound')
  using transcoder = await createAacSoundTranscoder(av, sound, { bitRate: CONVERTED_VOICE_AAC_BIT_RATE, channels: 'mono' })
  if (!transcoder) throw new MediaRefusal('codec')
  await using muxer = await av.Muxer.open(out, { format: 'mp4', options: { movflags: '+faststart', fflags: '+bitexact' } })
  const stream = muxer.addStream(transcoder.encoder)
  const write = async (packets: Packet[]) => {
    for (using packet of packets) await muxer.writePacket(packet, stream)
  }
  let begins: number | undefined
  for (using packet of demuxer.packetsSync(sound.index)) {
    if (!packet) break
    const seconds = secondsOfTimestamp(packet.pts, sound)
    begins ??= seconds
    if ((seconds - begins) * 1000 > MAX_VOICE_MS + SLACK_MS) throw new MediaRefusal('too-much')
    await write(await transcoder.transcode(packet, -begins))
  }
  if (begins === undefined) throw new MediaRefusal('no-sound')
  await write(await transcoder.end())
}

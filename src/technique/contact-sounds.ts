import { fetchRenditionBlob, fetchTimeline, type VideoPlayerClip } from '../player/clip-source.ts'
import { detectOnsets } from './onset-detection.ts'

/**
 * The result of searching a clip's sound. `found`: the frames at which something like a hit is heard, the most likely first; `silent`: the
 * clip has no sound that this browser can decode; `unprepared`: the clip has no rendition yet, or one that is too large for memory.
 */
export type ContactSoundResult = { is: 'found'; frames: number[] } | { is: 'silent' } | { is: 'unprepared' }

const SAMPLE_RATE_HZ = 48_000

/**
 * Searches the sound of a clip for the crack of a bat.
 * @throws MediaFetchError, or the signal's AbortError
 */
export async function findContactSoundFramesOfClip(clip: VideoPlayerClip, signal: AbortSignal): Promise<ContactSoundResult> {
  if (clip.media && !clip.media.sound) return { is: 'silent' }
  const [blob, times] = await Promise.all([fetchRenditionBlob(clip, signal), fetchTimeline(clip, signal)])
  if (!blob || !times) return { is: 'unprepared' }
  const audio = await new OfflineAudioContext(1, 1, SAMPLE_RATE_HZ).decodeAudioData(await blob.arrayBuffer()).catch(() => null)
  if (!audio) return { is: 'silent' }
  // The decoder drops the encoder's priming samples, so sample 0 is heard at the start of frame 0.
  const frames = detectOnsets(audio.getChannelData(0), audio.sampleRate).map(({ seconds }) => times.at(seconds + times.start(0)))
  return { is: 'found', frames: [...new Set(frames)] }
}

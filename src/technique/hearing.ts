import { type Clip, fetchRendition, fetchTimeline } from '../player/source.ts'
import { onsets } from './onset.ts'

/** Frames at which something like a hit is heard, the likeliest first; `silent`: there is nothing to hear at all. */
export type Heard = { is: 'found'; frames: number[] } | { is: 'silent' } | { is: 'unprepared' }

const RATE = 48_000

/** Listens to a clip for the crack of a bat. @throws Unfetched */
export async function listen(clip: Clip, signal: AbortSignal): Promise<Heard> {
  if (clip.media && !clip.media.sound) return { is: 'silent' }
  const [blob, times] = await Promise.all([fetchRendition(clip, signal), fetchTimeline(clip, signal)])
  if (!blob || !times) return { is: 'unprepared' }
  const audio = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await blob.arrayBuffer()).catch(() => null)
  if (!audio) return { is: 'silent' }
  // The decoder leaves out what the encoder put before the sound, so sample 0 belongs to frame 0.
  const frames = onsets(audio.getChannelData(0), audio.sampleRate).map(({ seconds }) => times.at(seconds + times.start(0)))
  return { is: 'found', frames: [...new Set(frames)] }
}

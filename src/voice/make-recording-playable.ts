import type { Voice } from '../../modules/reviews/contract.ts'
import { MAX_VOICE_MS } from '../../modules/reviews/policy.ts'
import type { RecordingStorage, StoredRecording } from './recording-storage.ts'

/**
 * Turns the stored chunks of a recording that was stopped, or interrupted by a crash, into one playable file on this device.
 * @returns the recording in the state `made`, or null if it has no sound
 */
export async function finalizeRecording(storage: RecordingStorage, recording: StoredRecording): Promise<StoredRecording | null> {
  const sound = await storage.sound(recording.voice)
  if (!sound?.size) return null
  const remuxed = await import('./remux-recording.ts')
    .then(({ remuxToMp4 }) => remuxToMp4(sound))
    // A recording that cannot be remuxed is kept in the browser's own format, which still plays.
    .catch(() => ({ file: sound, type: recording.voice.type, milliseconds: recording.voice.milliseconds }))
  if (!remuxed) return null
  const milliseconds = Math.min(MAX_VOICE_MS, remuxed.milliseconds)
  const voice: Voice = {
    ...recording.voice,
    milliseconds,
    type: remuxed.type,
    bytes: remuxed.file.size,
    actions: recording.voice.actions.filter(([ms]) => ms <= milliseconds),
  }
  const finished: StoredRecording = { ...recording, state: 'made', voice }
  await storage.finish(finished, remuxed.file)
  return finished
}

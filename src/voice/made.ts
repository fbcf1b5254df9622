import type { Voice } from '../../modules/reviews/contract.ts'
import { MAX_VOICE_MS } from '../../modules/reviews/policy.ts'
import type { Device, Kept } from './device.ts'

/**
 * Makes a voice-over of what was recorded, whether it was stopped or broke off, and keeps it on this device.
 * @returns null where there is no sound
 */
export async function made(device: Device, kept: Kept): Promise<Kept | null> {
  const recording = await device.sound(kept.voice)
  if (!recording?.size) return null
  const found = await import('./remux.ts')
    .then(({ remuxed }) => remuxed(recording))
    // What cannot be put in order still sounds as it is.
    .catch(() => ({ file: recording, type: kept.voice.type, milliseconds: kept.voice.milliseconds }))
  if (!found) return null
  const milliseconds = Math.min(MAX_VOICE_MS, found.milliseconds)
  const voice: Voice = {
    ...kept.voice,
    ...{ milliseconds, type: found.type, bytes: found.file.size },
    actions: kept.voice.actions.filter(([ms]) => ms <= milliseconds),
  }
  const whole: Kept = { ...kept, state: 'made', voice }
  await device.finish(whole, found.file)
  return whole
}

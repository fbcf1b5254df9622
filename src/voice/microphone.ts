import { atom } from 'nanostores'

const LEVEL_INTERVAL_MS = 100
/** A level (0 to 1) below this counts as silence. */
const SILENCE_LEVEL = 0.004
/** Silence this long right after the start indicates a problem; later, an instructor may pause to think. */
const FIRST_SILENCE_MS = 3000
const LATER_SILENCE_MS = 8000

/** There is no usable microphone. The message says why and what to do. */
export class MicrophoneError extends Error {}

const NO_MICROPHONE = 'No microphone was found. Connect one, then try again.'
const REASONS: Record<string, string> = {
  NotAllowedError:
    'Your browser is blocking the microphone. Open the settings next to the address bar, allow the microphone, then try again.',
  NotFoundError: NO_MICROPHONE,
  // WebKit's name for the same problem.
  OverconstrainedError: NO_MICROPHONE,
  NotReadableError: 'Another program is using the microphone. Close it there, then try again.',
}
const GENERIC_PROBLEM = 'The microphone did not start. Check that it is connected, then try again.'

export type Microphone = Awaited<ReturnType<typeof openMicrophone>>

/**
 * Opens the microphone and measures its level. `onLost` is called when it stops working, for example because it was unplugged.
 * @throws MicrophoneError
 */
export async function openMicrophone(onLost: () => void) {
  if (!navigator.mediaDevices?.getUserMedia || !('MediaRecorder' in globalThis))
    throw new MicrophoneError('This browser cannot record sound. Open the review in a current Chrome, Edge, Firefox or Safari.')
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }
  const stream = await navigator.mediaDevices.getUserMedia({ audio }).catch((error: unknown) => {
    throw new MicrophoneError(REASONS[(error as Error)?.name] ?? GENERIC_PROBLEM)
  })
  const $level = atom(0)
  const $silent = atom(false)
  const context = new AudioContext()
  // Some browsers create the audio context suspended.
  void context.resume().catch(() => {})
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const wave = new Float32Array(analyser.fftSize)
  let lastHeardAt = performance.now()
  let allowedSilence = FIRST_SILENCE_MS
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(wave)
    const level = Math.sqrt(wave.reduce((sum, x) => sum + x * x, 0) / wave.length)
    const now = performance.now()
    if (level > SILENCE_LEVEL) {
      lastHeardAt = now
      allowedSilence = LATER_SILENCE_MS
    }
    $level.set(level)
    // A suspended audio context always measures silence.
    $silent.set(context.state === 'running' && now - lastHeardAt > allowedSilence)
  }, LEVEL_INTERVAL_MS)
  const [track] = stream.getAudioTracks()
  track!.addEventListener('ended', onLost)
  return {
    stream,
    /** Root mean square of the latest samples, 0 to 1. */
    $level,
    /** True after a long silence. */
    $silent,
    /** Restarts the measurement of silence after the recording was paused. */
    resetSilence: () => {
      lastHeardAt = performance.now()
    },
    close() {
      clearInterval(timer)
      track!.removeEventListener('ended', onLost)
      for (const openTrack of stream.getTracks()) openTrack.stop()
      void context.close()
    },
  }
}

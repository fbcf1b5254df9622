import { atom } from 'nanostores'

/** How often the level is looked at, ms. */
const LOOK = 100
/** Softer than this is no voice, 0 to 1. */
const SILENCE = 0.004
/** So long without a sound since it was opened, ms, and something is wrong; later, people may think for a while. */
const WAIT_FIRST = 3000
const WAIT_LATER = 8000

/** Why there is no microphone, and what to do. */
export class NoMicrophone extends Error {}

const NONE = 'No microphone was found. Connect one, then try again.'
const REASONS: Record<string, string> = {
  NotAllowedError: 'Your browser keeps the microphone shut. Open the settings beside the address, allow the microphone, then try again.',
  NotFoundError: NONE,
  // What WebKit says instead.
  OverconstrainedError: NONE,
  NotReadableError: 'Another program holds the microphone. Close it there, then try again.',
}
const OTHERWISE = 'The microphone did not start. Check that it is connected, then try again.'

export type Microphone = Awaited<ReturnType<typeof openMicrophone>>

/** Asks for the microphone and listens to how loud it is. @throws NoMicrophone */
export async function openMicrophone(onLost: () => void) {
  if (!navigator.mediaDevices?.getUserMedia || !('MediaRecorder' in globalThis))
    throw new NoMicrophone('This browser cannot record sound. Open the review in a current Chrome, Edge, Firefox or Safari.')
  const wanted = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }
  const stream = await navigator.mediaDevices.getUserMedia({ audio: wanted }).catch((error: unknown) => {
    throw new NoMicrophone(REASONS[(error as Error)?.name] ?? OTHERWISE)
  })
  const $level = atom(0)
  const $silent = atom(false)
  const context = new AudioContext()
  // Some browsers let it rest until they are asked.
  void context.resume().catch(() => {})
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const wave = new Float32Array(analyser.fftSize)
  let onRevisionElsewhere = performance.now()
  let patience = WAIT_FIRST
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(wave)
    const level = Math.sqrt(wave.reduce((sum, x) => sum + x * x, 0) / wave.length)
    const now = performance.now()
    if (level > SILENCE) {
      onRevisionElsewhere = now
      patience = WAIT_LATER
    }
    $level.set(level)
    // What does not run hears nothing, whatever is said.
    $silent.set(context.state === 'running' && now - onRevisionElsewhere > patience)
  }, LOOK)
  const [track] = stream.getAudioTracks()
  track!.addEventListener('ended', onLost)
  return {
    stream,
    /** 0 to 1. */
    $level,
    /** Nothing was heard for a while. */
    $silent,
    /** Somebody who pauses is not asked why nothing is heard. */
    rest: () => {
      onRevisionElsewhere = performance.now()
    },
    close() {
      clearInterval(timer)
      track!.removeEventListener('ended', onLost)
      for (const its of stream.getTracks()) its.stop()
      void context.close()
    },
  }
}

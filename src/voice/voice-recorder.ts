import { atom } from 'nanostores'
import { MAX_VOICE_MS } from '../../modules/reviews/policy.ts'
import { type ActiveRecording, beginVoiceAndStageRecording, type RecordingRequest } from './begin-voice-and-stage-recording.ts'
import { type Microphone, MicrophoneError, openMicrophone } from './microphone.ts'
import type { RecordingStorage, StoredRecording } from './recording-storage.ts'

/**
 * What the recorder is doing. `asking`: the browser asks for permission to use the microphone. `ending`: the recording has ended, but
 * `onRecorded` is not done with it.
 */
export type RecordingState =
  | { is: 'idle' | 'asking' | 'speaking' | 'paused' | 'ending' }
  /** `left`: seconds until the recording begins. */
  | { is: 'counting'; left: number }

/** The recorder's state, and what the recorder holds in that state. */
type Phase =
  | { is: 'idle' }
  | { is: 'asking' }
  | { is: 'counting'; left: number; microphone: Microphone; timer: ReturnType<typeof setTimeout> }
  | RecordingPhase
  /** `ended` resolves when `onRecorded` is done. */
  | { is: 'ending'; ended: Promise<void> }
interface RecordingPhase {
  is: 'speaking' | 'paused'
  microphone: Microphone
  recording: ActiveRecording
  timer: ReturnType<typeof setInterval>
}

const COUNTDOWN_S = 3
const TIME_INTERVAL_MS = 100
const GENERIC_PROBLEM = 'The recording did not start. Reload the page and try again.'

/** Records one voice-over at a time: opens the microphone, counts down three seconds, records, and passes the recording to `onRecorded`. */
export function createVoiceRecorder(storage: RecordingStorage, onRecorded: (recording: StoredRecording) => Promise<void>) {
  const $recording = atom<RecordingState>({ is: 'idle' })
  const $time = atom(0)
  const $level = atom(0)
  const $silent = atom(false)
  /** Why the recording did not start or ended early, and what to do. */
  const $problem = atom<string | undefined>(undefined)
  let phase: Phase = { is: 'idle' }

  function enter(next: Phase) {
    phase = next
    $recording.set(next.is === 'counting' ? { is: 'counting', left: next.left } : { is: next.is })
  }

  /** Stops the phase's timer, closes its microphone and stops recording the stage, as far as the phase has them. */
  function release(phase: Phase) {
    if ('timer' in phase) clearTimeout(phase.timer)
    if ('microphone' in phase) phase.microphone.close()
    if ('recording' in phase) phase.recording.close()
    $level.set(0)
    $silent.set(false)
    $time.set(0)
  }

  function close() {
    release(phase)
    enter({ is: 'idle' })
  }

  function closeWithProblem(problem: string) {
    $problem.set(problem)
    close()
  }

  function countDown(left: number, microphone: Microphone, request: RecordingRequest) {
    const timer = setTimeout(() => {
      if (left > 1) countDown(left - 1, microphone, request)
      else begin(microphone, request)
    }, 1000)
    enter({ is: 'counting', left, microphone, timer })
  }

  function begin(microphone: Microphone, request: RecordingRequest) {
    try {
      const recording = beginVoiceAndStageRecording(request, microphone.stream, storage, () => void stop())
      const timer = setInterval(() => {
        $time.set(recording.clock.position())
        if (recording.clock.position() >= MAX_VOICE_MS) void stop()
      }, TIME_INTERVAL_MS)
      enter({ is: 'speaking', microphone, recording, timer })
    } catch {
      closeWithProblem(GENERIC_PROBLEM)
    }
  }

  function onUnplugged() {
    const hasSound = phase.is === 'speaking' || phase.is === 'paused'
    $problem.set(`The microphone was unplugged.${hasSound ? ' Everything you said before that is saved.' : ''}`)
    void stop()
  }

  async function start(request: RecordingRequest) {
    if (phase.is !== 'idle') return
    const asking: Phase = { is: 'asking' }
    $problem.set(undefined)
    enter(asking)
    // Preloads the code that finalizes a recording, because the connection may be lost by the time it is needed.
    void import('./remux-recording.ts').catch(() => {})
    // The instructor may stop, and start again, while the browser is still asking for permission.
    const isStillAsking = () => phase === asking
    try {
      const microphone = await openMicrophone(onUnplugged)
      if (!isStillAsking()) return microphone.close()
      microphone.$level.listen(level => $level.set(level))
      microphone.$silent.listen(silent => $silent.set(silent))
      countDown(COUNTDOWN_S, microphone, request)
    } catch (error) {
      if (isStillAsking()) closeWithProblem(error instanceof MicrophoneError ? error.message : GENERIC_PROBLEM)
    }
  }

  async function end(phase: RecordingPhase) {
    clearInterval(phase.timer)
    try {
      const recorded = await phase.recording.finish().finally(() => release(phase))
      await onRecorded(recorded)
    } finally {
      enter({ is: 'idle' })
    }
  }

  /**
   * Ends the recording and passes it to `onRecorded`; during the countdown, it only closes the microphone. Resolves when `onRecorded` is
   * done, even if the recording was already ending.
   */
  function stop(): Promise<void> {
    if (phase.is === 'ending') return phase.ended
    if (phase.is !== 'speaking' && phase.is !== 'paused') {
      close()
      return Promise.resolve()
    }
    const ended = end(phase)
    enter({ is: 'ending', ended })
    return ended
  }

  return {
    $recording,
    $time,
    $level,
    $silent,
    $problem,
    start,
    stop,
    /** Id of the voice-over that is being recorded, or undefined. */
    current: () => ('recording' in phase ? phase.recording.voiceId : undefined),
    pause() {
      if (phase.is !== 'speaking') return
      phase.recording.pause()
      enter({ ...phase, is: 'paused' })
    },
    resume() {
      if (phase.is !== 'paused') return
      phase.microphone.resetSilence()
      phase.recording.resume()
      enter({ ...phase, is: 'speaking' })
    },
    /** Stores the latest sound now instead of after a full second, because the page may be about to close. */
    flush() {
      if ('recording' in phase) phase.recording.flush()
    },
  }
}
export type VoiceRecorder = ReturnType<typeof createVoiceRecorder>

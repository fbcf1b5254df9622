import { atom } from 'nanostores'
import type { Shape, Voice } from '../../modules/reviews/contract.ts'
import { MAX_VOICE_MS } from '../../modules/reviews/policy.ts'
import type { ActionTrack } from './action-track.ts'
import { type Microphone, MicrophoneError, openMicrophone } from './microphone.ts'
import type { RecordingStorage, StoredRecording } from './recording-storage.ts'

/** What the recorder is doing. `asking`: the browser asks for permission to use the microphone. */
export type RecordingState =
  | { is: 'idle' | 'asking' | 'speaking' | 'paused' | 'ending' }
  /** `left`: seconds until the recording begins. */
  | { is: 'counting'; left: number }

/** MediaRecorder delivers a chunk at this interval, so a crash loses no more than this. */
const CHUNK_MS = 1000
const MIME_TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']
/** Opus is clear at a low bit rate; other codecs need more. */
const BITS_PER_SECOND = { opus: 24_000, other: 48_000 }

/** The recording of the stage, which runs in parallel to the sound. */
export interface StageRecording {
  track: ActionTrack
  /** The drawings that the instructor has made so far in this recording. */
  shapes(): Shape[]
  stop(): void
}

interface RecordingRequest {
  recording: Omit<StoredRecording, 'voice' | 'began' | 'state'> & { id: string }
  /** Called at position 0 of the sound: starts recording the stage with the times of `clock`, the position in the sound in ms. */
  stage(clock: () => number): StageRecording
}

/**
 * Records one voice-over at a time: opens the microphone, counts down three seconds, stores the sound on this device chunk by chunk, and
 * records the stage with the same clock. Position 0 is the call of MediaRecorder's `start()`, because its `start` event fires about 60 ms
 * late. Pausing stops both the recorder and the clock.
 */
export function createVoiceRecorder(storage: RecordingStorage, onRecorded: (recording: StoredRecording) => Promise<void>) {
  const $recording = atom<RecordingState>({ is: 'idle' })
  const $time = atom(0)
  const $level = atom(0)
  const $silent = atom(false)
  /** Why the recording did not start or has ended, and what to do. */
  const $problem = atom<string | undefined>(undefined)
  let microphone: Microphone | undefined
  let recorder: MediaRecorder | undefined
  let request: RecordingRequest | undefined
  let stage: StageRecording | undefined
  let voice: Voice | undefined
  let beganAt = 0
  let startedAt = 0
  /** Position of the clock while it is paused. */
  let stoppedAt: number | undefined
  let chunks = 0
  let pendingWrites: Promise<unknown> = Promise.resolve()
  let releaseLock = () => {}
  let clockTimer: ReturnType<typeof setInterval> | undefined
  let countdownTimer: ReturnType<typeof setTimeout> | undefined
  /** Number of the latest start or stop. An earlier start that is still waiting for the microphone gives up when the number changes. */
  let attempt = 0

  const clock = () => Math.min(MAX_VOICE_MS, stoppedAt ?? performance.now() - startedAt)

  function close() {
    clearInterval(clockTimer)
    clearTimeout(countdownTimer)
    microphone?.close()
    stage?.stop()
    releaseLock()
    microphone = recorder = stage = voice = request = undefined
    $level.set(0)
    $silent.set(false)
    $time.set(0)
    $recording.set({ is: 'idle' })
  }

  const currentRecording = (): StoredRecording => {
    const { id: _, ...about } = request!.recording
    const shapes = stage!.shapes()
    return {
      ...about,
      state: 'recording',
      began: beganAt,
      voice: {
        ...voice!,
        milliseconds: Math.max(1, Math.round(clock())),
        actions: stage!.track.actions(),
        ...(shapes.length && { shapes }),
      },
    }
  }

  async function storeChunk(sound: Blob) {
    if (!sound.size || !voice) return
    const number = chunks++
    const recording = currentRecording()
    const bytes = await sound.arrayBuffer()
    await storage.put(recording, { number, sound: bytes })
  }

  function beginRecording() {
    if (!request || !microphone) return
    const type = MIME_TYPES.find(t => MediaRecorder.isTypeSupported(t))
    recorder = new MediaRecorder(microphone.stream, {
      ...(type && { mimeType: type }),
      audioBitsPerSecond: type?.includes('opus') ? BITS_PER_SECOND.opus : BITS_PER_SECOND.other,
    })
    chunks = 0
    stoppedAt = undefined
    recorder.ondataavailable = ({ data }) => {
      pendingWrites = pendingWrites.then(() => storeChunk(data)).catch(() => {})
    }
    recorder.onerror = () => void stop()
    beganAt = Date.now()
    startedAt = performance.now()
    recorder.start(CHUNK_MS)
    stage = request.stage(clock)
    const { video, frame } = stage.track
    voice = {
      id: request.recording.id,
      video,
      frame,
      milliseconds: 1,
      bytes: 1,
      actions: [],
      type: (recorder.mimeType || type || 'audio/webm').split(';')[0] as Voice['type'],
    }
    holdLock(`voice:${request.recording.id}`)
    $recording.set({ is: 'speaking' })
    clockTimer = setInterval(() => {
      $time.set(clock())
      if (clock() >= MAX_VOICE_MS) void stop()
    }, 100)
  }

  /** Holds a Web Lock, which tells other tabs that this recording is still in progress. */
  function holdLock(name: string) {
    navigator.locks
      ?.request(
        name,
        () =>
          new Promise<void>(done => {
            releaseLock = done
          }),
      )
      .catch(() => {})
  }

  function countDown(left: number) {
    if (left === 0) return beginRecording()
    $recording.set({ is: 'counting', left })
    countdownTimer = setTimeout(countDown, 1000, left - 1)
  }

  async function start(newRequest: RecordingRequest) {
    if ($recording.get().is !== 'idle') return
    const thisAttempt = ++attempt
    request = newRequest
    $problem.set(undefined)
    $recording.set({ is: 'asking' })
    // Loads the code that finalizes a recording now, because the connection may be lost by then.
    void import('./remux-recording.ts').catch(() => {})
    try {
      const opened = await openMicrophone(() => {
        const { is } = $recording.get()
        const hasSound = is === 'speaking' || is === 'paused'
        $problem.set(`The microphone was unplugged.${hasSound ? ' Everything you said before that is saved.' : ''}`)
        void stop()
      })
      if (attempt !== thisAttempt) return opened.close()
      microphone = opened
      opened.$level.listen(level => $level.set(level))
      opened.$silent.listen(silent => $silent.set(silent))
      countDown(3)
    } catch (error) {
      if (attempt !== thisAttempt) return
      $problem.set(error instanceof MicrophoneError ? error.message : GENERIC_PROBLEM)
      close()
    }
  }

  /** Ends the recording and passes it to `onRecorded`; during the countdown it only closes the microphone. */
  async function stop() {
    const { is } = $recording.get()
    if (is === 'ending') return
    attempt++
    if (!recorder || !voice) return close()
    stoppedAt = clock()
    clearInterval(clockTimer)
    $recording.set({ is: 'ending' })
    const stopped = new Promise(done => recorder!.addEventListener('stop', done, { once: true }))
    if (recorder.state !== 'inactive') {
      recorder.stop()
      await stopped
    }
    await pendingWrites
    const recording = currentRecording()
    close()
    await onRecorded(recording)
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
    current: () => voice?.id,
    pause() {
      if ($recording.get().is !== 'speaking') return
      stoppedAt = clock()
      recorder!.pause()
      $recording.set({ is: 'paused' })
    },
    resume() {
      if ($recording.get().is !== 'paused') return
      startedAt = performance.now() - stoppedAt!
      stoppedAt = undefined
      microphone!.resetSilence()
      recorder!.resume()
      $recording.set({ is: 'speaking' })
    },
    /** Makes MediaRecorder deliver its unfinished chunk now, because the page may be about to close. */
    flush: () => recorder?.state === 'recording' && recorder.requestData(),
  }
}
export type VoiceRecorder = ReturnType<typeof createVoiceRecorder>

const GENERIC_PROBLEM = 'The recording did not start. Reload the page and try again.'

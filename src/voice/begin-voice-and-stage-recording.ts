import type { Shape, Voice } from '../../modules/reviews/contract.ts'
import { MAX_VOICE_MS } from '../../modules/reviews/policy.ts'
import type { VoiceActionTrack } from './collect-and-limit-voice-actions.ts'
import { RecordingClock } from './recording-clock.ts'
import type { RecordingStorage, StoredRecording } from './recording-storage.ts'

/** MediaRecorder delivers a chunk at this interval, so a crash loses no more than this. */
const CHUNK_MS = 1000
const MIME_TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']
/** Opus is clear at a low bit rate; other codecs need more. */
const BITS_PER_SECOND = { opus: 24_000, other: 48_000 }

/** A recording of the stage, made at the same time as that of the sound. */
export interface StageRecording {
  track: VoiceActionTrack
  /** The note that the voice-over will belong to; undefined if it is about the whole review. */
  note?: StoredRecording['note']
  /** The drawings that the instructor has made so far in this recording, including erased ones. */
  shapes(): Shape[]
  stop(): void
}

export interface RecordingRequest {
  /** The id of the voice-over. */
  id: string
  session: string
  /** Called at position 0 of the sound: starts recording the stage. `clock` returns the current position in the sound, in ms. */
  stage(clock: () => number): StageRecording
}

export type ActiveRecording = ReturnType<typeof beginVoiceAndStageRecording>

/**
 * Begins a voice-over: stores the sound on this device chunk by chunk, and records the stage with the same clock. Position 0 is the call to
 * MediaRecorder's `start()`, not its `start` event, which fires about 60 ms late. Pausing stops both the recorder and the clock.
 *
 * @param onError called when MediaRecorder fails; the chunks stored by then are kept
 * @throws DOMException NotSupportedError or InvalidStateError if the browser cannot record this stream, and whatever `request.stage`
 * throws; in either case nothing is left running
 */
export function beginVoiceAndStageRecording(
  request: RecordingRequest,
  stream: MediaStream,
  storage: RecordingStorage,
  onError: () => void,
) {
  const type = MIME_TYPES.find(t => MediaRecorder.isTypeSupported(t))
  const recorder = new MediaRecorder(stream, {
    ...(type && { mimeType: type }),
    audioBitsPerSecond: type?.includes('opus') ? BITS_PER_SECOND.opus : BITS_PER_SECOND.other,
  })
  let pendingWrites: Promise<unknown> = Promise.resolve()
  let chunkCount = 0
  recorder.ondataavailable = ({ data }) => {
    pendingWrites = pendingWrites.then(() => storeChunk(data)).catch(() => {})
  }
  recorder.onerror = onError
  const releaseLock = holdLock(`voice:${request.id}`)
  const began = Date.now()
  const clock = new RecordingClock(MAX_VOICE_MS)
  let stage: StageRecording
  try {
    recorder.start(CHUNK_MS)
    // Nothing after this fails, so every stage recording that begins is also stopped, by `close()`.
    stage = request.stage(() => clock.position())
  } catch (error) {
    if (recorder.state !== 'inactive') recorder.stop()
    releaseLock()
    throw error
  }
  const { video, frame } = stage.track
  const voice: Voice = {
    id: request.id,
    video,
    frame,
    milliseconds: 1,
    bytes: 1,
    actions: [],
    type: (recorder.mimeType || type || 'audio/webm').split(';')[0] as Voice['type'],
  }

  const storedRecording = (): StoredRecording => {
    const shapes = stage.shapes()
    return {
      session: request.session,
      note: stage.note,
      state: 'recording',
      began,
      voice: {
        ...voice,
        milliseconds: Math.max(1, Math.round(clock.position())),
        actions: stage.track.actions(),
        ...(shapes.length && { shapes }),
      },
    }
  }

  async function storeChunk(sound: Blob) {
    if (!sound.size) return
    const number = chunkCount++
    const recording = storedRecording()
    await storage.put(recording, { number, sound: await sound.arrayBuffer() })
  }

  return {
    voiceId: request.id,
    clock,
    pause() {
      clock.pause()
      recorder.pause()
    },
    resume() {
      clock.resume()
      recorder.resume()
    },
    /** Makes MediaRecorder deliver its unfinished chunk now, because the page may be about to close. */
    flush() {
      if (recorder.state === 'recording') recorder.requestData()
    },
    /** Stops recording the sound, and resolves with the recording once its last chunk has been stored. */
    async finish(): Promise<StoredRecording> {
      clock.pause()
      if (recorder.state !== 'inactive') {
        const stopped = new Promise(done => recorder.addEventListener('stop', done, { once: true }))
        recorder.stop()
        await stopped
      }
      await pendingWrites
      return storedRecording()
    },
    /** Stops recording the stage, and releases the lock that tells other tabs that a recording is in progress. */
    close() {
      stage.stop()
      releaseLock()
    },
  }
}

/** Holds a Web Lock until the returned function is called. The lock tells other tabs that this recording is still in progress. */
function holdLock(name: string): () => void {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  navigator.locks?.request(name, () => released).catch(() => {})
  return release
}

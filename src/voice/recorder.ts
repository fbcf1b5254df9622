import { atom } from 'nanostores'
import type { Shape, Voice } from '../../modules/reviews/contract.ts'
import { MAX_VOICE_MS } from '../../modules/reviews/policy.ts'
import type { Device, Kept } from './device.ts'
import { type Microphone, NoMicrophone, openMicrophone } from './microphone.ts'
import type { Track } from './track.ts'

export type Recording =
  | { is: 'idle' | 'asking' | 'speaking' | 'paused' | 'ending' }
  /** Seconds until it begins. */
  | { is: 'counting'; left: number }

/** What the browser hands over at once, ms: a crash loses no more. */
const CHUNK = 1000
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']
/** Bits a second. Opus is clear with so few; what else there is needs more. */
const RATE = { opus: 24_000, other: 48_000 }

/** What is recorded along with the sound. */
export interface Act {
  track: Track
  /** Drawings made so far. */
  shapes(): Shape[]
  stop(): void
}

interface Asked {
  kept: Omit<Kept, 'voice' | 'began' | 'state'> & { id: string }
  /** Sound position 0 is now: what is done is kept from here on, by this clock. */
  act(clock: () => number): Act
}

/**
 * One recording: the microphone, three seconds to get ready, the sound second by second onto this device, and what is done meanwhile by
 * the same clock. Position 0 is the call of `start()`; pausing holds the recorder and the clock.
 */
export function createRecorder(device: Device, onMade: (kept: Kept) => Promise<void>) {
  const $recording = atom<Recording>({ is: 'idle' })
  const $time = atom(0)
  const $level = atom(0)
  const $silent = atom(false)
  /** Why it did not start or has ended, and what to do. */
  const $problem = atom<string | undefined>(undefined)
  let microphone: Microphone | undefined
  let recorder: MediaRecorder | undefined
  let asked: Asked | undefined
  let act: Act | undefined
  let voice: Voice | undefined
  let begun = 0
  let startedAt = 0
  /** Position of the clock while it stands still. */
  let standing: number | undefined
  let chunks = 0
  let writing: Promise<unknown> = Promise.resolve()
  let free = () => {}
  let ticking: ReturnType<typeof setInterval> | undefined
  let counting: ReturnType<typeof setTimeout> | undefined
  /** Counts what was begun: what an earlier one still waits for is void. */
  let attempt = 0

  const clock = () => Math.min(MAX_VOICE_MS, standing ?? performance.now() - startedAt)

  function close() {
    clearInterval(ticking)
    clearTimeout(counting)
    microphone?.close()
    act?.stop()
    free()
    microphone = recorder = act = voice = asked = undefined
    $level.set(0)
    $silent.set(false)
    $time.set(0)
    $recording.set({ is: 'idle' })
  }

  const now = (): Kept => {
    const { id: _, ...about } = asked!.kept
    const shapes = act!.shapes()
    return {
      ...about,
      state: 'recording',
      began: begun,
      voice: {
        ...voice!,
        milliseconds: Math.max(1, Math.round(clock())),
        actions: act!.track.actions(),
        ...(shapes.length && { shapes }),
      },
    }
  }

  async function came(sound: Blob) {
    if (!sound.size || !voice) return
    const number = chunks++
    const kept = now()
    const its = await sound.arrayBuffer()
    await device.put(kept, { number, sound: its })
  }

  function record() {
    if (!asked || !microphone) return
    const type = TYPES.find(t => MediaRecorder.isTypeSupported(t))
    recorder = new MediaRecorder(microphone.stream, {
      ...(type && { mimeType: type }),
      audioBitsPerSecond: type?.includes('opus') ? RATE.opus : RATE.other,
    })
    chunks = 0
    standing = undefined
    recorder.ondataavailable = ({ data }) => {
      writing = writing.then(() => came(data)).catch(() => {})
    }
    recorder.onerror = () => void stop()
    begun = Date.now()
    startedAt = performance.now()
    recorder.start(CHUNK)
    act = asked.act(clock)
    const { video, frame } = act.track
    voice = {
      ...{ id: asked.kept.id, video, frame, milliseconds: 1, bytes: 1, actions: [] },
      type: (recorder.mimeType || type || 'audio/webm').split(';')[0] as Voice['type'],
    }
    hold(`voice:${asked.kept.id}`)
    $recording.set({ is: 'speaking' })
    ticking = setInterval(() => {
      $time.set(clock())
      if (clock() >= MAX_VOICE_MS) void stop()
    }, 100)
  }

  /** Other tabs can tell that this one is still at it. */
  function hold(name: string) {
    navigator.locks
      ?.request(
        name,
        () =>
          new Promise<void>(done => {
            free = done
          }),
      )
      .catch(() => {})
  }

  function count(left: number) {
    if (left === 0) return record()
    $recording.set({ is: 'counting', left })
    counting = setTimeout(count, 1000, left - 1)
  }

  async function start(wanted: Asked) {
    if ($recording.get().is !== 'idle') return
    const mine = ++attempt
    asked = wanted
    $problem.set(undefined)
    $recording.set({ is: 'asking' })
    // What it takes to end it is here before the line may break.
    void import('./remux.ts').catch(() => {})
    try {
      const opened = await openMicrophone(() => {
        $problem.set('The microphone was unplugged. What you said until then is kept.')
        void stop()
      })
      if (attempt !== mine) return opened.close()
      microphone = opened
      opened.$level.listen(level => $level.set(level))
      opened.$silent.listen(silent => $silent.set(silent))
      count(3)
    } catch (error) {
      if (attempt !== mine) return
      $problem.set(error instanceof NoMicrophone ? error.message : OTHERWISE)
      close()
    }
  }

  /** Ends it. What was said is kept; before anything was said there is nothing to keep. */
  async function stop() {
    const { is } = $recording.get()
    if (is === 'ending') return
    attempt++
    if (!recorder || !voice) return close()
    standing = clock()
    clearInterval(ticking)
    $recording.set({ is: 'ending' })
    const stopped = new Promise(done => recorder!.addEventListener('stop', done, { once: true }))
    if (recorder.state !== 'inactive') {
      recorder.stop()
      await stopped
    }
    await writing
    const kept = now()
    close()
    await onMade(kept)
  }

  return {
    ...{ $recording, $time, $level, $silent, $problem },
    ...{ start, stop },
    /** Id of the recording under way. */
    current: () => voice?.id,
    pause() {
      if ($recording.get().is !== 'speaking') return
      standing = clock()
      recorder!.pause()
      $recording.set({ is: 'paused' })
    },
    resume() {
      if ($recording.get().is !== 'paused') return
      startedAt = performance.now() - standing!
      standing = undefined
      microphone!.rest()
      recorder!.resume()
      $recording.set({ is: 'speaking' })
    },
    /** What the browser still holds goes onto this device now: the page may be about to go. */
    flush: () => recorder?.state === 'recording' && recorder.requestData(),
  }
}
export type Recorder = ReturnType<typeof createRecorder>

const OTHERWISE = 'The recording did not start. Reload the page and try again.'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beginVoiceAndStageRecording } from '../../src/voice/begin-voice-and-stage-recording.ts'
import { createActionTrack } from '../../src/voice/collect-and-limit-voice-actions.ts'
import type { RecordingStorage } from '../../src/voice/recording-storage.ts'
import { FakeMediaRecorder } from '../support/fake-media-recorder.ts'

let heldLocks: string[]
beforeEach(() => {
  heldLocks = []
  vi.stubGlobal('MediaRecorder', FakeMediaRecorder)
  vi.stubGlobal('navigator', {
    locks: {
      async request(name: string, use: () => Promise<void>) {
        heldLocks.push(name)
        await use()
        heldLocks = heldLocks.filter(held => held !== name)
      },
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const begin = (stage: Parameters<typeof beginVoiceAndStageRecording>[0]['stage']) =>
  beginVoiceAndStageRecording({ id: 'voice', session: 'session', stage }, {} as MediaStream, {} as RecordingStorage, () => {})
function createStage() {
  const track = createActionTrack({ video: 'swing', frame: 0, playing: false, rate: 1, view: { scale: 1, x: 0.5, y: 0.5 } })
  return { track, shapes: () => [], stop: vi.fn() }
}

test('recording works in the oldest browsers, which lack Promise.withResolvers', async () => {
  vi.spyOn(Promise, 'withResolvers').mockImplementation(() => {
    throw new TypeError('Promise.withResolvers is not a function')
  })
  const stage = createStage()
  const recording = begin(() => stage)
  expect([FakeMediaRecorder.latest!.state, heldLocks]).toEqual(['recording', ['voice:voice']])
  recording.close()
  expect(stage.stop).toHaveBeenCalledTimes(1)
  await expect.poll(() => heldLocks).toEqual([])
})

test('the stage is not recorded if the recording cannot begin', () => {
  vi.stubGlobal('navigator', {
    locks: {
      request() {
        throw new TypeError('no locks')
      },
    },
  })
  const beginStage = vi.fn(createStage)
  expect(() => begin(beginStage)).toThrow('no locks')
  expect(beginStage).not.toHaveBeenCalled()
})

test('if the stage cannot be recorded, sound recording ends and the lock is released', async () => {
  expect(() =>
    begin(() => {
      throw new Error('no stage')
    }),
  ).toThrow('no stage')
  expect(FakeMediaRecorder.latest!.state).toBe('inactive')
  await expect.poll(() => heldLocks).toEqual([])
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubMicrophone } from '../../../support/stub-microphone.ts'
import { createTestStudioVoice } from '../../../support/studio-voice-harness.ts'

beforeEach(() => {
  vi.useFakeTimers()
  stubMicrophone()
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a voice-over in progress joins the draft before Deliver asks', async () => {
  const { studioVoice, $draft, $dialog, countDown } = createTestStudioVoice()
  studioVoice.toggleRecording()
  await countDown()
  expect(studioVoice.recorder.$recording.get().is).toBe('speaking')
  const voicesWhenAsked: number[] = []
  $dialog.listen(dialog => dialog && voicesWhenAsked.push($draft.get().voices?.length ?? 0))
  $dialog.set('deliver')
  expect($dialog.get()).toBeUndefined()
  await vi.waitFor(() => expect($dialog.get()).toBe('deliver'))
  expect(voicesWhenAsked.at(-1)).toBe(1)
  expect([$draft.get().notes.map(n => n.voice), studioVoice.recorder.$recording.get().is]).toEqual([[$draft.get().voices![0]!.id], 'idle'])
})

test('a voice-over that is being saved joins the draft before Deliver asks', async () => {
  const { studioVoice, $draft, $dialog, countDown } = createTestStudioVoice()
  studioVoice.toggleRecording()
  await countDown()
  const stopped = studioVoice.recorder.stop()
  $dialog.set('deliver')
  expect([$dialog.get(), $draft.get().voices]).toEqual([undefined, undefined])
  await stopped
  await vi.waitFor(() => expect($dialog.get()).toBe('deliver'))
  expect($draft.get().voices).toHaveLength(1)
})

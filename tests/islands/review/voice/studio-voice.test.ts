import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MAX_NOTES_PER_REVIEW } from '../../../../modules/folders/policy.ts'
import type { Voice } from '../../../../modules/reviews/contract.ts'
import { stubMicrophone } from '../../../support/fake-media-recorder.ts'
import { createTestStudioVoice } from '../../../support/studio-voice-testbed.ts'

// Without a document, no toast can be shown.
vi.mock('../../../../src/ui/toast.ts', () => ({ toast: vi.fn() }))

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

test('a voice-over in progress joins the draft before the Deliver dialog opens', async () => {
  const { studioVoice, $draft, $dialog, countDown, settle } = createTestStudioVoice()
  studioVoice.toggleRecording()
  await countDown()
  expect(studioVoice.recorder.$recording.get().is).toBe('speaking')
  const voicesWhenAsked: number[] = []
  $dialog.listen(dialog => dialog && voicesWhenAsked.push($draft.get().voices?.length ?? 0))
  $dialog.set('deliver')
  expect($dialog.get()).toBeUndefined()
  await studioVoice.recorder.stop()
  await settle()
  expect($dialog.get()).toBe('deliver')
  expect(voicesWhenAsked.at(-1)).toBe(1)
  expect([$draft.get().notes.map(n => n.voice), studioVoice.recorder.$recording.get().is]).toEqual([[$draft.get().voices![0]!.id], 'idle'])
})

test('a voice-over that is being saved joins the draft before the dialog opens', async () => {
  const { studioVoice, $draft, $dialog, countDown, settle } = createTestStudioVoice()
  studioVoice.toggleRecording()
  await countDown()
  const stopped = studioVoice.recorder.stop()
  $dialog.set('deliver')
  expect([$dialog.get(), $draft.get().voices]).toEqual([undefined, undefined])
  await stopped
  await settle()
  expect($dialog.get()).toBe('deliver')
  expect($draft.get().voices).toHaveLength(1)
})

const dividedVoice = (id: string): Voice => ({ id, video: 'swing', frame: 0, milliseconds: 2000, bytes: 3, type: 'audio/mp4', actions: [] })

test('a retake that outlives the division is deleted, and does not block Deliver', async () => {
  const { studioVoice, $draft, $dialog, countDown } = createTestStudioVoice({ voices: [dividedVoice('v1')] })
  const { division, recorder } = studioVoice
  division.divide(dividedVoice('v1'))
  studioVoice.recordPartAgain(division.$parts.get()[0]!)
  await countDown()
  division.end()
  await recorder.stop()
  expect([$draft.get().voices!.map(v => v.id), division.$retakeIds.get()]).toEqual([['v1'], []])
  $dialog.set('deliver')
  expect($dialog.get()).toBe('deliver')
})

test('a retake replaces its part; Deliver waits until the division ends', async () => {
  const { studioVoice, $draft, $dialog, countDown } = createTestStudioVoice({ voices: [dividedVoice('v1')] })
  const { division, recorder } = studioVoice
  division.divide(dividedVoice('v1'))
  studioVoice.recordPartAgain(division.$parts.get()[0]!)
  await countDown()
  await recorder.stop()
  const retake = $draft.get().voices![1]!
  expect([division.$parts.get()[0]!.retake?.id, division.$retakeIds.get()]).toEqual([retake.id, [retake.id]])
  $dialog.set('deliver')
  expect($dialog.get()).toBeUndefined()
  division.end()
  expect($draft.get().voices!.map(v => v.id)).toEqual(['v1'])
})

test('a division with a named part blocks new recordings and other divisions', async () => {
  const [divided, other] = [dividedVoice('v1'), dividedVoice('v2')]
  const { studioVoice } = createTestStudioVoice({ voices: [divided, other] })
  const { division, recorder } = studioVoice
  division.divide(divided)
  division.changeParts(parts => parts.map(part => ({ ...part, name: 'Load' })))
  studioVoice.toggleRecording()
  studioVoice.recordAgain(other)
  division.divide(other)
  expect([division.$voice.get()?.id, division.$parts.get().map(part => part.name)]).toEqual(['v1', ['Load']])
  expect(recorder.$recording.get().is).toBe('idle')
})

test('a division without changes gives way to the next voice-over', () => {
  const [divided, other] = [dividedVoice('v1'), dividedVoice('v2')]
  const { studioVoice } = createTestStudioVoice({ voices: [divided, other] })
  studioVoice.division.divide(divided)
  studioVoice.division.divide(other)
  expect(studioVoice.division.$voice.get()?.id).toBe('v2')
  studioVoice.toggleRecording()
  expect([studioVoice.division.$voice.get(), studioVoice.recorder.$recording.get().is]).toEqual([undefined, 'asking'])
})

test('a voice-over of the whole review with one part needs no further note', async () => {
  const notes = Array.from({ length: MAX_NOTES_PER_REVIEW }, (_, i) => ({
    id: `n${i}`,
    video: 'swing',
    at: i,
    kind: 'tip' as const,
    text: 'Hands',
  }))
  const { studioVoice } = createTestStudioVoice({ notes, voices: [dividedVoice('v1')] })
  studioVoice.division.divide(dividedVoice('v1'))
  // The number of notes does not stop the call: it goes on to load the recording, which fails because this test has none.
  await expect(studioVoice.division.createNotes()).rejects.toThrow('Failed to fetch')
})

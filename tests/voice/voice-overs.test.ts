import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import type { Voice } from '../../modules/reviews/contract.ts'
import { emptyDraft } from '../../src/draft/merge-drafts.ts'
import { createRecordingStorage, type StoredRecording } from '../../src/voice/recording-storage.ts'
import { createVoiceOvers, withoutVoice, withVoice } from '../../src/voice/voice-overs.ts'

const note = (id: string, more: Partial<Draft['notes'][number]> = {}) => ({
  id,
  video: 'swing',
  at: 0,
  kind: 'tip' as const,
  text: '',
  ...more,
})
const voice = (id: string): Voice => ({
  ...{ id, video: 'swing', frame: 0, milliseconds: 2000, bytes: 3, type: 'audio/mp4', actions: [] },
})
const kept = (id: string, more: Partial<StoredRecording> = {}): StoredRecording => ({
  voice: voice(id),
  session: 'session',
  state: 'made',
  began: 1,
  ...more,
})

test('adds, replaces and removes voice-overs of notes and of the whole review', () => {
  const draft = { ...emptyDraft, notes: [note('n1', { text: 'Hands' }), note('n2')] }
  const one = withVoice(draft, kept('v1', { note: note('n1') }))
  expect(one.notes).toEqual([note('n1', { text: 'Hands', voice: 'v1' }), note('n2')])
  const two = withVoice(withVoice(one, kept('v2', { note: note('n3') })), kept('v3'))
  expect([two.notes.map(n => n.voice), two.voices!.map(v => v.id)]).toEqual([
    ['v1', undefined, 'v2'],
    ['v1', 'v2', 'v3'],
  ])
  const anew = withVoice(two, kept('v4', { note: note('n1') }), 'v1')
  expect([anew.notes[0]!.voice, anew.voices!.map(v => v.id)]).toEqual(['v4', ['v2', 'v3', 'v4']])
  expect(withoutVoice(anew, 'v4').notes.map(n => n.id)).toEqual(['n1', 'n2', 'n3'])
  expect(withoutVoice(anew, 'v2').notes.map(n => n.id)).toEqual(['n1', 'n2'])
  expect(withoutVoice(anew, 'v3').voices!.map(v => v.id)).toEqual(['v2', 'v4'])
})

/** What the line does to a request, and what has arrived in the store. */
let line: 'whole' | 'broken' | 'silent' | 'refusing' | 'ended'
let stored: string[]
beforeEach(() => {
  vi.useFakeTimers()
  line = 'whole'
  stored = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (line === 'broken') throw new TypeError('Failed to fetch')
    if (line === 'silent') return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal!.reason)))
    if (url.startsWith('/api/')) {
      if (line === 'ended') return Response.json({ message: 'Log in.', code: 'signed-out' }, { status: 401 })
      if (line === 'refusing') return Response.json({ message: 'Delivered.', code: 'delivered' }, { status: 409 })
      return Response.json({ url: `https://store/${JSON.parse(String(init.body)).id}`, expires: '' })
    }
    stored.push(url)
    return new Response()
  })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function studio(storage = createRecordingStorage()) {
  const $draft = atom<Draft>(emptyDraft)
  const draftStore = {
    $draft,
    $saveState: atom('saved' as const),
    change: (update: (d: Draft) => Draft) => $draft.set(update($draft.get())),
  }
  const voices = createVoiceOvers({ folder: 'f', session: 'session', draftStore: draftStore as never, publishedVoices: () => [], storage })
  voices.retryWhenOnline()
  const where = (id: string) => voices.$uploadStates.get()[id]
  return { voices, storage, $draft, where }
}
const settle = () => vi.advanceTimersByTimeAsync(50)

test.each(['broken', 'ended'] as const)('a voice-over whose upload fails stays on the device and is sent later: %s', async trouble => {
  const { voices, storage, where, $draft } = studio()
  line = trouble
  await storage.finish(kept('v1'), new Blob(['abc']))
  await voices.addToDraft(kept('v1'))
  await settle()
  expect([where('v1'), $draft.get().voices?.length, stored]).toEqual(['here', 1, []])
  expect((await voices.uploadRemaining())?.id).toBe('v1')
  line = 'whole'
  await vi.advanceTimersByTimeAsync(6000)
  expect([where('v1'), stored]).toEqual(['saved', ['https://store/v1']])
  expect(await voices.uploadRemaining()).toBeUndefined()
  // Saved is saved: the next visit sends nothing.
  await voices.load()
  expect(stored).toHaveLength(1)
})

test('offline for 20 minutes, voice-overs stay on the device; then each uploads once', async () => {
  const { voices, storage, where } = studio()
  line = 'broken'
  const told: string[] = []
  voices.$uploadStates.listen(all => told.push(Object.values(all).join(' ')))
  for (const id of ['v1', 'v2', 'v3']) {
    await storage.finish(kept(id), new Blob(['abc']))
    await voices.addToDraft(kept(id))
    await settle()
  }
  expect(told.splice(0).at(-1)).toBe('here here here')
  await vi.advanceTimersByTimeAsync(20 * 60_000)
  expect(told.filter(each => each !== 'here here here')).toEqual([])
  line = 'whole'
  await vi.advanceTimersByTimeAsync(10_000)
  expect(stored).toEqual(['https://store/v1', 'https://store/v2', 'https://store/v3'])
  expect(['v1', 'v2', 'v3'].map(where)).toEqual(['saved', 'saved', 'saved'])
  expect(told).toContain('sending here here')
})

test('an upload without an answer times out and is tried again', async () => {
  const { voices, storage, where } = studio()
  line = 'silent'
  await storage.finish(kept('v1'), new Blob(['abc']))
  await voices.addToDraft(kept('v1'))
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect(where('v1')).toBe('here')
  line = 'whole'
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect([where('v1'), stored]).toEqual(['saved', ['https://store/v1']])
})

test('an upload that the server refuses is not tried again', async () => {
  const { voices, storage, where } = studio()
  line = 'refusing'
  await storage.finish(kept('v1'), new Blob(['abc']))
  await voices.addToDraft(kept('v1'))
  await settle()
  expect(where('v1')).toBe('refused')
  line = 'whole'
  await vi.advanceTimersByTimeAsync(20_000)
  expect(stored).toEqual([])
})

test('the next visit finds interrupted recordings and removes those deleted elsewhere', async () => {
  const storage = createRecordingStorage()
  await storage.put(kept('cut', { state: 'recording' }), { number: 0, sound: new Uint8Array([1, 2]).buffer })
  await storage.finish(kept('lost', { began: 2 }), new Blob(['abc']))
  await storage.finish(kept('elsewhere', { state: 'sent' }), new Blob(['abc']))
  await storage.finish({ ...kept('other'), session: 'another' }, new Blob(['abc']))
  const { voices, $draft, where } = studio(storage)
  await voices.load()
  expect(voices.$recoverable.get().map(k => k.voice.id)).toEqual(['cut', 'lost'])
  expect(await storage.sound({ id: 'elsewhere', type: 'audio/mp4' })).toBeNull()
  await voices.addToDraft(voices.$recoverable.get()[1]!)
  await settle()
  expect([$draft.get().voices!.map(v => v.id), where('lost'), voices.$recoverable.get().length]).toEqual([['lost'], 'saved', 1])
  await voices.deleteVoice('cut')
  await voices.deleteVoice('lost')
  expect([$draft.get().voices, voices.$recoverable.get(), await storage.all('session')]).toEqual([[], [], []])
  expect(await storage.all('another')).toHaveLength(1)
})

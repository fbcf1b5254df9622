import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import type { Shape, Voice, VoiceWithSignedUrl } from '../../modules/reviews/contract.ts'
import { emptyDraft } from '../../src/draft/merge-drafts.ts'
import { draftWithoutVoiceOver, draftWithVoiceOver } from '../../src/voice/add-and-remove-voice-overs-in-draft.ts'
import { createDraftVoiceOvers } from '../../src/voice/draft-voice-overs.ts'
import { createRecordingStorage, type StoredRecording } from '../../src/voice/recording-storage.ts'

const note = (id: string, more: Partial<Draft['notes'][number]> = {}) => ({
  id,
  video: 'swing',
  at: 0,
  kind: 'tip' as const,
  text: '',
  ...more,
})
const voice = (id: string): Voice => ({
  id,
  video: 'swing',
  frame: 0,
  milliseconds: 2000,
  bytes: 3,
  type: 'audio/mp4',
  actions: [],
})
const storedRecording = (id: string, more: Partial<StoredRecording> = {}): StoredRecording => ({
  voice: voice(id),
  session: 'session',
  state: 'made',
  began: 1,
  ...more,
})

test('a draft gets, replaces and loses voice-overs of notes and of the whole review', () => {
  const draft = { ...emptyDraft, notes: [note('n1', { text: 'Hands' }), note('n2')] }
  const one = draftWithVoiceOver(draft, storedRecording('v1', { note: note('n1') }))
  expect(one.notes).toEqual([note('n1', { text: 'Hands', voice: 'v1' }), note('n2')])
  const two = draftWithVoiceOver(draftWithVoiceOver(one, storedRecording('v2', { note: note('n3') })), storedRecording('v3'))
  expect([two.notes.map(n => n.voice), two.voices!.map(v => v.id)]).toEqual([
    ['v1', undefined, 'v2'],
    ['v1', 'v2', 'v3'],
  ])
  const replaced = draftWithVoiceOver(two, storedRecording('v4', { note: note('n1') }), 'v1')
  expect([replaced.notes[0]!.voice, replaced.voices!.map(v => v.id)]).toEqual(['v4', ['v2', 'v3', 'v4']])
  expect(draftWithoutVoiceOver(replaced, 'v4').notes.map(n => n.id)).toEqual(['n1', 'n2', 'n3'])
  expect(draftWithoutVoiceOver(replaced, 'v2').notes.map(n => n.id)).toEqual(['n1', 'n2'])
  expect(draftWithoutVoiceOver(replaced, 'v3').voices!.map(v => v.id)).toEqual(['v2', 'v4'])
})

/** How the network and the server treat a request. `ended`: the login session has expired. */
let network: 'working' | 'broken' | 'silent' | 'refusing' | 'ended'
/** The URLs of the files that have arrived in the object store. */
let stored: string[]
beforeEach(() => {
  vi.useFakeTimers()
  network = 'working'
  stored = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (network === 'broken') throw new TypeError('Failed to fetch')
    if (network === 'silent') return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal!.reason)))
    if (url.startsWith('/api/')) {
      if (network === 'ended') return Response.json({ message: 'Log in.', code: 'signed-out' }, { status: 401 })
      if (network === 'refusing') return Response.json({ message: 'Delivered.', code: 'delivered' }, { status: 409 })
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

function studio(storage = createRecordingStorage(), publishedVoices: () => VoiceWithSignedUrl[] = () => []) {
  const $draft = atom<Draft>(emptyDraft)
  const autosavedDraft = {
    $draft,
    $saveState: atom('saved' as const),
    change: (update: (d: Draft) => Draft) => $draft.set(update($draft.get())),
  }
  const voices = createDraftVoiceOvers({
    folder: 'f',
    session: 'session',
    autosavedDraft: autosavedDraft as never,
    publishedVoices,
    storage,
  })
  voices.retryWhenOnline()
  const uploadState = (id: string) => voices.$uploadStates.get()[id]
  return { voices, storage, $draft, uploadState }
}
const settle = () => vi.advanceTimersByTimeAsync(50)

test.each(['broken', 'ended'] as const)('a voice-over whose upload fails is kept on the device and sent later (%s)', async failure => {
  const { voices, storage, uploadState, $draft } = studio()
  network = failure
  await storage.finish(storedRecording('v1'), new Blob(['abc']))
  await voices.addToDraft(storedRecording('v1'))
  await settle()
  expect([uploadState('v1'), $draft.get().voices?.length, stored]).toEqual(['here', 1, []])
  expect((await voices.uploadRemaining())?.id).toBe('v1')
  network = 'working'
  await vi.advanceTimersByTimeAsync(6000)
  expect([uploadState('v1'), stored]).toEqual(['saved', ['https://store/v1']])
  expect(await voices.uploadRemaining()).toBeUndefined()
  // The next visit does not upload a saved voice-over again.
  await voices.load()
  expect(stored).toHaveLength(1)
})

test('after 20 minutes offline each voice-over uploads exactly once', async () => {
  const { voices, storage, uploadState } = studio()
  network = 'broken'
  const states: string[] = []
  voices.$uploadStates.listen(all => states.push(Object.values(all).join(' ')))
  for (const id of ['v1', 'v2', 'v3']) {
    await storage.finish(storedRecording(id), new Blob(['abc']))
    await voices.addToDraft(storedRecording(id))
    await settle()
  }
  expect(states.splice(0).at(-1)).toBe('here here here')
  await vi.advanceTimersByTimeAsync(20 * 60_000)
  expect(states.filter(state => state !== 'here here here')).toEqual([])
  network = 'working'
  await vi.advanceTimersByTimeAsync(10_000)
  expect(stored).toEqual(['https://store/v1', 'https://store/v2', 'https://store/v3'])
  expect(['v1', 'v2', 'v3'].map(uploadState)).toEqual(['saved', 'saved', 'saved'])
  expect(states).toContain('sending here here')
})

test('an upload without a response times out and is retried', async () => {
  const { voices, storage, uploadState } = studio()
  network = 'silent'
  await storage.finish(storedRecording('v1'), new Blob(['abc']))
  await voices.addToDraft(storedRecording('v1'))
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect(uploadState('v1')).toBe('here')
  network = 'working'
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect([uploadState('v1'), stored]).toEqual(['saved', ['https://store/v1']])
})

test('an upload that the server refuses is not retried', async () => {
  const { voices, storage, uploadState } = studio()
  network = 'refusing'
  await storage.finish(storedRecording('v1'), new Blob(['abc']))
  await voices.addToDraft(storedRecording('v1'))
  await settle()
  expect(uploadState('v1')).toBe('refused')
  network = 'working'
  await vi.advanceTimersByTimeAsync(20_000)
  expect(stored).toEqual([])
})

test('the next visit recovers crashed recordings and drops those deleted elsewhere', async () => {
  const storage = createRecordingStorage()
  await storage.put(storedRecording('cut', { state: 'recording' }), { number: 0, sound: new Uint8Array([1, 2]).buffer })
  await storage.finish(storedRecording('lost', { began: 2 }), new Blob(['abc']))
  await storage.finish(storedRecording('elsewhere', { state: 'sent' }), new Blob(['abc']))
  await storage.finish({ ...storedRecording('other'), session: 'another' }, new Blob(['abc']))
  const { voices, $draft, uploadState } = studio(storage)
  await voices.load()
  expect(voices.$recoverable.get().map(k => k.voice.id)).toEqual(['cut', 'lost'])
  expect(await storage.sound({ id: 'elsewhere', type: 'audio/mp4' })).toBeNull()
  await voices.addToDraft(voices.$recoverable.get()[1]!)
  await settle()
  expect([$draft.get().voices!.map(v => v.id), uploadState('lost'), voices.$recoverable.get().length]).toEqual([['lost'], 'saved', 1])
  await voices.deleteVoice('cut')
  await voices.deleteVoice('lost')
  expect([$draft.get().voices, voices.$recoverable.get(), await storage.all('session')]).toEqual([[], [], []])
  expect(await storage.all('another')).toHaveLength(1)
})

test('delivering waits for an upload in progress', async () => {
  const { voices, storage, uploadState } = studio()
  const { fetch } = globalThis
  let answer = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.startsWith('https://store/')) await answered
    return fetch(url, init)
  })
  await storage.finish(storedRecording('v1'), new Blob(['abc']))
  await voices.addToDraft(storedRecording('v1'))
  await settle()
  expect(uploadState('v1')).toBe('sending')
  const remaining = voices.uploadRemaining()
  await settle()
  answer()
  expect([await remaining, stored]).toEqual([undefined, ['https://store/v1']])
})

test('a part keeps the text and drawings of its note and adds its own', async () => {
  const { voices, storage, $draft } = studio()
  const [line, arrow] = [
    { id: 'line', tool: 'line' },
    { id: 'arrow', tool: 'arrow' },
  ] as unknown as Shape[]
  await storage.finish(storedRecording('v1'), new Blob(['abc']))
  await voices.addToDraft(storedRecording('v1', { note: note('n1', { text: 'Watch the hands', shapes: [line!] }) }))
  for (const id of ['r1', 'r2']) {
    await storage.finish(storedRecording(id), new Blob(['abc']))
    await voices.addToDraft(storedRecording(id))
  }
  const base = { from: 0, to: 900, drawings: [arrow!] }
  await voices.replaceByParts(voice('v1'), [
    { ...base, retake: voice('r1'), note: note('n1', { text: 'Watch the hands', shapes: [line!] }), name: 'Load' },
    { ...base, retake: voice('r2'), note: note('n2'), name: 'Stride ' },
  ])
  expect($draft.get().notes).toEqual([
    note('n1', { text: 'Watch the hands\n\nLoad', shapes: [line!, arrow!], voice: 'r1' }),
    note('n2', { text: 'Stride', shapes: [arrow!], voice: 'r2' }),
  ])
  expect($draft.get().voices!.map(v => v.id)).toEqual(['r1', 'r2'])
})

test('a voice-over from another device plays with a new URL once the first has expired', async () => {
  const published = [{ id: 'v1', url: 'https://store/expired' }] as VoiceWithSignedUrl[]
  vi.stubGlobal('location', { pathname: '/instructor/folder/f', search: '' })
  vi.stubGlobal('fetch', async () => Response.json({ session: { voices: [{ id: 'v1', url: 'https://store/renewed' }] } }))
  const { voices } = studio(createRecordingStorage(), () => published)
  expect([await voices.sound(voice('v1')), await voices.sound(voice('v1'))]).toEqual(['https://store/expired', 'https://store/renewed'])
})

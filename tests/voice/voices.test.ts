import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import type { Voice } from '../../modules/reviews/contract.ts'
import { emptyDraft } from '../../src/draft/merge-drafts.ts'
import { deviceStore, type Kept } from '../../src/voice/device.ts'
import { createVoices, placed, without } from '../../src/voice/voices.ts'

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
const kept = (id: string, more: Partial<Kept> = {}): Kept => ({ voice: voice(id), session: 'session', state: 'made', began: 1, ...more })

test('a voice is its note’s, or over the whole; said anew it takes the place of the old one; a note that says nothing else goes with it', () => {
  const draft = { ...emptyDraft, notes: [note('n1', { text: 'Hands' }), note('n2')] }
  const one = placed(draft, kept('v1', { note: note('n1') }))
  expect(one.notes).toEqual([note('n1', { text: 'Hands', voice: 'v1' }), note('n2')])
  const two = placed(placed(one, kept('v2', { note: note('n3') })), kept('v3'))
  expect([two.notes.map(n => n.voice), two.voices!.map(v => v.id)]).toEqual([
    ['v1', undefined, 'v2'],
    ['v1', 'v2', 'v3'],
  ])
  const anew = placed(two, kept('v4', { note: note('n1') }), 'v1')
  expect([anew.notes[0]!.voice, anew.voices!.map(v => v.id)]).toEqual(['v4', ['v2', 'v3', 'v4']])
  expect(without(anew, 'v4').notes.map(n => n.id)).toEqual(['n1', 'n2', 'n3'])
  expect(without(anew, 'v2').notes.map(n => n.id)).toEqual(['n1', 'n2'])
  expect(without(anew, 'v3').voices!.map(v => v.id)).toEqual(['v2', 'v4'])
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

function studio(device = deviceStore()) {
  const $draft = atom<Draft>(emptyDraft)
  const draftStore = {
    $draft,
    $saveState: atom('saved' as const),
    change: (update: (d: Draft) => Draft) => $draft.set(update($draft.get())),
  }
  const voices = createVoices({ folder: 'f', session: 'session', draftStore: draftStore as never, addresses: () => [], device })
  voices.watch()
  const where = (id: string) => voices.$where.get()[id]
  return { voices, device, $draft, where }
}
const settle = () => vi.advanceTimersByTimeAsync(50)

test.each(['broken', 'ended'] as const)('what cannot go up stays on this device and goes by itself: the line is %s', async trouble => {
  const { voices, device, where, $draft } = studio()
  line = trouble
  await device.finish(kept('v1'), new Blob(['abc']))
  await voices.keep(kept('v1'))
  await settle()
  expect([where('v1'), $draft.get().voices?.length, stored]).toEqual(['here', 1, []])
  expect((await voices.settled())?.id).toBe('v1')
  line = 'whole'
  await vi.advanceTimersByTimeAsync(6000)
  expect([where('v1'), stored]).toEqual(['saved', ['https://store/v1']])
  expect(await voices.settled()).toBeUndefined()
  // Saved is saved: the next visit sends nothing.
  await voices.load()
  expect(stored).toHaveLength(1)
})

test('twenty minutes without a line: three voice-overs are said to be here all the while, and then each goes up once', async () => {
  const { voices, device, where } = studio()
  line = 'broken'
  const told: string[] = []
  voices.$where.listen(all => told.push(Object.values(all).join(' ')))
  for (const id of ['v1', 'v2', 'v3']) {
    await device.finish(kept(id), new Blob(['abc']))
    await voices.keep(kept(id))
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

test('an upload that nothing is heard of is given up, said to be here, and made anew', async () => {
  const { voices, device, where } = studio()
  line = 'silent'
  await device.finish(kept('v1'), new Blob(['abc']))
  await voices.keep(kept('v1'))
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect(where('v1')).toBe('here')
  line = 'whole'
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect([where('v1'), stored]).toEqual(['saved', ['https://store/v1']])
})

test('what the server will not take is not tried for ever', async () => {
  const { voices, device, where } = studio()
  line = 'refusing'
  await device.finish(kept('v1'), new Blob(['abc']))
  await voices.keep(kept('v1'))
  await settle()
  expect(where('v1')).toBe('refused')
  line = 'whole'
  await vi.advanceTimersByTimeAsync(20_000)
  expect(stored).toEqual([])
})

test('on the next visit a recording that broke off is found, with what never came into the draft; what was deleted elsewhere is gone', async () => {
  const device = deviceStore()
  await device.put(kept('cut', { state: 'recording' }), { number: 0, sound: new Uint8Array([1, 2]).buffer })
  await device.finish(kept('lost', { began: 2 }), new Blob(['abc']))
  await device.finish(kept('elsewhere', { state: 'sent' }), new Blob(['abc']))
  await device.finish({ ...kept('other'), session: 'another' }, new Blob(['abc']))
  const { voices, $draft, where } = studio(device)
  await voices.load()
  expect(voices.$found.get().map(k => k.voice.id)).toEqual(['cut', 'lost'])
  expect(await device.sound({ id: 'elsewhere', type: 'audio/mp4' })).toBeNull()
  await voices.keep(voices.$found.get()[1]!)
  await settle()
  expect([$draft.get().voices!.map(v => v.id), where('lost'), voices.$found.get().length]).toEqual([['lost'], 'saved', 1])
  await voices.drop('cut')
  await voices.drop('lost')
  expect([$draft.get().voices, voices.$found.get(), await device.all('session')]).toEqual([[], [], []])
  expect(await device.all('another')).toHaveLength(1)
})

import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderDecider } from '../../../modules/folders/folder.ts'
import { handleCommand, loadState } from '../../../modules/kernel/decider.ts'
import { silentLogger } from '../../../modules/kernel/logger-interface.ts'
import type { EventStore, RecordedEvent } from '../../../modules/kernel/store.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { encryptedTextsOfData, rebuildEventDataAsStored, rememberedEncryptedTextsOf } from '../../../modules/privacy/encrypt-event-texts.ts'
import { encryptedStore } from '../../../modules/privacy/encrypted-store.ts'
import { DELETED_TEXT, MISSING_KEY_TEXT } from '../../../modules/privacy/policy.ts'
import { supportRequestDecider } from '../../../modules/support/support-request.ts'
import { personalTextFields } from '../../../projections/personal-text-fields.ts'
import { testStoreContract } from '../../kernel/store-contract.ts'
import { newTestEvent } from '../../kernel/test-events.ts'
import { inMemoryPersonKeys } from './in-memory-person-keys.ts'

const events = join(import.meta.dirname, '../../events')
const samples = readdirSync(events)
  .filter(file => file.endsWith('.json'))
  .flatMap(file => JSON.parse(readFileSync(join(events, file), 'utf8')) as (RecordedEvent & { revision: string })[])
  .sort((a, b) => (a.stream === b.stream ? Number(a.revision) - Number(b.revision) : a.stream < b.stream ? -1 : 1))

const player = randomUUID()
const by = (actor: string) => ({ command: randomUUID(), actor })
function encryptedStoreTestbed() {
  const raw: RecordedEvent[] = []
  const keys = inMemoryPersonKeys()
  const inner = memoryStore(undefined, raw)
  return { raw, keys, inner, store: encryptedStore(inner, keys, personalTextFields, silentLogger) }
}
const create = (store: EventStore, id: string) =>
  handleCommand(store, folderDecider, id, 'create', { player, name: 'Tuesday bullpen' }, by(player))
const rename = (store: EventStore, id: string, name: string) => handleCommand(store, folderDecider, id, 'rename', { name }, by(player))
const nameOf = async (store: EventStore, id: string) => (await loadState(store, folderDecider, id)).name
async function firstBatchOf(store: EventStore) {
  for await (const batch of store.follow(-1n, new AbortController().signal)) return batch
  throw new Error('The log is empty.')
}

testStoreContract('the encrypted log', async () => {
  const { raw, inner, store } = encryptedStoreTestbed()
  return {
    open: () => store,
    plant: async (stream, events) => {
      for (const [i, e] of events.entries())
        raw.push({ ...e, stream, revision: BigInt(i), position: BigInt(raw.length), at: new Date().toISOString() })
      return inner
    },
  }
})

test('texts are unreadable in the log, but its readers get them decrypted', async () => {
  const { raw, store } = encryptedStoreTestbed()
  const id = randomUUID()
  await create(store, id)
  await rename(store, id, 'Front toss')
  expect(JSON.stringify(raw.map(e => e.data))).not.toMatch(/bullpen|toss/)
  expect(raw[0]!.data).toMatchObject({ player, name: null, encrypted: { person: player, paths: ['name'] } })
  const names = ['Tuesday bullpen', 'Front toss']
  expect((await store.read(`folder-${id}`)).map(e => e.data)).toEqual([{ player, name: names[0] }, { name: names[1] }])
  expect((await firstBatchOf(store)).map(e => (e.data as { name: string }).name)).toEqual(names)
})

test('the stored form of a decrypted event can be rebuilt', async () => {
  const { raw, store } = encryptedStoreTestbed()
  const id = randomUUID()
  await create(store, id)
  const [read] = await store.read(`folder-${id}`)
  const encrypted = rememberedEncryptedTextsOf(read!)!
  expect(rebuildEventDataAsStored(read!.data, encrypted)).toStrictEqual(raw[0]!.data)
  expect([encryptedTextsOfData(raw[0]!.data), encryptedTextsOfData(read!.data), encryptedTextsOfData(null)]).toEqual([
    ...[encrypted, undefined, undefined],
  ])
})

test('every text of every sample event is encrypted, and read back unchanged', async () => {
  const { raw, store } = encryptedStoreTestbed()
  for (const [stream, its] of Map.groupBy(samples, e => e.stream)) {
    await store.append(stream, -1n, its)
    expect((await store.read(stream)).map(e => e.data)).toEqual(its.map(e => e.data))
  }
  /** Whether the text at this path is ours and not a person's: price labels, and the statement about the rights to a clip. */
  const ours = (path: string) => /quote\.items|PaymentOpened\.items|ModelClipRightsConfirmed\.statement/.test(path)
  const words = (value: unknown, path: string): string[] =>
    typeof value === 'string'
      ? /\s/.test(value) && !ours(path)
        ? [path]
        : []
      : Object.entries(value ?? {}).flatMap(([key, its]) => words(its, `${path}.${key}`))
  expect([...new Set(raw.flatMap(e => words(e.data, e.type)))]).toEqual([])
})

test('unencrypted events are read unchanged, and new events can follow them', async () => {
  const { raw, inner, store } = encryptedStoreTestbed()
  const id = randomUUID()
  await create(inner, id)
  expect(await nameOf(store, id)).toBe('Tuesday bullpen')
  await rename(encryptedStore(inner, inMemoryPersonKeys(), personalTextFields, silentLogger), id, 'Front toss')
  expect(raw[1]!.data).toMatchObject({ encrypted: { person: player } })
})

test('all texts of a stream are encrypted with the same key, whoever writes them', async () => {
  const { raw, store } = encryptedStoreTestbed()
  const [id, asker, admin] = [randomUUID(), randomUUID(), randomUUID()]
  const asked = { by: asker, requestType: 'question', content: 'How do I pay?', deviceInfo: null, priority: 'low' as const }
  await handleCommand(store, supportRequestDecider, id, 'ask', { ...asked, suggestedSolution: null }, by(asker))
  await handleCommand(store, supportRequestDecider, id, 'answer', { answer: 'With a card.', by: admin }, by(admin))
  expect(raw.map(e => (e.data as { encrypted: { person: string } }).encrypted.person)).toEqual([id, id])
})

test('once its key is destroyed, a text reads as deleted, and new texts are dropped', async () => {
  const { raw, keys, store } = encryptedStoreTestbed()
  const id = randomUUID()
  await create(store, id)
  keys.known.set(player, 'destroyed')
  expect(await nameOf(store, id)).toBe(DELETED_TEXT)
  await rename(store, id, 'Front toss')
  expect(raw[1]!.data).toEqual({ name: null, encrypted: { person: player, paths: ['name'] } })
  expect(keys.known.get(player)).toBe('destroyed')
  expect((await store.read(`folder-${id}`)).map(e => (e.data as { name: string }).name)).toEqual([DELETED_TEXT, DELETED_TEXT])
})

test('a text with a missing or wrong key is replaced by a notice, and this is logged', async () => {
  const { raw, inner, store } = encryptedStoreTestbed()
  const [id, other] = [randomUUID(), randomUUID()]
  await create(store, id)
  await create(store, other)
  raw[1]!.data = raw[0]!.data
  const said: object[] = []
  const log = { ...silentLogger, error: (about: object) => said.push(about) }
  expect(await nameOf(encryptedStore(inner, inMemoryPersonKeys(), personalTextFields, log), id)).toBe(MISSING_KEY_TEXT)
  expect(said).toMatchObject([{ event: raw[0]!.id }])
  // A text that was moved to another event cannot be decrypted.
  expect(await nameOf(store, other)).toBe(MISSING_KEY_TEXT)
})

test('a text that no store can hold is refused before it is encrypted', async () => {
  const { store } = encryptedStoreTestbed()
  await expect(handleCommand(store, folderDecider, randomUUID(), 'create', { player, name: 'nul\u0000' }, by(player))).rejects.toThrow(
    /cannot be saved/,
  )
})

test('texts that earlier versions encrypted can still be read', async () => {
  const { key, event, name } = JSON.parse(readFileSync(join(import.meta.dirname, 'earlier-encrypted-event.json'), 'utf8'))
  const known = new Map([[event.data.encrypted.person, Buffer.from(key, 'hex')]])
  const raw = [{ ...event, position: 0n, revision: 0n }]
  const store = encryptedStore(memoryStore(undefined, raw), inMemoryPersonKeys(known), personalTextFields, silentLogger)
  expect((await store.read(event.stream))[0]!.data).toEqual({ player: event.data.player, name })
})

describe('an encrypted log', () => {
  /** An encrypted log that records which streams it reads from the log below it, and which keys it loads. */
  function watchedStore(maxRememberedStreams?: number) {
    const { keys, inner, store } = encryptedStoreTestbed()
    const reads: string[] = []
    const loads: (readonly string[])[] = []
    let lastRead: RecordedEvent[] = []
    const watchedLog = {
      ...inner,
      async read(stream: string) {
        reads.push(stream)
        lastRead = await inner.read(stream)
        return lastRead
      },
    }
    const isCached = new Set<string>()
    const watchedKeys = {
      ...keys,
      cached: (person: string) => (isCached.has(person) ? keys.cached(person) : undefined),
      load: (people: readonly string[]) => {
        loads.push(people)
        return keys.load(people)
      },
    }
    const watched = encryptedStore(watchedLog, watchedKeys, personalTextFields, silentLogger, maxRememberedStreams)
    return { keys, store, watched, reads, loads, isCached, lastRead: () => lastRead }
  }
  const created = (owner: string) => newTestEvent({ player: owner, name: 'Bullpen' }, { type: 'FolderCreated' })
  const renamed = (name: string) => newTestEvent({ name }, { type: 'FolderRenamed' })
  const streamName = () => `folder-${randomUUID()}`

  test('reads a stream to find its person only if that person is not known', async () => {
    const { store, watched, reads } = watchedStore()
    const [own, other] = [streamName(), streamName()]
    await watched.append(own, -1n, [created(player)])
    await watched.append(own, 0n, [renamed('Front toss')])
    expect(reads).toEqual([])
    await store.append(other, -1n, [created(player)])
    await watched.append(other, 0n, [renamed('Front toss')])
    await watched.append(other, 1n, [renamed('Tee work')])
    expect(reads).toEqual([other])
    expect((await store.read(other)).map(e => (e.data as { name: string }).name)).toEqual(['Bullpen', 'Front toss', 'Tee work'])
  })

  test('remembers the person of a stream that was read', async () => {
    const { store, watched, reads } = watchedStore()
    const stream = streamName()
    await store.append(stream, -1n, [created(player)])
    await watched.read(stream)
    await watched.append(stream, 0n, [renamed('Front toss')])
    expect(reads).toEqual([stream])
  })

  test('remembers the people of the most recently used streams', async () => {
    const { watched, reads } = watchedStore(2)
    const [first, second, third] = [streamName(), streamName(), streamName()]
    for (const stream of [first, second]) await watched.append(stream, -1n, [created(player)])
    await watched.read(first)
    await watched.append(third, -1n, [created(player)])
    reads.length = 0
    for (const stream of [first, third, second]) await watched.append(stream, 0n, [renamed('Front toss')])
    expect(reads).toEqual([second])
  })

  test('loads all keys that are not cached together, each only once', async () => {
    const { keys, watched, loads, isCached } = watchedStore()
    const [cached, one, other] = [randomUUID(), randomUUID(), randomUUID()]
    for (const owner of [one, cached, other, one]) await watched.append(streamName(), -1n, [created(owner)])
    isCached.add(cached)
    const names = async () => (await firstBatchOf(watched)).map(e => (e.data as { name: string }).name)
    expect([await names(), loads]).toEqual([Array(4).fill('Bullpen'), [[one, other]]])
    for (const owner of keys.known.keys()) isCached.add(owner)
    expect([await names(), loads.length]).toEqual([Array(4).fill('Bullpen'), 1])
  })

  test('creates no key for events without texts, and returns them unchanged', async () => {
    const { keys, watched, lastRead } = watchedStore()
    const [folder, team] = [streamName(), 'team-a']
    const [archived, unknown] = [newTestEvent({}, { type: 'FolderArchived' }), newTestEvent({ name: 'A' }, { type: 'FolderPainted' })]
    await watched.append(folder, -1n, [archived, unknown])
    await watched.append(team, -1n, [newTestEvent({ name: 'A' })])
    expect(keys.known.size).toBe(0)
    expect((await watched.read(folder)).map(e => e.data)).toEqual([{}, { name: 'A' }])
    expect(await watched.read(team)).toBe(lastRead())
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import { voiceUploads } from '../../../modules/media/voice-uploads.ts'

const BYTES = 20

/** Creates a store whose reads wait for the test to release them. It records the largest number of recordings in memory at one time. */
function store(failing = false) {
  const kept = new Set<string>()
  const reading: (() => void)[] = []
  let inMemory = 0
  let mostInMemory = 0
  const objects = {
    head: async (key: string) => (key.startsWith('voices/') || kept.has(key) ? { bytes: BYTES, type: 'audio/ogg' } : null),
    read: async () => {
      mostInMemory = Math.max(mostInMemory, ++inMemory)
      await new Promise<void>(done => reading.push(done))
      if (failing) inMemory--
      if (failing) throw new Error('unavailable')
      return new Uint8Array([...Buffer.from('OggS'), ...Array(BYTES - 4).fill(0)])
    },
    put: async (key: string) => {
      inMemory--
      kept.add(key)
    },
  }
  return { objects: objects as unknown as ObjectStore, kept, reading, mostInMemory: () => mostInMemory }
}
const newRecording = () => ({ id: randomUUID(), bytes: BYTES, type: 'audio/ogg' as const })
const nextTurn = () => new Promise(setImmediate)

test('concurrent deliveries check two recordings at a time, and all get their turn', async () => {
  const { objects, kept, reading, mostInMemory } = store()
  const all = Array.from({ length: 12 }, () => voiceUploads(objects).keep(randomUUID(), newRecording(), 'delivered'))
  for (let i = 0; i < 12; i++) {
    while (!reading.length) await nextTurn()
    reading.shift()!()
  }
  expect(await Promise.all(all)).toEqual(Array(12).fill(true))
  expect([kept.size, mostInMemory()]).toEqual([12, 2])
})

test('failing reads from an unavailable store do not block later checks', async () => {
  const unavailable = store(true)
  const failed = Array.from({ length: 5 }, () =>
    voiceUploads(unavailable.objects)
      .keep(randomUUID(), newRecording(), 'delivered')
      .catch((e: Error) => e.message),
  )
  for (let i = 0; i < 5; i++) {
    while (!unavailable.reading.length) await nextTurn()
    unavailable.reading.shift()!()
  }
  expect(await Promise.all(failed)).toEqual(Array(5).fill('unavailable'))
  const { objects, reading } = store()
  const next = voiceUploads(objects).keep(randomUUID(), newRecording(), 'delivered')
  while (!reading.length) await nextTurn()
  reading.shift()!()
  expect(await next).toBe(true)
})

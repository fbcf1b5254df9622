import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import { voiceUploads } from '../../../modules/media/voice-uploads.ts'

const BYTES = 20

/** A store whose reads wait until the test releases them; it counts how many recordings are in memory at once. */
function store(failing = false) {
  const kept = new Set<string>()
  const reading: (() => void)[] = []
  let held = 0
  let most = 0
  const objects = {
    head: async (key: string) => (key.startsWith('voices/') || kept.has(key) ? { bytes: BYTES, type: 'audio/ogg' } : null),
    read: async () => {
      most = Math.max(most, ++held)
      await new Promise<void>(done => reading.push(done))
      if (failing) held--
      if (failing) throw new Error('away')
      return new Uint8Array([...Buffer.from('OggS'), ...Array(BYTES - 4).fill(0)])
    },
    put: async (key: string) => {
      held--
      kept.add(key)
    },
  }
  return { objects: objects as unknown as ObjectStore, kept, reading, most: () => most }
}
const said = () => ({ id: randomUUID(), bytes: BYTES, type: 'audio/ogg' as const })
const turn = () => new Promise(setImmediate)

test('concurrent deliveries check two recordings at a time, and each gets its turn', async () => {
  const { objects, kept, reading, most } = store()
  const all = Array.from({ length: 12 }, () => voiceUploads(objects).keep(randomUUID(), said(), 'delivered'))
  for (let i = 0; i < 12; i++) {
    while (!reading.length) await turn()
    reading.shift()!()
  }
  expect(await Promise.all(all)).toEqual(Array(12).fill(true))
  expect([kept.size, most()]).toEqual([12, 2])
})

test('an unavailable store uses up no turn', async () => {
  const away = store(true)
  const failed = Array.from({ length: 5 }, () =>
    voiceUploads(away.objects)
      .keep(randomUUID(), said(), 'delivered')
      .catch((e: Error) => e.message),
  )
  for (let i = 0; i < 5; i++) {
    while (!away.reading.length) await turn()
    away.reading.shift()!()
  }
  expect(await Promise.all(failed)).toEqual(Array(5).fill('away'))
  const { objects, reading } = store()
  const next = voiceUploads(objects).keep(randomUUID(), said(), 'delivered')
  while (!reading.length) await turn()
  reading.shift()!()
  expect(await next).toBe(true)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import { createDraft, type Saved, type Stored } from '../../src/draft/draft.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const MINUTE = 60_000
const note = (number: number) => (draft: Draft) => ({
  ...draft,
  notes: [...draft.notes, { id: `n${number}`, video: 'swing', at: 0, kind: 'tip' as const, text: `Note ${number}` }],
})

test('twenty minutes without a line: one sentence all the while, a try every few seconds, and then all of it is online', async () => {
  let server: Stored = { revision: 0, draft: null }
  let off = false
  let tries = 0
  let device: Draft | undefined
  const keeper = createDraft({
    get: async () => structuredClone(server),
    put: async (revision, draft) => {
      if (off) {
        tries++
        throw new TypeError('Failed to fetch')
      }
      server = { revision: revision + 1, draft: structuredClone(draft) }
      return { revision: server.revision }
    },
    copies: async () => [],
    keep: copy => {
      device = copy?.current
    },
    tell: () => {},
    wait: (later, then) => {
      const timer = setTimeout(then, later)
      return () => clearTimeout(timer)
    },
  })
  await keeper.load()
  const told: Saved[] = []
  keeper.$saved.listen(saved => told.push(saved))
  off = true
  for (let number = 1; number <= 20; number++) {
    keeper.change(note(number))
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(device?.notes).toHaveLength(number)
  }
  expect(told).toEqual(['typing', 'saving', 'kept'])
  // It goes on trying, and does not hammer.
  expect(tries / 20).toBeGreaterThan(5)
  expect(tries / 20).toBeLessThan(20)
  expect(server.revision).toBe(0)

  off = false
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.draft?.notes.map(n => n.text)).toEqual(Array.from({ length: 20 }, (_, i) => `Note ${i + 1}`))
  expect(told.at(-1)).toBe('saved')
  expect([server.revision, device]).toEqual([1, undefined])
  // From here on it says again what it does.
  keeper.change(note(21))
  await vi.advanceTimersByTimeAsync(1000)
  expect(told.slice(-3)).toEqual(['typing', 'saving', 'saved'])
})

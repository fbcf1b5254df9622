import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import { createAutosavedDraft, type SaveState, type ServerDraft } from '../../src/draft/autosaved-draft.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const MINUTE_MS = 60_000
const note = (number: number) => (draft: Draft) => ({
  ...draft,
  notes: [...draft.notes, { id: `n${number}`, video: 'swing', at: 0, kind: 'tip' as const, text: `Note ${number}` }],
})

test('a draft offline for 20 minutes shows one message and later saves everything', async () => {
  let server: ServerDraft = { revision: 0, draft: null }
  let isOffline = false
  let attempts = 0
  let device: Draft | undefined
  const autosavedDraft = createAutosavedDraft({
    fetchDraft: async () => structuredClone(server),
    saveDraft: async (revision, draft) => {
      if (isOffline) {
        attempts++
        throw new TypeError('Failed to fetch')
      }
      server = { revision: revision + 1, draft: structuredClone(draft) }
      return { revision: server.revision }
    },
    loadCopies: async () => [],
    writeCopy: copy => {
      device = copy?.current
    },
    announceRevision: () => {},
    schedule: (delay, then) => {
      const timer = setTimeout(then, delay)
      return () => clearTimeout(timer)
    },
  })
  await autosavedDraft.load()
  const states: SaveState[] = []
  autosavedDraft.$saveState.listen(saved => states.push(saved))
  isOffline = true
  for (let number = 1; number <= 20; number++) {
    autosavedDraft.change(note(number))
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    expect(device?.notes).toHaveLength(number)
  }
  expect(states).toEqual(['typing', 'saving', 'retrying'])
  // The draft retries every few seconds: 5 to 20 times a minute.
  expect(attempts / 20).toBeGreaterThan(5)
  expect(attempts / 20).toBeLessThan(20)
  expect(server.revision).toBe(0)

  isOffline = false
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.draft?.notes.map(n => n.text)).toEqual(Array.from({ length: 20 }, (_, i) => `Note ${i + 1}`))
  expect(states.at(-1)).toBe('saved')
  expect([server.revision, device]).toEqual([1, undefined])
  // Back online, each change passes through every save state again.
  autosavedDraft.change(note(21))
  await vi.advanceTimersByTimeAsync(1000)
  expect(states.slice(-3)).toEqual(['typing', 'saving', 'saved'])
})

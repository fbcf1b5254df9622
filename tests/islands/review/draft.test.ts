import { beforeEach, describe, expect, it } from 'vitest'
import type { Draft } from '../../../modules/folders/contract.ts'
import { ApiError } from '../../../src/client/api.ts'
import { createDraft, type Shelf, type Stored } from '../../../src/islands/review/draft.ts'

/** One server, and a shelf for each tab or device that talks to it. */
let server: Stored
let broken: Error | undefined
beforeEach(() => {
  server = { revision: 0, draft: null }
  broken = undefined
})
const devices = new Map<string, string | null>()

function tab(device: string) {
  const due: (() => void)[] = []
  const shelf: Shelf = {
    get: async () => {
      if (broken) throw broken
      return structuredClone(server)
    },
    put: async (revision, draft) => {
      if (broken) throw broken
      if (revision !== server.revision) throw new ApiError('changed', 409, 'draft-changed')
      server = { revision: revision + 1, draft: structuredClone(draft) }
      return { revision: server.revision }
    },
    copy: () => JSON.parse(devices.get(device) ?? 'null'),
    keep: copy => devices.set(device, copy && JSON.stringify(copy)),
    tell: () => {},
    wait: (_, then) => {
      due.push(then)
      return () => due.splice(due.indexOf(then), 1)
    },
  }
  return Object.assign(createDraft(shelf), { due })
}
const summary = (text: string) => (draft: Draft) => ({ ...draft, summary: text })
const note = (id: string, text: string) => (draft: Draft) => ({
  ...draft,
  notes: [...draft.notes, { id, video: 'v', at: 0, kind: 'tip' as const, text }],
})

describe('a draft', () => {
  it('saves itself, and leaves nothing behind on the device', async () => {
    const one = tab('a')
    await one.load()
    one.change(summary('Good'))
    expect(one.$saved.get()).toBe('typing')
    expect(devices.get('a')).toContain('Good')
    await one.save()
    expect(server).toEqual({ revision: 1, draft: { notes: [], summary: 'Good', grades: [] } })
    expect(one.$saved.get()).toBe('saved')
    expect(devices.get('a')).toBeNull()
  })

  it('survives a reload without a connection', async () => {
    const one = tab('b')
    await one.load()
    broken = new TypeError('Failed to fetch')
    one.change(summary('Typed in the dugout'))
    await one.save()
    expect(one.$saved.get()).toBe('kept')
    broken = undefined
    const again = tab('b')
    await again.load()
    expect(again.$draft.get().summary).toBe('Typed in the dugout')
    expect(server.draft?.summary).toBe('Typed in the dugout')
  })

  it('goes on by itself when the connection is back', async () => {
    const one = tab('c')
    await one.load()
    broken = new TypeError('Failed to fetch')
    one.change(summary('Hello'))
    await one.save()
    broken = undefined
    one.due.at(-1)!()
    await expect.poll(() => one.$saved.get()).toBe('saved')
    expect(server.draft?.summary).toBe('Hello')
  })

  it('joins two tabs that write at once', async () => {
    const one = tab('d')
    const two = tab('e')
    await one.load()
    await two.load()
    one.change(note('1', 'From one'))
    two.change(note('2', 'From two'))
    await one.save()
    await two.save()
    expect(two.$joined.get()).toBe(true)
    expect(server.draft?.notes.map(n => n.text)).toEqual(['From two', 'From one'])
    await one.heard(server.revision)
    expect(one.$draft.get().notes).toHaveLength(2)
    expect(one.$joined.get()).toBe(false)
  })

  it('sends what was typed while it was saving', async () => {
    const one = tab('f')
    await one.load()
    one.change(summary('a'))
    const saving = one.save()
    one.change(summary('ab'))
    await saving
    expect(server.draft?.summary).toBe('ab')
  })

  it('says so when the server will not take it anymore, and keeps the text', async () => {
    const one = tab('g')
    await one.load()
    broken = new ApiError('This feedback is delivered.', 409, 'delivered')
    one.change(summary('Too late'))
    await one.save()
    expect(one.$saved.get()).toBe('stopped')
    expect(one.$problem.get()).toBe('This feedback is delivered.')
    expect(devices.get('g')).toContain('Too late')
  })

  it('keeps on trying after a session that ended', async () => {
    const one = tab('h')
    await one.load()
    broken = new ApiError('Sign in to go on.', 401, 'signed-out')
    one.change(summary('Long text'))
    await one.save()
    expect(one.$saved.get()).toBe('kept')
    broken = undefined
    await one.save()
    expect(server.draft?.summary).toBe('Long text')
  })
})

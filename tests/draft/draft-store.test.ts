import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import { ApiError } from '../../src/client/api.ts'
import { createDraftStore, type DraftStorage, type ServerDraft } from '../../src/draft/draft-store.ts'

/** One server; `tab` gives each tab of a device its own storage. */
let server: ServerDraft
let broken: Error | undefined
beforeEach(() => {
  server = { revision: 0, draft: null }
  broken = undefined
})
/** The copies on each device, by tab. */
const devices = new Map<string, Map<number, string>>()
const kept = (device: string) => [...(devices.get(device)?.values() ?? [])].join()
const alive = new Set<number>()
let tabs = 0

function tab(device: string) {
  const due: (() => void)[] = []
  const me = ++tabs
  let adopted: number[] = []
  alive.add(me)
  const copies = devices.get(device) ?? new Map<number, string>()
  devices.set(device, copies)
  const storage: DraftStorage = {
    fetchDraft: async () => {
      if (broken) throw broken
      return structuredClone(server)
    },
    saveDraft: async (revision, draft) => {
      if (broken) throw broken
      if (revision !== server.revision) throw new ApiError('changed', 409, 'draft-changed')
      server = { revision: revision + 1, draft: structuredClone(draft) }
      return { revision: server.revision }
    },
    loadCopies: async () => {
      const left = [...copies].filter(([its]) => !alive.has(its))
      adopted = left.map(([its]) => its)
      return left.map(([, copy]) => JSON.parse(copy))
    },
    writeCopy(copy) {
      if (copy) copies.set(me, JSON.stringify(copy))
      else copies.delete(me)
      for (const its of adopted.splice(0)) copies.delete(its)
    },
    announceRevision: () => {},
    onDraftGone: vi.fn(),
    schedule: (_, then) => {
      due.push(then)
      return () => due.splice(due.indexOf(then), 1)
    },
  }
  const draft = createDraftStore(storage)
  return Object.assign(draft, {
    due,
    ended: storage.onDraftGone!,
    kill: () => {
      alive.delete(me)
      draft.stop()
    },
  })
}
const summary = (text: string) => (draft: Draft) => ({ ...draft, summary: text })
const note = (id: string, text: string) => (draft: Draft) => ({
  ...draft,
  notes: [...draft.notes, { id, video: 'v', at: 0, kind: 'tip' as const, text }],
})

describe('a draft', () => {
  it('saves itself and then deletes its copy on the device', async () => {
    const one = tab('a')
    await one.load()
    one.change(summary('Good'))
    expect(one.$saveState.get()).toBe('typing')
    expect(kept('a')).toContain('Good')
    await one.save()
    expect(server).toEqual({ revision: 1, draft: { notes: [], summary: 'Good', grades: [] } })
    expect(one.$saveState.get()).toBe('saved')
    expect(kept('a')).toBe('')
  })

  it('survives a reload without a connection', async () => {
    const one = tab('b')
    await one.load()
    broken = new TypeError('Failed to fetch')
    one.change(summary('Typed in the dugout'))
    await one.save()
    expect(one.$saveState.get()).toBe('kept')
    broken = undefined
    one.kill()
    const again = tab('b')
    await again.load()
    expect(again.$draft.get().summary).toBe('Typed in the dugout')
    expect(server.draft?.summary).toBe('Typed in the dugout')
  })

  it('saves by itself when the connection is back', async () => {
    const one = tab('c')
    await one.load()
    broken = new TypeError('Failed to fetch')
    one.change(summary('Hello'))
    await one.save()
    broken = undefined
    one.due.at(-1)!()
    await expect.poll(() => one.$saveState.get()).toBe('saved')
    expect(server.draft?.summary).toBe('Hello')
  })

  it('merges the changes of two tabs', async () => {
    const one = tab('d')
    const two = tab('e')
    await one.load()
    await two.load()
    one.change(note('1', 'From one'))
    two.change(note('2', 'From two'))
    await one.save()
    await two.save()
    expect(two.$wasMerged.get()).toBe(true)
    expect(server.draft?.notes.map(n => n.text)).toEqual(['From two', 'From one'])
    await one.onRevisionElsewhere(server.revision)
    expect(one.$draft.get().notes).toHaveLength(2)
    expect(one.$wasMerged.get()).toBe(false)
  })

  it('saves again what was typed during a save', async () => {
    const one = tab('f')
    await one.load()
    one.change(summary('a'))
    const saving = one.save()
    one.change(summary('ab'))
    await saving
    expect(server.draft?.summary).toBe('ab')
  })

  it('reports a draft that the server refuses, and keeps its text', async () => {
    const one = tab('g')
    await one.load()
    broken = new ApiError('This feedback is delivered.', 409, 'delivered')
    one.change(summary('Too late'))
    await one.save()
    expect(one.$saveState.get()).toBe('stopped')
    expect(one.$problem.get()).toBe('This feedback is delivered.')
    expect(kept('g')).toContain('Too late')
  })

  it('keeps trying after the login session expired', async () => {
    const one = tab('h')
    await one.load()
    broken = new ApiError('Sign in to continue.', 401, 'signed-out')
    one.change(summary('Long text'))
    await one.save()
    expect(one.$saveState.get()).toBe('kept')
    broken = undefined
    await one.save()
    expect(server.draft?.summary).toBe('Long text')
  })

  it('adopts the copy of a killed tab and leaves an open tab’s copy alone', async () => {
    const [one, two] = [tab('i'), tab('i')]
    await one.load()
    await two.load()
    broken = new TypeError('Failed to fetch')
    one.change(note('1', 'In the first tab'))
    two.change(note('2', 'In the second tab'))
    await Promise.all([one.save(), two.save()])
    one.kill()
    broken = undefined
    const third = tab('i')
    await third.load()
    expect(third.$draft.get().notes.map(n => n.text)).toEqual(['In the first tab'])
    expect(kept('i')).toContain('In the second tab')
    await two.save()
    expect(server.draft?.notes.map(n => n.text).sort()).toEqual(['In the first tab', 'In the second tab'])
    expect(kept('i')).toBe('')
  })

  it('loads what another device saved when the page is shown again', async () => {
    const [desk, tablet] = [tab('j'), tab('k')]
    await desk.load()
    await tablet.load()
    tablet.change(summary('On the tablet'))
    await tablet.save()
    await desk.onRevisionElsewhere()
    expect(desk.$draft.get().summary).toBe('On the tablet')
  })

  it('keeps the text of this tab when the review was delivered elsewhere', async () => {
    const one = tab('l')
    await one.load()
    one.change(summary('All of it'))
    await one.save()
    server = { revision: 0, draft: null }
    expect(one.ended).not.toHaveBeenCalled()
    await one.onRevisionElsewhere()
    expect(one.$draft.get().summary).toBe('All of it')
    expect(one.ended).toHaveBeenCalledOnce()
    // Nor does it go there anymore.
    broken = new ApiError('Delivered', 409, 'delivered')
    one.change(summary('Too late'))
    await one.save()
    expect(one.$saveState.get()).toBe('stopped')
    expect(one.$draft.get().summary).toBe('Too late')
    expect(one.ended).toHaveBeenCalledTimes(2)
  })

  it('loses no text under any sequence of events in tabs, devices and network', async () => {
    const step = fc.oneof(
      fc.record({ is: fc.constant('write' as const), who: fc.nat(3) }),
      fc.record({ is: fc.constant('save' as const), who: fc.nat(3) }),
      fc.record({ is: fc.constant('kill' as const), who: fc.nat(3) }),
      fc.record({ is: fc.constant('look' as const), who: fc.nat(3) }),
      fc.record({ is: fc.constantFrom('break' as const, 'end the session' as const, 'mend' as const), who: fc.constant(0) }),
    )
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
        server = { revision: 0, draft: null }
        broken = undefined
        const name = `run ${++run}`
        // Two tabs on each of two devices.
        const device = (who: number) => `${name} ${who % 2}`
        const open = Array.from({ length: 4 }, (_, who) => tab(device(who)))
        for (const its of open) await its.load()
        const written: string[] = []
        for (const { is, who } of steps) {
          const its = open[who]!
          if (is === 'write') {
            const words = `Words ${written.length}.`
            written.push(words)
            its.change(written.length % 2 ? note(`n${written.length}`, words) : d => ({ ...d, summary: `${d.summary}${words}` }))
          } else if (is === 'save') await its.save()
          else if (is === 'look') await its.onRevisionElsewhere()
          else if (is === 'kill') {
            its.kill()
            open[who] = tab(device(who))
            const came = await open[who].load().then(
              () => true,
              () => false,
            )
            // Without a connection nothing can be saved; a save is retried when it is back.
            if (!came) {
              broken = undefined
              await open[who].load()
            }
          } else broken = is === 'mend' ? undefined : is === 'break' ? new TypeError('Failed to fetch') : new ApiError('Sign in', 401)
        }
        broken = undefined
        for (const its of open) await its.save()
        const text = [server.draft?.summary ?? '', ...(server.draft?.notes ?? []).map(n => n.text)].join(' ')
        expect(written.filter(words => !text.includes(words))).toEqual([])
        expect(kept(device(0)) + kept(device(1))).toBe('')
        for (const its of open) its.kill()
      }),
      { numRuns: 150 },
    )
  })
})

import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import { ApiError } from '../../src/client/api.ts'
import { createDraft, type Shelf, type Stored } from '../../src/draft/draft.ts'

/** One server, and a shelf for each tab of the devices that talk to it. */
let server: Stored
let broken: Error | undefined
beforeEach(() => {
  server = { revision: 0, draft: null }
  broken = undefined
})
/** What each device keeps, by tab. */
const devices = new Map<string, Map<number, string>>()
const kept = (device: string) => [...(devices.get(device)?.values() ?? [])].join()
const alive = new Set<number>()
let tabs = 0

function tab(device: string) {
  const due: (() => void)[] = []
  const me = ++tabs
  let inherited: number[] = []
  alive.add(me)
  const copies = devices.get(device) ?? new Map<number, string>()
  devices.set(device, copies)
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
    copies: async () => {
      const left = [...copies].filter(([its]) => !alive.has(its))
      inherited = left.map(([its]) => its)
      return left.map(([, copy]) => JSON.parse(copy))
    },
    keep(copy) {
      if (copy) copies.set(me, JSON.stringify(copy))
      else copies.delete(me)
      for (const its of inherited.splice(0)) copies.delete(its)
    },
    tell: () => {},
    ended: vi.fn(),
    wait: (_, then) => {
      due.push(then)
      return () => due.splice(due.indexOf(then), 1)
    },
  }
  const draft = createDraft(shelf)
  return Object.assign(draft, {
    due,
    ended: shelf.ended!,
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
  it('saves itself, and leaves nothing behind on the device', async () => {
    const one = tab('a')
    await one.load()
    one.change(summary('Good'))
    expect(one.$saved.get()).toBe('typing')
    expect(kept('a')).toContain('Good')
    await one.save()
    expect(server).toEqual({ revision: 1, draft: { notes: [], summary: 'Good', grades: [] } })
    expect(one.$saved.get()).toBe('saved')
    expect(kept('a')).toBe('')
  })

  it('survives a reload without a connection', async () => {
    const one = tab('b')
    await one.load()
    broken = new TypeError('Failed to fetch')
    one.change(summary('Typed in the dugout'))
    await one.save()
    expect(one.$saved.get()).toBe('kept')
    broken = undefined
    one.kill()
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
    expect(kept('g')).toContain('Too late')
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

  it('of two tabs on a device, what the killed one left is taken over and the living one is left alone', async () => {
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

  it('what was written on another device is there when somebody looks here again', async () => {
    const [desk, tablet] = [tab('j'), tab('k')]
    await desk.load()
    await tablet.load()
    tablet.change(summary('On the tablet'))
    await tablet.save()
    await desk.heard()
    expect(desk.$draft.get().summary).toBe('On the tablet')
  })

  it('a review that was delivered elsewhere does not empty this tab', async () => {
    const one = tab('l')
    await one.load()
    one.change(summary('All of it'))
    await one.save()
    server = { revision: 0, draft: null }
    expect(one.ended).not.toHaveBeenCalled()
    await one.heard()
    expect(one.$draft.get().summary).toBe('All of it')
    expect(one.ended).toHaveBeenCalledOnce()
    // Nor does it go there anymore.
    broken = new ApiError('Delivered', 409, 'delivered')
    one.change(summary('Too late'))
    await one.save()
    expect(one.$saved.get()).toBe('stopped')
    expect(one.$draft.get().summary).toBe('Too late')
    expect(one.ended).toHaveBeenCalledTimes(2)
  })

  it('whatever tabs, devices, lines and servers do: nothing that was written is lost', async () => {
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
          else if (is === 'look') await its.heard()
          else if (is === 'kill') {
            its.kill()
            open[who] = tab(device(who))
            const came = await open[who].load().then(
              () => true,
              () => false,
            )
            // Without a line nobody can write; they come again when it is back.
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

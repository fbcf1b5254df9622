import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import { ApiError } from '../../src/client/api.ts'
import { createAutosavedDraft, type DraftStorage, type ServerDraft } from '../../src/draft/autosaved-draft.ts'

/** The draft on the server, which all tabs share. */
let server: ServerDraft
/** The error with which every request fails; undefined while the connection works. */
let requestError: Error | undefined
/** Whether the server saves drafts, but its responses do not arrive. */
let losesResponses = false
beforeEach(() => {
  server = { revision: 0, draft: null }
  requestError = undefined
  losesResponses = false
})
/** The unsaved copies on each device, by the number of their tab. */
const devices = new Map<string, Map<number, string>>()
const copiesOn = (device: string) => [...(devices.get(device)?.values() ?? [])].join()
const openTabs = new Set<number>()
let tabCount = 0

/** A draft store in a new tab of a device; `kill` closes the tab without saving. */
function tab(device: string) {
  const scheduled: (() => void)[] = []
  const ownNumber = ++tabCount
  let adopted: number[] = []
  openTabs.add(ownNumber)
  const copies = devices.get(device) ?? new Map<number, string>()
  devices.set(device, copies)
  const storage: DraftStorage = {
    fetchDraft: async () => {
      if (requestError) throw requestError
      return structuredClone(server)
    },
    saveDraft: async (revision, draft) => {
      if (requestError) throw requestError
      if (revision !== server.revision) throw new ApiError('changed', 409, 'draft-changed')
      server = { revision: revision + 1, draft: structuredClone(draft) }
      if (losesResponses) throw new TypeError('Failed to fetch')
      return { revision: server.revision }
    },
    loadCopies: async () => {
      const copiesOfClosedTabs = [...copies].filter(([number]) => !openTabs.has(number))
      adopted = copiesOfClosedTabs.map(([number]) => number)
      return copiesOfClosedTabs.map(([, copy]) => JSON.parse(copy))
    },
    writeCopy(copy) {
      if (copy) copies.set(ownNumber, JSON.stringify(copy))
      else copies.delete(ownNumber)
      for (const number of adopted.splice(0)) copies.delete(number)
    },
    announceRevision: () => {},
    onDraftGone: vi.fn(),
    schedule: (_, then) => {
      scheduled.push(then)
      return () => scheduled.splice(scheduled.indexOf(then), 1)
    },
  }
  const draft = createAutosavedDraft(storage)
  return Object.assign(draft, {
    scheduled,
    onDraftGone: storage.onDraftGone!,
    kill: () => {
      openTabs.delete(ownNumber)
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
  it('does not retry a save that fails after the draft was closed', async () => {
    const a = tab('laptop')
    await a.load()
    a.change(draft => ({ ...draft, summary: 'Late hands.' }))
    requestError = new TypeError('Failed to fetch')
    const saving = a.save()
    a.stop()
    await saving
    expect([a.scheduled, a.$saveState.get()]).toEqual([[], 'retrying'])
  })
  it('is saved on the server, and its copy on the device is deleted', async () => {
    const one = tab('a')
    await one.load()
    one.change(summary('Good'))
    expect(one.$saveState.get()).toBe('typing')
    expect(copiesOn('a')).toContain('Good')
    await one.save()
    expect(server).toEqual({ revision: 1, draft: { notes: [], summary: 'Good', grades: [] } })
    expect(one.$saveState.get()).toBe('saved')
    expect(copiesOn('a')).toBe('')
  })

  it('survives a reload without a connection', async () => {
    const one = tab('b')
    await one.load()
    requestError = new TypeError('Failed to fetch')
    one.change(summary('Typed in the dugout'))
    await one.save()
    expect(one.$saveState.get()).toBe('retrying')
    requestError = undefined
    one.kill()
    const again = tab('b')
    await again.load()
    expect(again.$draft.get().summary).toBe('Typed in the dugout')
    expect(server.draft?.summary).toBe('Typed in the dugout')
  })

  it('keeps the copy of a closed tab when a page that failed to load is hidden', async () => {
    const one = tab('b2')
    await one.load()
    requestError = new TypeError('Failed to fetch')
    one.change(summary('Typed in the dugout'))
    await one.save()
    one.kill()
    const again = tab('b2')
    await expect(again.load()).rejects.toBe(requestError)
    // The page saves whenever it is hidden.
    await again.save()
    expect([again.$saveState.get(), copiesOn('b2')]).toEqual(['loading', expect.stringContaining('Typed in the dugout')])
    requestError = undefined
    await again.load()
    expect(server.draft?.summary).toBe('Typed in the dugout')
  })

  it('is not merged with its own version whose response was lost', async () => {
    const one = tab('c2')
    await one.load()
    losesResponses = true
    one.change(summary('Keep your hands back.'))
    await one.save()
    losesResponses = false
    requestError = new TypeError('Failed to fetch')
    one.change(summary('Keep your hand back.'))
    await one.save()
    requestError = undefined
    one.change(summary('Keep your hand back!'))
    await one.save()
    expect([one.$draft.get().summary, server.draft?.summary]).toEqual(['Keep your hand back!', 'Keep your hand back!'])
    expect([one.$saveState.get(), one.$wasMerged.get()]).toEqual(['saved', false])
  })

  it('stays undone when the response to the undone version was lost', async () => {
    const one = tab('c3')
    await one.load()
    losesResponses = true
    one.change(note('1', 'A mistake'))
    await one.save()
    losesResponses = false
    one.change(draft => ({ ...draft, notes: [] }))
    await one.save()
    expect([one.$draft.get().notes, server.draft?.notes]).toEqual([[], []])
  })

  it('is saved automatically when the connection is back', async () => {
    const one = tab('c')
    await one.load()
    requestError = new TypeError('Failed to fetch')
    one.change(summary('Hello'))
    await one.save()
    requestError = undefined
    one.scheduled.at(-1)!()
    await expect.poll(() => one.$saveState.get()).toBe('saved')
    expect(server.draft?.summary).toBe('Hello')
  })

  it('contains the changes of two tabs', async () => {
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

  it('contains text that was typed during a save', async () => {
    const one = tab('f')
    await one.load()
    one.change(summary('a'))
    const saving = one.save()
    one.change(summary('ab'))
    await saving
    expect(server.draft?.summary).toBe('ab')
  })

  it('keeps its text when the server refuses it, and shows the reason', async () => {
    const one = tab('g')
    await one.load()
    requestError = new ApiError('This feedback is delivered.', 409, 'delivered')
    one.change(summary('Too late'))
    await one.save()
    expect(one.$saveState.get()).toBe('stopped')
    expect(one.$problem.get()).toBe('This feedback is delivered.')
    expect(copiesOn('g')).toContain('Too late')
  })

  it('keeps its text while the login session is expired, and is saved later', async () => {
    const one = tab('h')
    await one.load()
    requestError = new ApiError('Sign in to continue.', 401, 'signed-out')
    one.change(summary('Long text'))
    await one.save()
    expect(one.$saveState.get()).toBe('retrying')
    requestError = undefined
    await one.save()
    expect(server.draft?.summary).toBe('Long text')
  })

  it('takes over the copy of a closed tab, but not the copy of an open tab', async () => {
    const [one, two] = [tab('i'), tab('i')]
    await one.load()
    await two.load()
    requestError = new TypeError('Failed to fetch')
    one.change(note('1', 'In the first tab'))
    two.change(note('2', 'In the second tab'))
    await Promise.all([one.save(), two.save()])
    one.kill()
    requestError = undefined
    const third = tab('i')
    await third.load()
    expect(third.$draft.get().notes.map(n => n.text)).toEqual(['In the first tab'])
    expect(copiesOn('i')).toContain('In the second tab')
    await two.save()
    expect(server.draft?.notes.map(n => n.text).sort()).toEqual(['In the first tab', 'In the second tab'])
    expect(copiesOn('i')).toBe('')
  })

  it('shows what another device saved when its page becomes visible again', async () => {
    const [desk, tablet] = [tab('j'), tab('k')]
    await desk.load()
    await tablet.load()
    tablet.change(summary('On the tablet'))
    await tablet.save()
    await desk.onRevisionElsewhere()
    expect(desk.$draft.get().summary).toBe('On the tablet')
  })

  it('keeps the text of this tab when another tab delivers the review', async () => {
    const one = tab('l')
    await one.load()
    one.change(summary('All of it'))
    await one.save()
    server = { revision: 0, draft: null }
    expect(one.onDraftGone).not.toHaveBeenCalled()
    await one.onRevisionElsewhere()
    expect(one.$draft.get().summary).toBe('All of it')
    expect(one.onDraftGone).toHaveBeenCalledOnce()
    // Later changes are refused, and stay in this tab.
    requestError = new ApiError('Delivered', 409, 'delivered')
    one.change(summary('Too late'))
    await one.save()
    expect(one.$saveState.get()).toBe('stopped')
    expect(one.$draft.get().summary).toBe('Too late')
    expect(one.onDraftGone).toHaveBeenCalledTimes(2)
  })

  it('loses no text in any sequence of edits, crashes and outages in four tabs', async () => {
    const step = fc.oneof(
      fc.record({ is: fc.constant('write' as const), who: fc.nat(3) }),
      fc.record({ is: fc.constant('save' as const), who: fc.nat(3) }),
      fc.record({ is: fc.constant('kill' as const), who: fc.nat(3) }),
      fc.record({ is: fc.constant('look' as const), who: fc.nat(3) }),
      fc.record({
        is: fc.constantFrom('break' as const, 'end the session' as const, 'lose responses' as const, 'mend' as const),
        who: fc.constant(0),
      }),
    )
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
        server = { revision: 0, draft: null }
        requestError = undefined
        losesResponses = false
        const name = `run ${++run}`
        // Two tabs on each of two devices.
        const device = (who: number) => `${name} ${who % 2}`
        const open = Array.from({ length: 4 }, (_, who) => tab(device(who)))
        for (const opened of open) await opened.load()
        const written: string[] = []
        for (const { is, who } of steps) {
          const actor = open[who]!
          if (is === 'write') {
            const words = `Words ${written.length}.`
            written.push(words)
            actor.change(written.length % 2 ? note(`n${written.length}`, words) : d => ({ ...d, summary: `${d.summary}${words}` }))
          } else if (is === 'save') await actor.save()
          else if (is === 'look') await actor.onRevisionElsewhere()
          else if (is === 'kill') {
            actor.kill()
            open[who] = tab(device(who))
            const hasLoaded = await open[who].load().then(
              () => true,
              () => false,
            )
            // A tab loads its draft only with a connection.
            if (!hasLoaded) {
              await open[who].save()
              requestError = undefined
              await open[who].load()
            }
          } else if (is === 'lose responses') losesResponses = true
          else if (is === 'mend') {
            requestError = undefined
            losesResponses = false
          } else requestError = is === 'break' ? new TypeError('Failed to fetch') : new ApiError('Sign in', 401)
        }
        requestError = undefined
        losesResponses = false
        for (const opened of open) await opened.save()
        const text = [server.draft?.summary ?? '', ...(server.draft?.notes ?? []).map(n => n.text)].join(' ')
        expect(written.filter(words => !text.includes(words))).toEqual([])
        expect(copiesOn(device(0)) + copiesOn(device(1))).toBe('')
        for (const opened of open) opened.kill()
      }),
      { numRuns: 150 },
    )
  })
})

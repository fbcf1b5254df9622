import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import { ApiError } from '../../src/client/api.ts'
import { fakeBackend, resetFakeBackend, openFakeTab as tab, unsavedCopiesOn } from './fake-draft-tabs.ts'

beforeEach(resetFakeBackend)
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
    fakeBackend.requestError = new TypeError('Failed to fetch')
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
    expect(unsavedCopiesOn('a')).toContain('Good')
    await one.save()
    expect(fakeBackend.stored).toEqual({ revision: 1, draft: { notes: [], summary: 'Good', grades: [] } })
    expect(one.$saveState.get()).toBe('saved')
    expect(unsavedCopiesOn('a')).toBe('')
  })

  it('survives a reload without a connection', async () => {
    const one = tab('b')
    await one.load()
    fakeBackend.requestError = new TypeError('Failed to fetch')
    one.change(summary('Typed in the dugout'))
    await one.save()
    expect(one.$saveState.get()).toBe('retrying')
    fakeBackend.requestError = undefined
    one.kill()
    const again = tab('b')
    await again.load()
    expect(again.$draft.get().summary).toBe('Typed in the dugout')
    expect(fakeBackend.stored.draft?.summary).toBe('Typed in the dugout')
  })

  it('keeps the copy of a closed tab when a page that failed to load is hidden', async () => {
    const one = tab('b2')
    await one.load()
    fakeBackend.requestError = new TypeError('Failed to fetch')
    one.change(summary('Typed in the dugout'))
    await one.save()
    one.kill()
    const again = tab('b2')
    await expect(again.load()).rejects.toBe(fakeBackend.requestError)
    // The page saves whenever it is hidden.
    await again.save()
    expect([again.$saveState.get(), unsavedCopiesOn('b2')]).toEqual(['loading', expect.stringContaining('Typed in the dugout')])
    fakeBackend.requestError = undefined
    await again.load()
    expect(fakeBackend.stored.draft?.summary).toBe('Typed in the dugout')
  })

  it('is not merged with its own version whose response was lost', async () => {
    const one = tab('c2')
    await one.load()
    fakeBackend.losesResponses = true
    one.change(summary('Keep your hands back.'))
    await one.save()
    fakeBackend.losesResponses = false
    fakeBackend.requestError = new TypeError('Failed to fetch')
    one.change(summary('Keep your hand back.'))
    await one.save()
    fakeBackend.requestError = undefined
    one.change(summary('Keep your hand back!'))
    await one.save()
    expect([one.$draft.get().summary, fakeBackend.stored.draft?.summary]).toEqual(['Keep your hand back!', 'Keep your hand back!'])
    expect([one.$saveState.get(), one.$wasMerged.get()]).toEqual(['saved', false])
  })

  it('does not bring back a deleted note if the response to its save was lost', async () => {
    const one = tab('c3')
    await one.load()
    fakeBackend.losesResponses = true
    one.change(note('1', 'A mistake'))
    await one.save()
    fakeBackend.losesResponses = false
    one.change(draft => ({ ...draft, notes: [] }))
    await one.save()
    expect([one.$draft.get().notes, fakeBackend.stored.draft?.notes]).toEqual([[], []])
  })

  it('is saved automatically when the connection is back', async () => {
    const one = tab('c')
    await one.load()
    fakeBackend.requestError = new TypeError('Failed to fetch')
    one.change(summary('Hello'))
    await one.save()
    fakeBackend.requestError = undefined
    one.scheduled.at(-1)!()
    await expect.poll(() => one.$saveState.get()).toBe('saved')
    expect(fakeBackend.stored.draft?.summary).toBe('Hello')
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
    expect(fakeBackend.stored.draft?.notes.map(n => n.text)).toEqual(['From two', 'From one'])
    await one.onRevisionElsewhere(fakeBackend.stored.revision)
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
    expect(fakeBackend.stored.draft?.summary).toBe('ab')
  })

  it('keeps its text when the server refuses it, and shows the reason', async () => {
    const one = tab('g')
    await one.load()
    fakeBackend.requestError = new ApiError('This feedback has been delivered.', 409, 'delivered')
    one.change(summary('Too late'))
    await one.save()
    expect(one.$saveState.get()).toBe('stopped')
    expect(one.$problem.get()).toBe('This feedback has been delivered.')
    expect(unsavedCopiesOn('g')).toContain('Too late')
  })

  it('keeps its text while the login session is expired, and is saved later', async () => {
    const one = tab('h')
    await one.load()
    fakeBackend.requestError = new ApiError('Log in to continue.', 401, 'signed-out')
    one.change(summary('Long text'))
    await one.save()
    expect(one.$saveState.get()).toBe('retrying')
    fakeBackend.requestError = undefined
    await one.save()
    expect(fakeBackend.stored.draft?.summary).toBe('Long text')
  })

  it('takes over the copy of a closed tab, but not the copy of an open tab', async () => {
    const [one, two] = [tab('i'), tab('i')]
    await one.load()
    await two.load()
    fakeBackend.requestError = new TypeError('Failed to fetch')
    one.change(note('1', 'In the first tab'))
    two.change(note('2', 'In the second tab'))
    await Promise.all([one.save(), two.save()])
    one.kill()
    fakeBackend.requestError = undefined
    const third = tab('i')
    await third.load()
    expect(third.$draft.get().notes.map(n => n.text)).toEqual(['In the first tab'])
    expect(unsavedCopiesOn('i')).toContain('In the second tab')
    await two.save()
    expect(fakeBackend.stored.draft?.notes.map(n => n.text).sort()).toEqual(['In the first tab', 'In the second tab'])
    expect(unsavedCopiesOn('i')).toBe('')
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

  it('loads without the faults of earlier versions and saves the repaired draft', async () => {
    fakeBackend.stored = {
      revision: 4,
      draft: { notes: [{ id: '1', video: 'v', at: 0, kind: 'tip', text: 'Hands', voice: 'gone' }], summary: '', grades: [] },
    }
    const one = tab('m')
    await one.load()
    expect(one.$draft.get().notes).toEqual([{ id: '1', video: 'v', at: 0, kind: 'tip', text: 'Hands' }])
    expect([fakeBackend.stored, one.$saveState.get()]).toEqual([{ revision: 5, draft: one.$draft.get() }, 'saved'])
    const two = tab('n')
    await two.load()
    expect([two.$draft.get(), fakeBackend.stored.revision]).toEqual([one.$draft.get(), 5])
  })

  it('keeps the text of this tab when another tab delivers the review', async () => {
    const one = tab('l')
    await one.load()
    one.change(summary('All of it'))
    await one.save()
    fakeBackend.stored = { revision: 0, draft: null }
    expect(one.onDraftGone).not.toHaveBeenCalled()
    await one.onRevisionElsewhere()
    expect(one.$draft.get().summary).toBe('All of it')
    expect(one.onDraftGone).toHaveBeenCalledOnce()
    // The server refuses later changes, which stay in this tab.
    fakeBackend.requestError = new ApiError('Delivered', 409, 'delivered')
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
        resetFakeBackend()
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
            // A tab can load its draft only while it has a connection.
            if (!hasLoaded) {
              await open[who].save()
              fakeBackend.requestError = undefined
              await open[who].load()
            }
          } else if (is === 'lose responses') fakeBackend.losesResponses = true
          else if (is === 'mend') {
            fakeBackend.requestError = undefined
            fakeBackend.losesResponses = false
          } else fakeBackend.requestError = is === 'break' ? new TypeError('Failed to fetch') : new ApiError('Log in', 401)
        }
        fakeBackend.requestError = undefined
        fakeBackend.losesResponses = false
        for (const opened of open) await opened.save()
        const text = [fakeBackend.stored.draft?.summary ?? '', ...(fakeBackend.stored.draft?.notes ?? []).map(n => n.text)].join(' ')
        expect(written.filter(words => !text.includes(words))).toEqual([])
        expect(unsavedCopiesOn(device(0)) + unsavedCopiesOn(device(1))).toBe('')
        for (const opened of open) opened.kill()
      }),
      { numRuns: 150 },
    )
  })
})

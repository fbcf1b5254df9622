import { describe, expect, it } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import { areDraftsEqual, emptyDraft, mergeDrafts } from '../../src/draft/merge-drafts.ts'

const note = (id: string, text: string, at = 0) => ({ id, video: 'v', at, kind: 'tip' as const, text })
const draft = (more: Partial<Draft>): Draft => ({ ...emptyDraft, ...more })

describe('mergeDrafts', () => {
  it('takes a value from the side that changed it, if only one did', () => {
    const base = draft({ summary: 'a', notes: [note('1', 'one'), note('2', 'two')] })
    const mine = draft({ summary: 'b', notes: [note('1', 'one!'), note('2', 'two')] })
    const theirs = draft({ summary: 'a', notes: [note('1', 'one'), note('2', 'two!')], grades: [{ skill: 'hitting', grade: 55 }] })
    expect(mergeDrafts(base, mine, theirs)).toEqual(
      draft({ summary: 'b', notes: [note('1', 'one!'), note('2', 'two!')], grades: [{ skill: 'hitting', grade: 55 }] }),
    )
  })
  it('takes each field of a note from the side that changed it', () => {
    const [tee, wall] = ['https://example.com/tee', 'https://example.com/wall']
    const linked = (more: object) => draft({ notes: [{ ...note('1', 'one'), ...more }] })
    expect(mergeDrafts(linked({}), linked({ kind: 'drill' }), linked({ link: tee }))).toEqual(linked({ kind: 'drill', link: tee }))
    expect(mergeDrafts(linked({ link: tee }), linked({}), linked({ link: tee }))).toEqual(linked({}))
    expect(mergeDrafts(linked({ link: tee }), linked({ link: wall }), linked({}))).toEqual(linked({ link: wall }))
  })
  it('keeps both versions of a text that both sides changed', () => {
    const merged = mergeDrafts(draft({ summary: 'a' }), draft({ summary: 'mine' }), draft({ summary: 'theirs' }))
    expect(merged.summary).toContain('mine')
    expect(merged.summary).toContain('theirs')
  })
  it('keeps only the longer of two texts if it contains the other', () => {
    expect(
      mergeDrafts(draft({ summary: 'Good' }), draft({ summary: 'Good load' }), draft({ summary: 'Good load, now stride' })).summary,
    ).toBe('Good load, now stride')
  })
  it('keeps notes that were added on either side', () => {
    expect(mergeDrafts(emptyDraft, draft({ notes: [note('1', 'm')] }), draft({ notes: [note('2', 't')] })).notes.map(n => n.id)).toEqual([
      '1',
      '2',
    ])
  })
  it('drops a removed note unless the other side changed it', () => {
    const base = draft({ notes: [note('1', 'one'), note('2', 'two')] })
    const mine = draft({ notes: [] })
    const theirs = draft({ notes: [note('1', 'one'), note('2', 'two, and more')] })
    expect(mergeDrafts(base, mine, theirs).notes).toEqual([note('2', 'two, and more')])
    expect(mergeDrafts(base, theirs, mine).notes).toEqual([note('2', 'two, and more')])
  })
  it('drops a removed grade unless the other side changed it', () => {
    const base = draft({ grades: [{ skill: 'hitting', grade: 50 }] })
    expect(mergeDrafts(base, emptyDraft, base).grades).toEqual([])
    expect(mergeDrafts(base, base, draft({ grades: [{ skill: 'hitting', grade: 60 }] })).grades).toEqual([{ skill: 'hitting', grade: 60 }])
  })
})

describe('mergeDrafts for comparisons', () => {
  type Comparison = NonNullable<Draft['comparisons']>[number]
  const side = (video: string, origin: number) => ({ folder: 'f', video, origin, offset: 0, scale: 1 })
  const comparison = (more: Partial<Comparison> = {}): Comparison => ({
    id: 'c1',
    title: '',
    mode: 'side',
    stretch: false,
    sides: [side('a', 3), side('b', 5)],
    ...more,
  })
  const line = { id: 's1', tool: 'line' as const, color: 0, width: 45, p: [1, 1, 2, 2], from: 5, hold: 1, fade: 0 }
  const of = (...comparisons: Comparison[]) => draft({ comparisons })
  it('keeps the title and drawing of one tab and the sync of the other', () => {
    const mine = comparison({ title: 'June', sides: [side('a', 3), { ...side('b', 5), shapes: [line] }] })
    const theirs = comparison({ mode: 'ghost', sides: [side('a', 9), side('b', 6)] })
    const both = comparison({ title: 'June', mode: 'ghost', sides: [side('a', 9), { ...side('b', 6), shapes: [line] }] })
    expect(mergeDrafts(of(comparison()), of(mine), of(theirs))).toEqual(of(both))
    expect(mergeDrafts(of(comparison()), of(theirs), of(mine))).toEqual(of(both))
  })
  it('keeps the comparisons of both tabs, except an unchanged one that one tab deleted', () => {
    const two = comparison({ id: 'c2' })
    expect(mergeDrafts(draft({}), of(comparison()), of(two)).comparisons).toHaveLength(2)
    expect(mergeDrafts(of(comparison(), two), of(two), of(comparison(), two))).toEqual(of(two))
  })
})

describe('mergeDrafts for voice-overs', () => {
  type Voice = NonNullable<Draft['voices']>[number]
  const voice = (id: string): Voice => ({ id, video: 'v', frame: 0, milliseconds: 900, bytes: 3, type: 'audio/mp4', actions: [] })
  const spoken = (id: string, text: string) => ({ ...note(id, text), voice: `of ${id}` })
  const base = draft({ notes: [spoken('1', 'one'), spoken('2', 'two')], voices: [voice('of 1'), voice('of 2')] })
  it('keeps the voice-over of a note that one side deleted and the other changed', () => {
    const removed = draft({ notes: [spoken('2', 'two')], voices: [voice('of 2')] })
    const changed = draft({ ...base, notes: [spoken('1', 'one!'), spoken('2', 'two')] })
    expect(areDraftsEqual(mergeDrafts(base, changed, removed), changed)).toBe(true)
    expect(areDraftsEqual(mergeDrafts(base, removed, changed), changed)).toBe(true)
    expect(mergeDrafts(base, removed, base)).toEqual(removed)
  })
  it('keeps a voice-over that one side deleted and the other moved to a note', () => {
    const whole = draft({ notes: [note('1', 'one')], voices: [voice('of 1')] })
    const removed = draft({ notes: [note('1', 'one')] })
    const pinned = draft({ notes: [spoken('1', 'one')], voices: [voice('of 1')] })
    expect(mergeDrafts(whole, removed, pinned)).toEqual(pinned)
    expect(mergeDrafts(whole, pinned, removed)).toEqual(pinned)
  })
  it('does not bring back a voice-over that one side deleted or recorded again', () => {
    const changed = draft({ ...base, notes: [spoken('1', 'one!'), spoken('2', 'two')] })
    const again = draft({ notes: [{ ...note('1', 'one'), voice: 'new' }, note('2', 'two')], voices: [voice('new')] })
    const both = draft({ notes: [{ ...note('1', 'one!'), voice: 'new' }, note('2', 'two')], voices: [voice('new')] })
    expect(mergeDrafts(base, changed, again)).toEqual(both)
    expect(mergeDrafts(base, again, changed)).toEqual(both)
  })
})

describe('areDraftsEqual', () => {
  it('ignores the order of notes', () => {
    expect(areDraftsEqual(draft({ notes: [note('1', 'a'), note('2', 'b')] }), draft({ notes: [note('2', 'b'), note('1', 'a')] }))).toBe(
      true,
    )
  })
  it('notices a single changed letter, time or grade', () => {
    const one = draft({ notes: [note('1', 'a')], grades: [{ skill: 'hitting', grade: 50 }] })
    expect(areDraftsEqual(one, { ...one, notes: [note('1', 'b')] })).toBe(false)
    expect(areDraftsEqual(one, { ...one, notes: [note('1', 'a', 5)] })).toBe(false)
    expect(areDraftsEqual(one, { ...one, grades: [{ skill: 'hitting', grade: 55 }] })).toBe(false)
  })
})

const line = (id: string, color = 0) => ({ id, tool: 'line' as const, color, width: 45, p: [1, 1, 2, 2], from: 0, hold: 1, fade: 0 })

describe('mergeDrafts for drawings, notes and goals', () => {
  const base = draft({
    notes: [{ ...note('1', 'one'), frame: 4, shapes: [line('a'), line('b')] }],
    goals: [{ id: 'g', text: 'Knee', state: 'given' }],
    checkpoints: [{ video: 'v', skill: 'hitting', name: 'load', frame: 3, by: 'hand' }],
  })
  const [one] = base.notes as [Draft['notes'][number]]

  it('keeps the drawings that both tabs added to one note, without a deleted drawing', () => {
    const mine = draft({ ...base, notes: [{ ...one, shapes: [line('a'), line('b'), line('c')] }] })
    const theirs = draft({ ...base, notes: [{ ...one, text: 'one!', shapes: [line('b', 2), line('d')] }] })
    const both = mergeDrafts(base, mine, theirs)
    expect(both.notes).toEqual([{ ...one, text: 'one!', shapes: [line('b', 2), line('c'), line('d')] }])
    expect(areDraftsEqual(mergeDrafts(base, theirs, mine), both)).toBe(true)
  })
  it('takes frame and range from the tab that moved the note, the voice from the other', () => {
    const mine = draft({ ...base, notes: [{ ...one, at: 300, frame: 9 }] })
    const theirs = draft({ ...base, notes: [{ ...one, until: 20, voice: 'w' }] })
    expect(mergeDrafts(base, base, theirs).notes[0]).toMatchObject({ at: 0, frame: 4, until: 20, voice: 'w', text: 'one' })
    const both = mergeDrafts(base, mine, theirs).notes[0]
    expect(both).toMatchObject({ at: 300, frame: 9, voice: 'w' })
    expect(both).not.toHaveProperty('until')
  })
  it('keeps the goals of both tabs, without positions that one tab deleted', () => {
    const mine = draft({ ...base, goals: [...base.goals!, { id: 'h', text: 'Hips', state: 'given' }], checkpoints: [] })
    const theirs = draft({ ...base, goals: [{ id: 'g', text: 'Knee', state: 'tried' }] })
    const both = mergeDrafts(base, mine, theirs)
    expect(both.goals).toEqual([
      { id: 'g', text: 'Knee', state: 'tried' },
      { id: 'h', text: 'Hips', state: 'given' },
    ])
    expect(both.checkpoints).toBeUndefined()
  })
  it('orders goals like the tab that reordered them', () => {
    const goal = (id: string) => ({ id, text: id, state: 'given' as const })
    const of = (...ids: string[]) => draft({ goals: ids.map(goal) })
    const order = (base: Draft, mine: Draft, theirs: Draft) => mergeDrafts(base, mine, theirs).goals!.map(g => g.id)
    expect(areDraftsEqual(of('g', 'h'), of('h', 'g'))).toBe(false)
    expect(order(of('g', 'h', 'i'), of('i', 'g', 'h'), of('g', 'h', 'i'))).toEqual(['i', 'g', 'h'])
    expect(order(of('g', 'h', 'i'), of('g', 'h', 'i'), of('i', 'h', 'j', 'g'))).toEqual(['i', 'h', 'j', 'g'])
    expect(order(of('g', 'h'), of('h', 'g', 'k'), of('g', 'j', 'h'))).toEqual(['h', 'g', 'k', 'j'])
    expect(order(of('g', 'h'), of('h'), of('h', 'g'))).toEqual(['h'])
  })
  it('distinguishes nested lists whose items differ only in where a list ends', () => {
    const nested = (goals: unknown) => ({ ...emptyDraft, goals }) as Draft
    expect(areDraftsEqual(nested([['a'], 'b']), nested([['a', 'b']]))).toBe(false)
  })
  it('treats fields in another order and empty lists as unchanged', () => {
    const { id, ...rest } = line('a')
    const reordered = draft({
      ...base,
      notes: [{ shapes: [line('b'), { ...rest, id }].reverse(), ...note('1', 'one'), frame: 4 }],
      voices: [],
    })
    expect(areDraftsEqual(base, reordered)).toBe(true)
    expect(areDraftsEqual(base, draft({ ...base, notes: [{ ...one, shapes: [line('a'), line('b', 1)] }] }))).toBe(false)
    expect(areDraftsEqual(base, draft({ ...base, goals: [{ id: 'g', text: 'Knee', state: 'fixed' }] }))).toBe(false)
  })
})

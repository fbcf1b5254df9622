import { describe, expect, it } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import { equal, merge, nothing } from '../../src/draft/merge.ts'

const note = (id: string, text: string, at = 0) => ({ id, video: 'v', at, kind: 'tip' as const, text })
const draft = (more: Partial<Draft>): Draft => ({ ...nothing, ...more })

describe('merge', () => {
  it('takes what only one side changed', () => {
    const base = draft({ summary: 'a', notes: [note('1', 'one'), note('2', 'two')] })
    const mine = draft({ summary: 'b', notes: [note('1', 'one!'), note('2', 'two')] })
    const theirs = draft({ summary: 'a', notes: [note('1', 'one'), note('2', 'two!')], grades: [{ skill: 'hitting', grade: 55 }] })
    expect(merge(base, mine, theirs)).toEqual(
      draft({ summary: 'b', notes: [note('1', 'one!'), note('2', 'two!')], grades: [{ skill: 'hitting', grade: 55 }] }),
    )
  })
  it('keeps both texts where both changed', () => {
    const merged = merge(draft({ summary: 'a' }), draft({ summary: 'mine' }), draft({ summary: 'theirs' }))
    expect(merged.summary).toContain('mine')
    expect(merged.summary).toContain('theirs')
  })
  it('does not double a text that only grew', () => {
    expect(merge(draft({ summary: 'Good' }), draft({ summary: 'Good load' }), draft({ summary: 'Good load, now stride' })).summary).toBe(
      'Good load, now stride',
    )
  })
  it('keeps notes that were added on either side', () => {
    expect(merge(nothing, draft({ notes: [note('1', 'm')] }), draft({ notes: [note('2', 't')] })).notes.map(n => n.id)).toEqual(['1', '2'])
  })
  it('drops a removed note, unless the other side wrote in it since', () => {
    const base = draft({ notes: [note('1', 'one'), note('2', 'two')] })
    const mine = draft({ notes: [] })
    const theirs = draft({ notes: [note('1', 'one'), note('2', 'two, and more')] })
    expect(merge(base, mine, theirs).notes).toEqual([note('2', 'two, and more')])
    expect(merge(base, theirs, mine).notes).toEqual([note('2', 'two, and more')])
  })
  it('lets a grade be taken back', () => {
    const base = draft({ grades: [{ skill: 'hitting', grade: 50 }] })
    expect(merge(base, nothing, base).grades).toEqual([])
    expect(merge(base, base, draft({ grades: [{ skill: 'hitting', grade: 60 }] })).grades).toEqual([{ skill: 'hitting', grade: 60 }])
  })
})

describe('comparisons', () => {
  type Comparison = NonNullable<Draft['comparisons']>[number]
  const side = (video: string, origin: number) => ({ folder: 'f', video, origin, offset: 0, scale: 1 })
  const comparison = (more: Partial<Comparison> = {}): Comparison => ({
    ...{ id: 'c1', title: '', mode: 'side', stretch: false, sides: [side('a', 3), side('b', 5)] },
    ...more,
  })
  const line = { id: 's1', tool: 'line' as const, color: 0, width: 45, p: [1, 1, 2, 2], from: 5, hold: 1, fade: 0 }
  const of = (...comparisons: Comparison[]) => draft({ comparisons })
  it('one tab names and draws, the other syncs: both are kept', () => {
    const mine = comparison({ title: 'June', sides: [side('a', 3), { ...side('b', 5), shapes: [line] }] })
    const theirs = comparison({ mode: 'ghost', sides: [side('a', 9), side('b', 6)] })
    const both = comparison({ title: 'June', mode: 'ghost', sides: [side('a', 9), { ...side('b', 6), shapes: [line] }] })
    expect(merge(of(comparison()), of(mine), of(theirs))).toEqual(of(both))
    expect(merge(of(comparison()), of(theirs), of(mine))).toEqual(of(both))
  })
  it('keeps those of both tabs, and drops one that was deleted and not touched since', () => {
    const two = comparison({ id: 'c2' })
    expect(merge(draft({}), of(comparison()), of(two)).comparisons).toHaveLength(2)
    expect(merge(of(comparison(), two), of(two), of(comparison(), two))).toEqual(of(two))
  })
})

describe('equal', () => {
  it('does not mind the order', () => {
    expect(equal(draft({ notes: [note('1', 'a'), note('2', 'b')] }), draft({ notes: [note('2', 'b'), note('1', 'a')] }))).toBe(true)
  })
  it('minds a letter, a moment and a grade', () => {
    const one = draft({ notes: [note('1', 'a')], grades: [{ skill: 'hitting', grade: 50 }] })
    expect(equal(one, { ...one, notes: [note('1', 'b')] })).toBe(false)
    expect(equal(one, { ...one, notes: [note('1', 'a', 5)] })).toBe(false)
    expect(equal(one, { ...one, grades: [{ skill: 'hitting', grade: 55 }] })).toBe(false)
  })
})

const line = (id: string, color = 0) => ({ id, tool: 'line' as const, color, width: 45, p: [1, 1, 2, 2], from: 0, hold: 1, fade: 0 })

describe('what is drawn and set', () => {
  const base = draft({
    notes: [{ ...note('1', 'one'), frame: 4, shapes: [line('a'), line('b')] }],
    goals: [{ id: 'g', text: 'Knee', state: 'given' }],
    checkpoints: [{ video: 'v', skill: 'hitting', name: 'load', frame: 3, by: 'hand' }],
  })
  const [one] = base.notes as [Draft['notes'][number]]

  it('drawings of one note that two tabs made stand beside each other; a deleted one goes', () => {
    const mine = draft({ ...base, notes: [{ ...one, shapes: [line('a'), line('b'), line('c')] }] })
    const theirs = draft({ ...base, notes: [{ ...one, text: 'one!', shapes: [line('b', 2), line('d')] }] })
    const both = merge(base, mine, theirs)
    expect(both.notes).toEqual([{ ...one, text: 'one!', shapes: [line('b', 2), line('c'), line('d')] }])
    expect(equal(merge(base, theirs, mine), both)).toBe(true)
  })
  it('frame and range of a note come together from who moved it, its voice from who spoke', () => {
    const mine = draft({ ...base, notes: [{ ...one, at: 300, frame: 9 }] })
    const theirs = draft({ ...base, notes: [{ ...one, until: 20, voice: 'w' }] })
    expect(merge(base, base, theirs).notes[0]).toMatchObject({ at: 0, frame: 4, until: 20, voice: 'w', text: 'one' })
    const both = merge(base, mine, theirs).notes[0]
    expect(both).toMatchObject({ at: 300, frame: 9, voice: 'w' })
    expect(both).not.toHaveProperty('until')
  })
  it('goals, positions and comparisons of both stay', () => {
    const mine = draft({ ...base, goals: [...base.goals!, { id: 'h', text: 'Hips', state: 'given' }], checkpoints: [] })
    const theirs = draft({ ...base, goals: [{ id: 'g', text: 'Knee', state: 'tried' }] })
    const both = merge(base, mine, theirs)
    expect(both.goals).toEqual([
      { id: 'g', text: 'Knee', state: 'tried' },
      { id: 'h', text: 'Hips', state: 'given' },
    ])
    expect(both.checkpoints).toBeUndefined()
  })
  it('goals are in the order of whoever moved them, and moving one is a change', () => {
    const goal = (id: string) => ({ id, text: id, state: 'given' as const })
    const of = (...ids: string[]) => draft({ goals: ids.map(goal) })
    const order = (base: Draft, mine: Draft, theirs: Draft) => merge(base, mine, theirs).goals!.map(g => g.id)
    expect(equal(of('g', 'h'), of('h', 'g'))).toBe(false)
    expect(order(of('g', 'h', 'i'), of('i', 'g', 'h'), of('g', 'h', 'i'))).toEqual(['i', 'g', 'h'])
    expect(order(of('g', 'h', 'i'), of('g', 'h', 'i'), of('i', 'h', 'j', 'g'))).toEqual(['i', 'h', 'j', 'g'])
    expect(order(of('g', 'h'), of('h', 'g', 'k'), of('g', 'j', 'h'))).toEqual(['h', 'g', 'k', 'j'])
    expect(order(of('g', 'h'), of('h'), of('h', 'g'))).toEqual(['h'])
  })
  it('another order of fields, and a list of nothing, are the same content', () => {
    const { id, ...rest } = line('a')
    const turned = draft({
      ...base,
      notes: [{ shapes: [line('b'), { ...rest, id }].reverse(), ...note('1', 'one'), frame: 4 }],
      voices: [],
    })
    expect(equal(base, turned)).toBe(true)
    expect(equal(base, draft({ ...base, notes: [{ ...one, shapes: [line('a'), line('b', 1)] }] }))).toBe(false)
    expect(equal(base, draft({ ...base, goals: [{ id: 'g', text: 'Knee', state: 'fixed' }] }))).toBe(false)
  })
})

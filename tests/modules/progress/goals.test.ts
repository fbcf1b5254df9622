import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { carriedOverGoals, goalThreads, type SessionWithGoals } from '../../../modules/progress/goals.ts'
import type { Goal } from '../../../modules/reviews/contract.ts'
import { MAX_GOALS_PER_REVIEW } from '../../../modules/reviews/policy.ts'

const goal = (id: string, state: Goal['state'] = 'given', from?: string): Goal => ({ id, text: `Goal ${id}`, state, ...(from && { from }) })
/** Sessions with the same instructor, each assigned after the previous one was delivered, unless `more` says otherwise. */
const sessionsWithGoals = (...sessions: [goals: Goal[], more?: Partial<SessionWithGoals>][]): SessionWithGoals[] =>
  sessions.map(([goals, more], i) => ({
    id: `s${i + 1}`,
    folder: 'f',
    instructor: 'cal',
    assigned: BigInt(10 * i),
    position: BigInt(10 * i + 5),
    given: `day ${i + 1}`,
    goals,
    ...more,
  }))
const threads = (sessions: SessionWithGoals[]) => goalThreads(sessions, id => id)
const opens = (sessions: SessionWithGoals[]) => threads(sessions).flatMap(t => (t.open ? [t.text] : []))

describe('a goal over several reviews', () => {
  const sessions = sessionsWithGoals(
    [[goal('a'), goal('b')]],
    [[goal('a2', 'tried', 'a'), goal('b2', 'fixed', 'b'), goal('c')]],
    [[{ ...goal('a3', 'fixed', 'a2'), text: 'Hands later' }, goal('c3', 'given', 'c')]],
  )
  test('is one thread with an entry for each review, and the status of the last review', () => {
    expect(threads(sessions)).toEqual([
      expect.objectContaining({ id: 'c', state: 'given', open: true, last: 'c3' }),
      {
        id: 'a',
        text: 'Hands later',
        state: 'fixed',
        open: false,
        instructor: 'cal',
        last: 'a3',
        words: [
          { session: 's1', folder: 'f', at: 'day 1', state: 'given', text: 'Goal a' },
          { session: 's2', folder: 'f', at: 'day 2', state: 'tried', text: 'Goal a2' },
          { session: 's3', folder: 'f', at: 'day 3', state: 'fixed', text: 'Hands later' },
        ],
      },
      expect.objectContaining({ id: 'b', state: 'fixed', open: false }),
    ])
  })
  test('is closed if the next review omits it', () => {
    expect(opens(sessionsWithGoals([[goal('a'), goal('b')]], [[goal('b2', 'given', 'b')]]))).toEqual(['Goal b2'])
  })
  test('stays open if a review assigned before it or by another instructor omits it', () => {
    const meanwhile = { assigned: 1n }
    expect(opens(sessionsWithGoals([[goal('a')]], [[goal('b')], meanwhile]))).toEqual(['Goal b', 'Goal a'])
    expect(opens(sessionsWithGoals([[goal('a')]], [[goal('b')], { instructor: 'dee' }]))).toEqual(['Goal b', 'Goal a'])
  })
  test('stays open if the next session was assigned at the moment it was given', () => {
    expect(opens(sessionsWithGoals([[goal('a')]], [[goal('b')], { assigned: 5n }]))).toEqual(['Goal b', 'Goal a'])
  })
  test('is listed in the order of the newest review', () => {
    expect(opens(sessionsWithGoals([[goal('a'), goal('b'), goal('c')]], [['c', 'a', 'b'].map(id => goal(`${id}2`, 'given', id))]))).toEqual(
      [...['Goal c2', 'Goal a2', 'Goal b2']],
    )
  })
  test('stays one thread if two concurrent reviews continue it', () => {
    const [one, ...more] = threads(
      sessionsWithGoals([[goal('a')]], [[goal('a2', 'tried', 'a')]], [[goal('a3', 'given', 'a')], { assigned: 11n }]),
    )
    expect(more).toEqual([])
    expect(one).toMatchObject({ id: 'a', last: 'a3', state: 'given', open: true })
    expect(one!.words.map(w => w.state)).toEqual(['given', 'tried', 'given'])
  })
  test('is in exactly one thread whatever the reviews are, and is not open once fixed', () => {
    const state = fc.constantFrom<Goal['state']>('given', 'tried', 'fixed')
    const review = fc.array(fc.tuple(state, fc.option(fc.nat(40))), { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(review, { maxLength: 8 }), reviews => {
        let n = 0
        const sessions = sessionsWithGoals(
          ...reviews.map((goals): [Goal[]] => {
            const first = n
            return [goals.map(([s, from]) => goal(`g${n++}`, s, from === null || !first ? undefined : `g${from % first}`))]
          }),
        )
        const all = threads(sessions)
        expect(all.flatMap(t => t.words).length).toBe(n)
        expect(all.filter(t => t.open && t.state === 'fixed')).toEqual([])
        expect(carriedOverGoals('next', sessions).map(g => g.from)).toEqual(
          all
            .filter(t => t.open)
            .slice(0, 10)
            .map(t => t.last),
        )
      }),
    )
  })
})

test('the next review begins with at most as many goals as a review may have', () => {
  const ids = Array.from({ length: MAX_GOALS_PER_REVIEW }, (_, i) => `a${i}`)
  const before = sessionsWithGoals([ids.map(id => goal(id))], [[goal('b')], { assigned: 1n }])
  expect(carriedOverGoals('next', before).map(g => g.from)).toEqual(['b', ...ids.slice(0, -1)])
})

test('the next review begins with the open goals, under the same new ids each time', () => {
  const before = sessionsWithGoals([[goal('a', 'tried'), goal('b', 'fixed'), goal('c')]])
  const [first, second] = carriedOverGoals('next', before)
  expect([first, second]).toMatchObject([
    { text: 'Goal a', from: 'a', state: 'tried' },
    { text: 'Goal c', from: 'c', state: 'given' },
  ])
  expect(carriedOverGoals('next', before)).toEqual([first, second])
  expect(carriedOverGoals('another', before)[0]!.id).not.toBe(first!.id)
})

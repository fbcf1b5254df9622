import { derivedId } from '../kernel/decider.ts'
import type { Goal } from '../reviews/contract.ts'
import { MAX_GOALS_PER_REVIEW } from '../reviews/policy.ts'
import type { GoalThread } from './contract.ts'

/** A delivered session with the goals of its review. */
export interface SessionWithGoals<I = string> {
  id: string
  folder: string
  instructor: I
  /** The log positions of its assignment and of its delivery. */
  assigned: bigint
  position: bigint
  given: string
  goals: Goal[]
}

export type ContinuableGoalThread<I> = Omit<GoalThread, 'instructor'> & {
  instructor: I
  /** The id of the goal in the latest review, which the next review continues. */
  last: string
}

/**
 * The goals of one player, with one or more instructors; a thread follows one goal through the reviews that continued it. A goal is open
 * until it is fixed, or until the same instructor reviews a session that was assigned after the goal was given and leaves the goal out.
 * Open goals come first; otherwise, goals of newer reviews come first, and the goals of one review keep its order.
 * @param sessions in the order in which their reviews were delivered
 * @param key returns what identifies an instructor
 */
export function goalThreads<I>(sessions: readonly SessionWithGoals<I>[], key: (instructor: I) => string): ContinuableGoalThread<I>[] {
  const threads = new Map<string, ContinuableGoalThread<I> & { position: bigint }>()
  /** The id of each goal's thread, by the goal's id. */
  const known = new Map<string, string>()
  for (const { id: session, folder, instructor, given: at, position, goals } of sessions)
    for (const { id, from, text, state } of goals) {
      const of = (from !== undefined && known.get(from)) || id
      known.set(id, of)
      const words = [...(threads.get(of)?.words ?? []), { session, folder, at, state, text }]
      threads.set(of, { id: of, text, state, open: state !== 'fixed', instructor, words, last: id, position })
    }

  const leftOut = (t: ContinuableGoalThread<I> & { position: bigint }) =>
    sessions.some(s => key(s.instructor) === key(t.instructor) && s.assigned > t.position)
  const place = (t: ContinuableGoalThread<I>) =>
    sessions.findLast(s => s.goals.some(g => g.id === t.last))!.goals.findIndex(g => g.id === t.last)
  return [...threads.values()]
    .map(t => ({ ...t, open: t.open && !leftOut(t) }))
    .sort((a, b) => Number(b.open) - Number(a.open) || Number(b.position - a.position) || place(a) - place(b))
    .map(({ position: _, ...thread }) => thread)
}

/** The goals that the next review starts with, from this player's sessions with its instructor. The ids are the same on every call. */
export const carriedOverGoals = (session: string, before: readonly SessionWithGoals[]): Goal[] =>
  goalThreads(before, id => id)
    .filter(t => t.open)
    .slice(0, MAX_GOALS_PER_REVIEW)
    .map(({ text, state, last }) => ({ id: derivedId(session, 'goal', last), text, from: last, state }))

import type { Review } from '../../modules/folders/contract.ts'

export type Goal = NonNullable<Review['goals']>[number]
export type GoalState = Goal['state']

/** What becomes of a goal, in the order in which it goes; `on`: how the one that holds looks. */
export const GOAL_STATES: Record<GoalState, { label: string; on: string }> = {
  given: { label: 'To do', on: 'border-clay bg-clay-wash text-clay' },
  tried: { label: 'Tried', on: 'border-sky bg-sky-wash text-sky' },
  fixed: { label: 'Fixed', on: 'border-field bg-field-wash text-field' },
}

/** What a goal comes by, from its first state to its last. */
export const GOAL_STATES_IN_ORDER = Object.keys(GOAL_STATES) as GoalState[]

/** The one thing to do next. */
export const nextGoal = (goals: readonly Goal[] | undefined) => goals?.find(g => g.state !== 'fixed')

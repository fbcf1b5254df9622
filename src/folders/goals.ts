import type { Review } from '../../modules/folders/contract.ts'

export type Goal = NonNullable<Review['goals']>[number]
export type GoalState = Goal['state']

/** The states of a goal in order, each with its label and the classes for its badge or its selected button. */
export const GOAL_STATE_DISPLAY: Record<GoalState, { label: string; on: string }> = {
  given: { label: 'To do', on: 'border-clay bg-clay-wash text-clay' },
  tried: { label: 'Tried', on: 'border-sky bg-sky-wash text-sky' },
  fixed: { label: 'Fixed', on: 'border-field bg-field-wash text-field' },
}

export const GOAL_STATES_IN_ORDER = Object.keys(GOAL_STATE_DISPLAY) as GoalState[]

/** The first goal that is not fixed yet, which the player works on next. */
export const nextGoal = (goals: readonly Goal[] | undefined) => goals?.find(g => g.state !== 'fixed')

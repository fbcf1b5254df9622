import type { Review } from '../../modules/folders/contract.ts'

export type Goal = NonNullable<Review['goals']>[number]
export type State = Goal['state']

/** What becomes of a goal, in the order in which it goes; `on`: how the one that holds looks. */
export const STATES: Record<State, { label: string; on: string }> = {
  given: { label: 'To do', on: 'border-clay bg-clay-wash text-clay' },
  tried: { label: 'Tried', on: 'border-sky bg-sky-wash text-sky' },
  fixed: { label: 'Fixed', on: 'border-field bg-field-wash text-field' },
}

/** What a goal comes by, from its first state to its last. */
export const WAY = Object.keys(STATES) as State[]

/** The one thing to do next. */
export const nextOf = (goals: readonly Goal[] | undefined) => goals?.find(g => g.state !== 'fixed')

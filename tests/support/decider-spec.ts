import { expect } from 'vitest'
import { type AnyEvent, type CommandPayload, type Decider, fold } from '../../modules/kernel/decider.ts'
import { refusal } from './refusal.ts'

/** A command without a payload, or whose fields are all optional, may be given none. */
type Payloads<P> = object extends P ? [payload?: P] : [payload: P]

// biome-ignore lint/suspicious/noExplicitAny: commands differ in their payloads
type Decisions<S, E extends AnyEvent> = Record<string, (state: S, payload: any) => E | E[]>

/**
 * Tests of a decider in given/when/then form: `given(opened).when('pay', { cents: 500 }).gives(paid)`.
 * What `given` returns may be kept and asked several times, because a decider is pure.
 */
export const deciderSpec = <S, E extends AnyEvent, D extends Decisions<S, E>>(decider: Decider<S, E> & { decide: D }) => ({
  /** The aggregate to which exactly these events have happened. */
  given(...events: E[]) {
    const state = fold(decider, events)
    return {
      state,
      when<C extends keyof D & string>(command: C, ...[payload]: Payloads<CommandPayload<D, C>>) {
        /** The events that the command gives, in an array even if there is one. @throws Refused */
        const decide = () => [decider.decide[command]!(state, payload ?? {})].flat() as E[]
        return {
          decide,
          /** Expects exactly these events; none where the command has nothing new to say. */
          gives: (...expected: E[]) => expect(decide()).toEqual(expected),
          /** Expects this many events, of which only some fields are told. */
          givesLike: (...expected: { type?: E['type']; data?: object }[]) => expect(decide()).toMatchObject(expected),
          /** Expects a refusal with this code and field, in a sentence that a person may read. */
          refuses: (code: string, field?: string) => expect(refusal(decide)).toEqual(field ? { code, field } : { code }),
        }
      },
    }
  },
})

import { expect } from 'vitest'
import { type AnyEvent, type CommandPayload, type Decider, fold } from '../../modules/kernel/decider.ts'
import { refusalCodeAndField } from './refusal-code-and-field.ts'

/** The payload is optional if the command has none, or only optional fields. */
type Payloads<P> = object extends P ? [payload?: P] : [payload: P]

// biome-ignore lint/suspicious/noExplicitAny: commands differ in their payloads
type Decisions<S, E extends AnyEvent> = Record<string, (state: S, payload: any) => E | E[]>

/**
 * Tests a decider in given/when/then form: `given(opened).when('pay', { cents: 500 }).gives(paid)`. The result of `given` can be stored and
 * reused, because a decider is pure.
 */
export const deciderSpec = <S, E extends AnyEvent, D extends Decisions<S, E>>(decider: Decider<S, E> & { decide: D }) => ({
  /** The state after exactly these events. */
  given(...events: E[]) {
    const state = fold(decider, events)
    return {
      state,
      when<C extends keyof D & string>(command: C, ...[payload]: Payloads<CommandPayload<D, C>>) {
        /** The events that the command produces, always as an array. @throws CommandRefused */
        const decide = () => [decider.decide[command]!(state, payload ?? {})].flat() as E[]
        return {
          decide,
          /** Expects exactly these events; none if the command changes nothing. */
          gives: (...expected: E[]) => expect(decide()).toEqual(expected),
          /** Expects as many events as given, but compares only the given fields. */
          givesLike: (...expected: { type?: E['type']; data?: object }[]) => expect(decide()).toMatchObject(expected),
          /** Expects a refusal with this code and field, and a readable message. */
          refuses: (code: string, field?: string) => expect(refusalCodeAndField(decide)).toEqual(field ? { code, field } : { code }),
        }
      },
    }
  },
})

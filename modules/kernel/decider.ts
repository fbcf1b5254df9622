import { v5 as derive, v7 as newId } from 'uuid'
import {
  CommandIdReused,
  type EventMetadata,
  type EventStore,
  type NewEvent,
  type RecordedEvent,
  RevisionConflict,
  streamOf,
} from './store.ts'

export type AnyEvent = { type: string; data: object }
type Data<E extends AnyEvent, T extends E['type']> = Extract<E, { type: T }>['data']

/** What a decision may answer: one event, several in one batch, or `[]` where there is nothing new to say. */
type Decision<E> = E | E[]

type Decide<S, E extends AnyEvent> = Record<string, (state: S, payload: never) => Decision<E>>
type Evolve<S, E extends AnyEvent> = { [T in E['type']]: (state: S, data: Data<E, T>) => S }

export interface Decider<S, E extends AnyEvent, D extends Decide<S, E> = Decide<S, E>> {
  /** The noun of its streams, without a dash. */
  stream: string
  initial: S
  evolve: Evolve<S, E>
  decide: D
}

/** Payload of a command, inferred from its function; `{}` where it takes none. */
export type CommandPayload<D, C extends keyof D> = D[C] extends (state: never, payload: infer P) => unknown
  ? unknown extends P
    ? object
    : P
  : never

/** An aggregate: `decider<State, Event>()({ stream, initial, evolve, decide })`. Pure: no clock, no dice, no I/O. */
export const decider =
  <S, E extends AnyEvent>() =>
  <D extends Decide<S, E>>(definition: Decider<S, E, D>) =>
    definition

/** State after these events. An event this code does not know changes nothing. */
export const fold = <S, E extends AnyEvent>(
  of: Pick<Decider<S, E>, 'initial' | 'evolve'>,
  events: readonly Pick<RecordedEvent, 'type' | 'data'>[],
): S => events.reduce<S>((state, e) => of.evolve[e.type as E['type']]?.(state, e.data as never) ?? state, of.initial)

/** The state of one aggregate now, by all events of its stream; `initial` where there are none. */
export const loadState = async <S, E extends AnyEvent>(
  store: Pick<EventStore, 'read'>,
  of: Pick<Decider<S, E>, 'stream' | 'initial' | 'evolve'>,
  id: string,
): Promise<S> => fold(of, await store.read(streamOf(of.stream, id)))

const NAMESPACE = '6b8a3f0e-3d52-4f0c-9f1b-1d2c5a7e9b44'

/** The same words give the same UUID: how an id is derived from the event or command it answers. */
export const derivedId = (...words: (string | number)[]) => derive(words.join('\n'), NAMESPACE)

export interface CommandResult {
  /** Position of the last event written, or of the last one this command wrote before; −1n where nothing was. */
  position: bigint
  events: { type: string; data: unknown }[]
}

/** Who asks, with which command. */
export type CommandSource = Omit<EventMetadata, 'name'>

/** A command that no person asked for. A derived id is handled once; without one, each call is a command of its own. */
export const bySystem = (command: string = newId()): CommandSource => ({ command, actor: 'system' })

/** What this command wrote before; undefined where it is a new one. @throws CommandIdReused where its id is another command's */
function earlierResult(past: readonly RecordedEvent[], { command, actor, asked, name }: EventMetadata): CommandResult | undefined {
  const events = past.filter(e => e.meta.command === command)
  const last = events.at(-1)
  if (!last) return undefined
  const same = last.meta.actor === actor && last.meta.name === name && (last.meta.asked ?? asked) === asked
  if (!same) throw new CommandIdReused(`${command} was ${last.meta.name} of ${last.meta.actor}, not ${name} of ${actor}`)
  return { position: last.position, events }
}

/**
 * Reads the stream, folds, decides, appends; on `RevisionConflict` reads and decides again, 3 times in all.
 * A command whose id is in the stream was done before: nothing happens, and the answer is the same.
 * @throws CommandRefused from the decision, CommandIdReused where the id is another command's, RevisionConflict after the third try
 */
export async function handleCommand<S, E extends AnyEvent, D extends Decide<S, E>, C extends keyof D & string>(
  store: EventStore,
  of: Decider<S, E, D>,
  id: string,
  command: C,
  payload: CommandPayload<D, C>,
  by: CommandSource,
): Promise<CommandResult> {
  const meta = { ...by, name: `${of.stream}.${command}` }
  for (let left = 2; ; left--) {
    const named = streamOf(of.stream, id)
    const past = await store.read(named)
    const stream = past[0]?.stream ?? named
    const before = earlierResult(past, meta)
    if (before) return before
    const decided = [of.decide[command]!(fold(of, past), payload as never)].flat() as E[]
    if (!decided.length) return { position: past.at(-1)?.position ?? -1n, events: [] }
    const events = decided.map(({ type, data }, i): NewEvent => ({ id: derivedId(meta.command, stream, i), type, data, meta }))
    try {
      return { position: await store.append(stream, past.at(-1)?.revision ?? -1n, events), events }
    } catch (error) {
      if (!(error instanceof RevisionConflict) || left === 0) throw error
    }
  }
}

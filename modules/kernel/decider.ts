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

/** The result of a decision: one event, several in one batch, or `[]` if nothing changes. */
type Decision<E> = E | E[]

type Decide<S, E extends AnyEvent> = Record<string, (state: S, payload: never) => Decision<E>>
type Evolve<S, E extends AnyEvent> = { [T in E['type']]: (state: S, data: Data<E, T>) => S }

export interface Decider<S, E extends AnyEvent, D extends Decide<S, E> = Decide<S, E>> {
  /** The noun that its streams' names begin with. It contains no dash. */
  stream: string
  initial: S
  evolve: Evolve<S, E>
  decide: D
}

/** The payload of a command, inferred from its function; `{}` if it takes none. */
export type CommandPayload<D, C extends keyof D> = D[C] extends (state: never, payload: infer P) => unknown
  ? unknown extends P
    ? object
    : P
  : never

/** Defines an aggregate: `decider<State, Event>()({ stream, initial, evolve, decide })`. Its functions are pure: no clock, no randomness, no I/O. */
export const decider =
  <S, E extends AnyEvent>() =>
  <D extends Decide<S, E>>(definition: Decider<S, E, D>) =>
    definition

/** The state after these events. Events of unknown types change nothing. */
export const fold = <S, E extends AnyEvent>(
  of: Pick<Decider<S, E>, 'initial' | 'evolve'>,
  events: readonly Pick<RecordedEvent, 'type' | 'data'>[],
): S => events.reduce<S>((state, e) => of.evolve[e.type as E['type']]?.(state, e.data as never) ?? state, of.initial)

/** The current state of one aggregate, folded from all events of its stream; `initial` if there are none. */
export const loadState = async <S, E extends AnyEvent>(
  store: Pick<EventStore, 'read'>,
  of: Pick<Decider<S, E>, 'stream' | 'initial' | 'evolve'>,
  id: string,
): Promise<S> => fold(of, await store.read(streamOf(of.stream, id)))

const NAMESPACE = '6b8a3f0e-3d52-4f0c-9f1b-1d2c5a7e9b44'

/**
 * A UUID derived from these strings; the same strings always result in the same UUID. Use it for the ids of events, commands and errands
 * that follow from another event or command, so that a repetition has the same ids.
 */
export const derivedId = (...words: (string | number)[]) => derive(words.join('\n'), NAMESPACE)

export interface CommandResult {
  /**
   * Position of the last event that this command wrote, now or when it was handled before. If it wrote none: the position of the stream's
   * last event, or −1n if the stream is empty.
   */
  position: bigint
  events: { type: string; data: unknown }[]
}

/** The origin of a command: its id, its actor, and the other metadata that its events store. */
export type CommandSource = Omit<EventMetadata, 'name'>

/** The source of a command that the system sends by itself. A command with a derived id is handled once; without one, each call is a new command. */
export const systemCommandSource = (command: string = newId()): CommandSource => ({ command, actor: 'system' })

/** The result of this command if it was handled before; undefined if it is new. @throws CommandIdReused if its id belongs to another command */
function earlierResult(past: readonly RecordedEvent[], { command, actor, asked, name }: EventMetadata): CommandResult | undefined {
  const events = past.filter(e => e.meta.command === command)
  const last = events.at(-1)
  if (!last) return undefined
  const same = last.meta.actor === actor && last.meta.name === name && (last.meta.asked ?? asked) === asked
  if (!same) throw new CommandIdReused(`${command} was ${last.meta.name} of ${last.meta.actor}, not ${name} of ${actor}`)
  return { position: last.position, events }
}

/**
 * Reads the stream, folds, decides, appends; on `RevisionConflict` reads and decides again, up to 3 times in total. A command whose id
 * is already in the stream is not executed again; its earlier result is returned.
 * @throws CommandRefused from the decision, CommandIdReused if the id belongs to another command, RevisionConflict after the third try
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

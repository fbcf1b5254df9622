import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CommandResult, decider, derivedId, fold, handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { CommandIdReused, CommandRefused, type EventStore, RevisionConflict } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { deciderSpec } from '../support/decider-spec.ts'

type Bullpen =
  | { type: 'BullpenOpened'; data: { pitcher: string } }
  | { type: 'PitchThrown'; data: { kind: string } }
  | { type: 'BullpenClosed'; data: object }

interface State {
  status: 'none' | 'open' | 'closed'
  pitches: string[]
}

const bullpen = decider<State, Bullpen>()({
  stream: 'bullpen',
  initial: { status: 'none', pitches: [] },
  evolve: {
    BullpenOpened: () => ({ status: 'open', pitches: [] }),
    PitchThrown: (s, { kind }) => ({ ...s, pitches: [...s.pitches, kind] }),
    BullpenClosed: s => ({ ...s, status: 'closed' }),
  },
  decide: {
    open: (s, c: { pitcher: string }) => (s.status === 'none' ? { type: 'BullpenOpened', data: c } : []),
    throw: (s, c: { kind: string; times?: number }) => {
      if (s.status !== 'open') throw new CommandRefused('The bullpen is not open.', 'not-open', 'kind')
      return Array.from({ length: c.times ?? 1 }, () => ({ type: 'PitchThrown' as const, data: { kind: c.kind } }))
    },
    close: s => (s.status === 'closed' ? [] : { type: 'BullpenClosed', data: {} }),
  },
})

const meta = (command: string = randomUUID()) => ({ command, actor: 'coach' })
const { given } = deciderSpec(bullpen)
const opened: Bullpen = { type: 'BullpenOpened', data: { pitcher: 'p' } }

describe('a decider', () => {
  test('decides the new events from the command and the past events', () => {
    given().when('open', { pitcher: 'p' }).gives(opened)
    expect(given(opened).when('throw', { kind: 'curve', times: 2 }).decide()).toHaveLength(2)
  })
  test('returns no event if the command changes nothing', () => {
    given(opened).when('open', { pitcher: 'p' }).gives()
  })
  test('refuses a forbidden command with a sentence for the user', () => {
    expect(given().when('throw', { kind: 'curve' }).decide).toThrow('The bullpen is not open.')
  })
  test('ignores an event of an unknown type', () => {
    expect(fold(bullpen, [opened, { type: 'MoundPainted', data: {} }])).toEqual(given(opened).state)
  })
})

describe('handling a command', () => {
  test('appends the events with actor, command and ids that are derived from the command', async () => {
    const store = memoryStore()
    const command = randomUUID()
    await handleCommand(store, bullpen, '1', 'open', { pitcher: 'p' }, meta(command))
    const { position } = await handleCommand(
      store,
      bullpen,
      '1',
      'throw',
      { kind: 'fast', times: 2 },
      { ...meta(command + 1), cause: 'event-7' },
    )
    const events = await store.read('bullpen-1')
    expect(events.map(e => e.type)).toEqual(['BullpenOpened', 'PitchThrown', 'PitchThrown'])
    expect(events[0]!.meta).toEqual({ command, actor: 'coach', name: 'bullpen.open' })
    expect(events[0]!.id).toBe(derivedId(command, 'bullpen-1', 0))
    expect(events[1]!.id).not.toBe(events[2]!.id)
    expect(events[2]!.meta.cause).toBe('event-7')
    expect(position).toBe(events[2]!.position)
  })

  test('appends nothing and throws if the command is refused', async () => {
    const store = memoryStore()
    const refused = await handleCommand(store, bullpen, '1', 'throw', { kind: 'fast' }, meta()).catch(e => e)
    expect(refused).toBeInstanceOf(CommandRefused)
    expect(refused).toMatchObject({ message: 'The bullpen is not open.', code: 'not-open', field: 'kind' })
    expect(await store.read('bullpen-1')).toEqual([])
  })

  test('returns the position of the stream if there is no new event', async () => {
    const store = memoryStore()
    expect(await handleCommand(memoryStore(), { ...bullpen, decide: { nothing: () => [] } }, '1', 'nothing', {}, meta())).toEqual({
      position: -1n,
      events: [],
    })
    const { position } = await handleCommand(store, bullpen, '1', 'open', { pitcher: 'p' }, meta())
    const silent: EventStore = { ...store, append: async () => expect.unreachable('nothing is written') }
    expect(await handleCommand(silent, bullpen, '1', 'open', { pitcher: 'p' }, meta())).toEqual({ position, events: [] })
  })

  test('derives different ids from word lists that differ only in their boundaries', () => {
    expect(derivedId('a', 'bc', 1)).toBe(derivedId('a', 'bc', 1))
    expect(new Set([derivedId('a', 'bc', 1), derivedId('ab', 'c', 1), derivedId('abc', 1), derivedId('a', 'bc1')]).size).toBe(4)
  })

  test('reads and decides again after a conflict, three times at most', async () => {
    const store = memoryStore()
    /** Returns a store in which another writer gets ahead of the first `times` appends, so that they conflict. */
    const overtakenStore = (times: number): EventStore => {
      let tries = 0
      return {
        ...store,
        append: async (...append) => {
          if (tries++ < times) await handleCommand(store, bullpen, '1', 'throw', { kind: 'rival' }, meta())
          return store.append(...append)
        },
      }
    }
    const pitches = async () => (await loadState(store, bullpen, '1')).pitches
    await handleCommand(store, bullpen, '1', 'open', { pitcher: 'p' }, meta())
    await handleCommand(overtakenStore(2), bullpen, '1', 'throw', { kind: 'mine' }, meta())
    expect(await pitches()).toEqual(['rival', 'rival', 'mine'])
    await expect(handleCommand(overtakenStore(3), bullpen, '1', 'throw', { kind: 'late' }, meta())).rejects.toThrow(RevisionConflict)
    expect(await pitches()).not.toContain('late')
  })

  test('returns the first result for a repeated command, and refuses its id for another', async () => {
    const store = memoryStore()
    const by = { command: randomUUID(), actor: 'coach', asked: 'two curves' }
    await handleCommand(store, bullpen, '1', 'open', { pitcher: 'p' }, meta())
    const first = await handleCommand(store, bullpen, '1', 'throw', { kind: 'curve', times: 2 }, by)
    await handleCommand(store, bullpen, '1', 'throw', { kind: 'fast' }, meta())
    expect((await handleCommand(store, bullpen, '1', 'throw', { kind: 'curve', times: 2 }, by)).position).toBe(first.position)
    for (const [command, other] of [
      ['throw', { ...by, asked: 'one slider' }],
      ['throw', { ...by, asked: undefined }],
      ['throw', { ...by, actor: 'rival' }],
      ['close', by],
    ] as const) {
      await expect(handleCommand(store, bullpen, '1', command, { kind: 'slider' }, other)).rejects.toThrow(CommandIdReused)
    }
    expect(await loadState(store, bullpen, '1')).toEqual({ status: 'open', pitches: ['curve', 'curve', 'fast'] })
  })

  test('compares a repeat only by sender and name if its event has no input hash', async () => {
    const store = memoryStore()
    const by = { command: randomUUID(), actor: 'coach' }
    const { position } = await handleCommand(store, bullpen, '1', 'open', { pitcher: 'p' }, by)
    expect((await handleCommand(store, bullpen, '1', 'open', { pitcher: 'p' }, { ...by, asked: 'anything' })).position).toBe(position)
    await expect(handleCommand(store, bullpen, '1', 'open', { pitcher: 'p' }, { ...by, actor: 'rival' })).rejects.toThrow(CommandIdReused)
    await expect(handleCommand(store, bullpen, '1', 'close', {}, by)).rejects.toThrow(CommandIdReused)
  })

  test('does not retry after an error of the store', async () => {
    let tries = 0
    const broken = {
      ...memoryStore(),
      append: async () => {
        tries++
        throw new Error('disk full')
      },
    }
    await expect(handleCommand(broken, bullpen, '1', 'open', { pitcher: 'p' }, meta())).rejects.toThrow('disk full')
    expect(tries).toBe(1)
  })

  test('executes repeated and interleaved commands once each, with the same results', async () => {
    const plan = fc
      .uniqueArray(fc.uuid(), { minLength: 1, maxLength: 4 })
      .chain(ids =>
        fc.tuple(fc.constant(ids), fc.shuffledSubarray([...ids, ...ids, ...ids], { minLength: ids.length * 3 }), fc.scheduler()),
      )
    await fc.assert(
      fc.asyncProperty(plan, async ([ids, order, s]) => {
        const inner = memoryStore()
        const store = { ...inner, read: s.scheduleFunction(inner.read), append: s.scheduleFunction(inner.append) }
        await handleCommand(inner, bullpen, '1', 'open', { pitcher: 'p' }, meta())
        const executeUntilWritten = async (id: string): Promise<CommandResult> =>
          handleCommand(store, bullpen, '1', 'throw', { kind: id, times: 2 }, meta(id)).catch(e => {
            // A client repeats the command with the same id.
            if (e instanceof RevisionConflict) return executeUntilWritten(id)
            throw e
          })
        const answers = await s.waitFor(Promise.all(order.map(async id => [id, await executeUntilWritten(id)] as const)))
        const events = await inner.read('bullpen-1')
        const { pitches } = fold(bullpen, events)
        expect([...pitches].sort()).toEqual(ids.flatMap(id => [id, id]).sort())
        for (const [id, { position }] of answers) expect(position).toBe(events.findLast(e => e.meta.command === id)!.position)
        expect(new Set(events.map(e => e.id)).size).toBe(events.length)
      }),
      { numRuns: 200 },
    )
  })
})

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decider, handleCommand } from '../../modules/kernel/decider.ts'
import { CommandRefused, EmptyAppend, type NewEvent, RevisionConflict } from '../../modules/kernel/store.ts'
import type { StoreContractContext } from './store-contract.ts'
import { eventAsPlainObject, newTestEvent, readUntilCount, uniqueStream, uniqueStreamNoun } from './test-events.ts'

/** Tests what every store does with appended events, their streams and their texts. */
export function testAppends(log: StoreContractContext) {
  test('an unknown stream is empty', async () => {
    expect(await log.store.read(uniqueStream())).toEqual([])
  })

  test('appended events are read back complete and in order', async () => {
    const s = uniqueStream()
    const [a, b, c] = [newTestEvent({ n: 1 }), newTestEvent({ n: 2 }), newTestEvent({ n: 3 })]
    await log.store.append(s, -1n, [a, b])
    const last = await log.store.append(s, 1n, [c])
    const read = await log.store.read(s)
    expect(read.map(({ id, type, data, meta }) => ({ id, type, data, meta }))).toEqual([a, b, c])
    expect(read.map(e => e.revision)).toEqual([0n, 1n, 2n])
    expect(read.every(e => e.stream === s)).toBe(true)
    expect(read[0]!.position < read[1]!.position && read[1]!.position < read[2]!.position).toBe(true)
    expect(read[2]!.position).toBe(last)
    expect(read[0]!.at).toBe(new Date(read[0]!.at).toISOString())
    expect(Math.abs(Date.parse(read[0]!.at) - Date.now())).toBeLessThan(60_000)
  })

  test('when many writers create the same stream at the same time, exactly one succeeds', async () => {
    const s = uniqueStream()
    const tries = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => log.store.append(s, -1n, [newTestEvent({ n })])))
    expect(tries.filter(t => t.status === 'fulfilled')).toHaveLength(1)
    for (const t of tries) if (t.status === 'rejected') expect(t.reason).toBeInstanceOf(RevisionConflict)
    expect(await log.store.read(s)).toHaveLength(1)
  })

  test('when many writers append after the same revision, exactly one succeeds', async () => {
    const s = uniqueStream()
    await log.store.append(s, -1n, [newTestEvent()])
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => log.store.append(s, 0n, [newTestEvent(), newTestEvent()])))
    expect(tries.filter(t => t.status === 'fulfilled')).toHaveLength(1)
    expect(await log.store.read(s)).toHaveLength(3)
  })

  test.each([
    ['older', 0n],
    ['next', 2n],
    ['much later', 90n],
    ['no-stream', -1n],
  ])('a wrong expected revision (%s) is a conflict that names the actual revision', async (_, expected) => {
    const s = uniqueStream()
    await log.store.append(s, -1n, [newTestEvent(), newTestEvent()])
    await expect(log.store.append(s, expected, [newTestEvent()])).rejects.toThrow(new RevisionConflict(s, expected, 1n))
    expect(await log.store.read(s)).toHaveLength(2)
  })

  test('expecting a revision of an unknown stream is a conflict', async () => {
    const s = uniqueStream()
    await expect(log.store.append(s, 0n, [newTestEvent()])).rejects.toThrow(new RevisionConflict(s, 0n, -1n))
    expect(await log.store.read(s)).toEqual([])
  })

  test('an empty append is refused and creates no stream', async () => {
    const s = uniqueStream()
    await expect(log.store.append(s, -1n, [])).rejects.toThrow(EmptyAppend)
    expect(await log.store.read(s)).toEqual([])
  })

  test("a batch is written as a whole, with no other writer's events in between", async () => {
    const prefix = uniqueStreamNoun()
    const streams = Array.from({ length: 6 }, (_, n) => `${prefix}-${n}`)
    const before = await log.store.append(`${prefix}-start`, -1n, [newTestEvent()])
    await Promise.allSettled(
      streams.flatMap(s => [
        log.store.append(s, -1n, [newTestEvent({ s, n: 0 }), newTestEvent({ s, n: 1 }), newTestEvent({ s, n: 2 })]),
        log.store.append(s, -1n, [newTestEvent(), newTestEvent()]),
      ]),
    )
    const sizes = await Promise.all(streams.map(async s => (await log.store.read(s)).length))
    expect(sizes.every(n => n === 3 || n === 2)).toBe(true)
    const all = await readUntilCount(
      log.store,
      before,
      prefix,
      sizes.reduce((a, b) => a + b),
    )
    for (const s of streams) {
      const places = all.flatMap((e, i) => (e.stream === s ? [i] : []))
      expect(places.at(-1)! - places[0]!).toBe(places.length - 1)
    }
  })

  test('a repeated or concurrent command is appended once and returns the same position', async () => {
    const [id, command] = [randomUUID(), randomUUID()]
    const pitch = decider<number, { type: 'Thrown'; data: { at: number } }>()({
      stream: uniqueStreamNoun(),
      initial: 0,
      evolve: { Thrown: n => n + 1 },
      decide: { throw: (_, c: { at: number }) => [1, 2].map(() => ({ type: 'Thrown' as const, data: c })) },
    })
    const throwPitch = () => handleCommand(log.store, pitch, id, 'throw', { at: 5 }, { command, actor: 'system' })
    const results = await Promise.all([throwPitch(), throwPitch(), throwPitch()])
    results.push(await throwPitch())
    const stored = await log.store.read(`${pitch.stream}-${id}`)
    expect(stored).toHaveLength(2)
    expect(new Set(results.map(result => result.position))).toEqual(new Set([stored[1]!.position]))
  })

  test('a stream is found by an uppercase or lowercase id; ids are read in lowercase', async () => {
    const [name, id, video] = [uniqueStreamNoun(), randomUUID(), randomUUID()]
    const capitalStream = `${name}-${id.toUpperCase()}`
    const data = { video: video.toUpperCase(), by: [{ [video.toUpperCase()]: 1 }], text: `"${video.toUpperCase()}" stays` }
    const lower = { video, by: [{ [video]: 1 }], text: data.text }
    const start = await log.store.append(`${name}-start`, -1n, [newTestEvent()])
    await log.underTest.plant(capitalStream, [newTestEvent(data), newTestEvent(2)])
    const pitch = decider<number, { type: 'Thrown'; data: { of: number } }>()({
      stream: name,
      initial: 0,
      evolve: { Thrown: n => n + 1 },
      decide: { throw: of => ({ type: 'Thrown' as const, data: { of } }) },
    })
    const command = randomUUID()
    const throwPitch = (spelling: string) => handleCommand(log.store, pitch, spelling, 'throw', {}, { command, actor: 'system' })
    const [first, repeated] = [await throwPitch(id), await throwPitch(id.toUpperCase())]
    expect(repeated.position).toBe(first.position)
    const read = await log.store.read(`${name}-${id}`)
    expect(read.map(e => [e.stream, e.revision, e.data])).toEqual([
      [capitalStream, 0n, lower],
      [capitalStream, 1n, 2],
      [capitalStream, 2n, { of: 2 }],
    ])
    expect((await log.store.read(capitalStream)).map(eventAsPlainObject)).toEqual(read.map(eventAsPlainObject))
    expect((await readUntilCount(log.store, start, `${name}-`, 3)).map(eventAsPlainObject)).toEqual(read.map(eventAsPlainObject))
  })

  test('streams whose names differ only in letter case stay separate, even without UUIDs', async () => {
    const [name, id] = [uniqueStreamNoun(), randomUUID()]
    await log.store.append(`${name}-${id}`, -1n, [newTestEvent('lower')])
    await log.underTest.plant(`${name}-${id.toUpperCase()}`, [newTestEvent('upper'), newTestEvent('upper')])
    await log.underTest.plant(`${name}-WORD`, [newTestEvent('word')])
    const sizes = await Promise.all([id, id.toUpperCase(), 'word', 'WORD', randomUUID()].map(each => log.store.read(`${name}-${each}`)))
    expect(sizes.map(events => events.map(e => e.data))).toEqual([['lower'], ['upper', 'upper'], [], ['word'], []])
  })

  test('text of any script, nulls and 100 kB of text are read back unchanged', async () => {
    const s = `${uniqueStreamNoun()}-ü-日本-\u{1f94e}-"quoted"\\`
    const data = [
      { name: 'José “Pepe” Müller 日本語 عربى \u{1f94e}\u200d\u{1f468}', quote: '"\\\n\r\t\b\u2028', escaped: '\\u0000' },
      { nothing: null, list: [null, [], {}, ''], no: false, zero: 0, small: -1.5e-9, big: 9007199254740991 },
      { text: 'ä'.repeat(50_000) },
      null,
      'a string',
      [1, [2]],
    ]
    await log.store.append(
      s,
      -1n,
      data.map(d => newTestEvent(d)),
    )
    expect((await log.store.read(s)).map(e => e.data)).toEqual(data)
  })

  test('any JSON is read back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }), { minLength: 1, maxLength: 4 }), async values => {
        const newEvents = JSON.parse(JSON.stringify(values)).map((v: unknown) => newTestEvent(v)) as NewEvent[]
        if (/\\u0000|\\ud[89a-f]../.test(JSON.stringify(values))) return
        const s = uniqueStream()
        await log.store.append(s, -1n, newEvents)
        expect((await log.store.read(s)).map(e => e.data)).toEqual(newEvents.map(e => e.data))
      }),
      { numRuns: 40 },
    )
  })

  test.each([
    ['NUL in a text', newTestEvent({ note: 'a\u0000b' })],
    ['NUL in a key', newTestEvent({ 'a\u0000': 1 })],
    ['NUL in the metadata', newTestEvent({}, { command: 'a\u0000' })],
    ['NUL after a backslash', newTestEvent({ note: '\\\u0000' })],
    ['half of a surrogate pair', newTestEvent({ note: '\ud83e' })],
  ])('an event with a character that cannot be stored is refused: %s', async (_, bad) => {
    const s = uniqueStream()
    await expect(log.store.append(s, -1n, [newTestEvent(), bad])).rejects.toThrow(CommandRefused)
    expect(await log.store.read(s)).toEqual([])
  })
}

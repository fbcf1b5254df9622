import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decider, handle } from '../../modules/kernel/decider.ts'
import {
  CommandRefused,
  EmptyAppend,
  type EventStore,
  idOf,
  LogTruncated,
  type NewEvent,
  type RecordedEvent,
  RevisionConflict,
} from '../../modules/kernel/store.ts'

export interface StoreUnderTest {
  /** Each test gets a separate store on the same log, so that tests do not affect each other. */
  open: () => EventStore & { close?: () => Promise<unknown> }
  /** Cuts the connections of the store's readers, as a failing network does; they must recover by themselves. */
  drop?: () => Promise<void>
  /** Writes a stream as older versions did, which did not normalize the spelling of ids. */
  plant: (stream: string, events: NewEvent[]) => Promise<unknown>
  end?: () => Promise<void>
}

/** An event with new ids unless given. */
export const newTestEvent = (data: unknown = {}, { type = 'Thrown', command = randomUUID() as string } = {}): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  meta: { command, name: 'pitch.throw', actor: 'system' },
})

/** A unique noun for streams that no other test reads. */
export const uniqueNoun = () => `pitch${randomUUID().replaceAll('-', '')}`

/** The fields of an event that do not depend on the store. */
const told = ({ id, type, data, meta, stream, position, revision, at }: RecordedEvent) => ({
  ...{ id, type, data, meta, stream, position, revision, at },
})

/** Reads until `count` events of streams with this prefix have arrived, in order of arrival. */
export async function readUntilCount(store: EventStore, after: bigint, prefix: string, count: number, seen?: (e: RecordedEvent) => void) {
  const found: RecordedEvent[] = []
  const ending = new AbortController()
  for await (const batch of store.follow(after, ending.signal)) {
    for (const e of batch.filter(e => e.stream.startsWith(prefix))) {
      found.push(e)
      seen?.(e)
    }
    if (found.length >= count) break
  }
  ending.abort()
  return found
}

/**
 * The contract of every store. The log may hold other events, so each test uses streams of its own. The store stays open until all tests of
 * the file are done, so that any of them can be rerun (`npm run mutate -- --once`).
 */
export function testStoreContract(name: string, open: () => Promise<StoreUnderTest>) {
  let tried: StoreUnderTest
  beforeAll(async () => {
    tried = await open()
  })
  afterAll(() => tried?.end?.())
  describe(name, () => {
    let store: ReturnType<StoreUnderTest['open']>
    beforeEach(() => {
      store = tried.open()
    })
    afterEach(() => store.close?.())
    const stream = () => `${uniqueNoun()}-${randomUUID()}`

    test('an unknown stream is empty', async () => {
      expect(await store.read(stream())).toEqual([])
    })

    test('appended events are read back complete and in order', async () => {
      const s = stream()
      const [a, b, c] = [newTestEvent({ n: 1 }), newTestEvent({ n: 2 }), newTestEvent({ n: 3 })]
      await store.append(s, -1n, [a, b])
      const last = await store.append(s, 1n, [c])
      const read = await store.read(s)
      expect(read.map(({ id, type, data, meta }) => ({ id, type, data, meta }))).toEqual([a, b, c])
      expect(read.map(e => e.revision)).toEqual([0n, 1n, 2n])
      expect(read.every(e => e.stream === s)).toBe(true)
      expect(read[0]!.position < read[1]!.position && read[1]!.position < read[2]!.position).toBe(true)
      expect(read[2]!.position).toBe(last)
      expect(read[0]!.at).toBe(new Date(read[0]!.at).toISOString())
      expect(Math.abs(Date.parse(read[0]!.at) - Date.now())).toBeLessThan(60_000)
    })

    test('one of many concurrent creators of a stream wins', async () => {
      const s = stream()
      const tries = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => store.append(s, -1n, [newTestEvent({ n })])))
      expect(tries.filter(t => t.status === 'fulfilled')).toHaveLength(1)
      for (const t of tries) if (t.status === 'rejected') expect(t.reason).toBeInstanceOf(RevisionConflict)
      expect(await store.read(s)).toHaveLength(1)
    })

    test('one of many concurrent writers after the same revision wins', async () => {
      const s = stream()
      await store.append(s, -1n, [newTestEvent()])
      const tries = await Promise.allSettled(Array.from({ length: 12 }, () => store.append(s, 0n, [newTestEvent(), newTestEvent()])))
      expect(tries.filter(t => t.status === 'fulfilled')).toHaveLength(1)
      expect(await store.read(s)).toHaveLength(3)
    })

    test.each([
      ['stale', 0n],
      ['future', 2n],
      ['far future', 90n],
      ['none', -1n],
    ])('a %s revision is a conflict that says where the stream is', async (_, expected) => {
      const s = stream()
      await store.append(s, -1n, [newTestEvent(), newTestEvent()])
      await expect(store.append(s, expected, [newTestEvent()])).rejects.toThrow(new RevisionConflict(s, expected, 1n))
      expect(await store.read(s)).toHaveLength(2)
    })

    test('an expected revision of an unknown stream is a conflict', async () => {
      const s = stream()
      await expect(store.append(s, 0n, [newTestEvent()])).rejects.toThrow(new RevisionConflict(s, 0n, -1n))
      expect(await store.read(s)).toEqual([])
    })

    test('an empty append is refused and creates no stream', async () => {
      const s = stream()
      await expect(store.append(s, -1n, [])).rejects.toThrow(EmptyAppend)
      expect(await store.read(s)).toEqual([])
    })

    test('a batch is written as one: all or none, and nothing between', async () => {
      const prefix = uniqueNoun()
      const streams = Array.from({ length: 6 }, (_, n) => `${prefix}-${n}`)
      const before = await store.append(`${prefix}-start`, -1n, [newTestEvent()])
      await Promise.allSettled(
        streams.flatMap(s => [
          store.append(s, -1n, [newTestEvent({ s, n: 0 }), newTestEvent({ s, n: 1 }), newTestEvent({ s, n: 2 })]),
          store.append(s, -1n, [newTestEvent(), newTestEvent()]),
        ]),
      )
      const sizes = await Promise.all(streams.map(async s => (await store.read(s)).length))
      expect(sizes.every(n => n === 3 || n === 2)).toBe(true)
      const all = await readUntilCount(
        store,
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
        stream: uniqueNoun(),
        initial: 0,
        evolve: { Thrown: n => n + 1 },
        decide: { throw: (_, c: { at: number }) => [1, 2].map(() => ({ type: 'Thrown' as const, data: c })) },
      })
      const once = () => handle(store, pitch, id, 'throw', { at: 5 }, { command, actor: 'system' })
      const answers = await Promise.all([once(), once(), once()])
      answers.push(await once())
      const there = await store.read(`${pitch.stream}-${id}`)
      expect(there).toHaveLength(2)
      expect(new Set(answers.map(a => a.position))).toEqual(new Set([there[1]!.position]))
    })

    test('a stream with an id in capitals is found by its id, and read in lower case', async () => {
      const [name, id, video] = [uniqueNoun(), randomUUID(), randomUUID()]
      const shouted = `${name}-${id.toUpperCase()}`
      const data = { video: video.toUpperCase(), by: [{ [video.toUpperCase()]: 1 }], text: `"${video.toUpperCase()}" stays` }
      const lower = { video, by: [{ [video]: 1 }], text: data.text }
      const start = await store.append(`${name}-start`, -1n, [newTestEvent()])
      await tried.plant(shouted, [newTestEvent(data), newTestEvent(2)])
      const pitch = decider<number, { type: 'Thrown'; data: { of: number } }>()({
        stream: name,
        initial: 0,
        evolve: { Thrown: n => n + 1 },
        decide: { throw: of => ({ type: 'Thrown' as const, data: { of } }) },
      })
      const command = randomUUID()
      const ask = (as: string) => handle(store, pitch, as, 'throw', {}, { command, actor: 'system' })
      const [one, again] = [await ask(id), await ask(id.toUpperCase())]
      expect(again.position).toBe(one.position)
      const read = await store.read(`${name}-${id}`)
      expect(read.map(e => [e.stream, e.revision, e.data])).toEqual([
        [shouted, 0n, lower],
        [shouted, 1n, 2],
        [shouted, 2n, { of: 2 }],
      ])
      expect((await store.read(shouted)).map(told)).toEqual(read.map(told))
      expect((await readUntilCount(store, start, `${name}-`, 3)).map(told)).toEqual(read.map(told))
    })

    test('streams that differ only in case stay apart, and so do names without an id', async () => {
      const [name, id] = [uniqueNoun(), randomUUID()]
      await store.append(`${name}-${id}`, -1n, [newTestEvent('lower')])
      await tried.plant(`${name}-${id.toUpperCase()}`, [newTestEvent('upper'), newTestEvent('upper')])
      await tried.plant(`${name}-WORD`, [newTestEvent('word')])
      const sizes = await Promise.all([id, id.toUpperCase(), 'word', 'WORD', randomUUID()].map(each => store.read(`${name}-${each}`)))
      expect(sizes.map(events => events.map(e => e.data))).toEqual([['lower'], ['upper', 'upper'], [], ['word'], []])
    })

    test('a subscription starts at the beginning or in the middle, and goes on live', async () => {
      const prefix = uniqueNoun()
      const [one, two] = [`${prefix}-one`, `${prefix}-two`]
      await store.append(one, -1n, [newTestEvent(1), newTestEvent(2)])
      const middle = await store.append(two, -1n, [newTestEvent(3)])
      await store.append(one, 1n, [newTestEvent(4)])
      expect((await readUntilCount(store, -1n, prefix, 4)).map(e => e.data)).toEqual([1, 2, 3, 4])
      expect((await readUntilCount(store, middle, prefix, 1)).map(e => e.data)).toEqual([4])

      let told = () => {}
      const first = new Promise<void>(resolve => {
        told = resolve
      })
      const live = readUntilCount(store, middle, prefix, 4, told)
      await first
      await store.append(two, 0n, [newTestEvent(5), newTestEvent(6)])
      await store.append(one, 2n, [newTestEvent(7)])
      expect((await live).map(e => e.data)).toEqual([4, 5, 6, 7])
    })

    test('a subscription to some types yields all of them in order, and the position read', async () => {
      const prefix = uniqueNoun()
      const s = `${prefix}-x`
      const thrown = (n: number) => newTestEvent(n, { type: n % 3 ? 'Thrown' : "Hit 'far'" })
      const start = await store.append(`${prefix}-start`, -1n, [newTestEvent()])
      const many = Array.from({ length: 251 }, (_, n) => thrown(n))
      const last = await store.append(s, -1n, many)
      const ending = new AbortController()
      const found: RecordedEvent[] = []
      let end = last
      for await (const batch of store.follow(start, ending.signal, ["Hit 'far'"])) {
        found.push(...batch)
        if (batch.at(-1)!.position < end) continue
        if (end > last) break
        end = await store.append(s, 250n, [8, 9, 10].map(thrown))
      }
      ending.abort()
      const hits = found.filter(e => e.type === "Hit 'far'" && e.stream === s)
      expect(hits.map(told)).toEqual((await store.read(s)).filter(e => e.type === "Hit 'far'").map(told))
      expect(found.map(e => e.position)).toEqual([...new Set(found.map(e => e.position))].sort((a, b) => (a < b ? -1 : 1)))
    })

    test('a subscription yields the same events as a read', async () => {
      const prefix = uniqueNoun()
      const odd = `${prefix}-"odd"\\\t\n`
      await store.append(odd, -1n, [
        ...Array.from({ length: 120 }, (_, n) => newTestEvent(n)),
        ...[
          newTestEvent({ deep: [{ a: null }] }),
          newTestEvent('text'),
          newTestEvent('\b\t\n\v\f\r'),
          newTestEvent('\\t \\N \\. "quoted" \\\\'),
        ],
        newTestEvent({ 'é\u2028\u{1f94e}': '' }, { type: 'Tab\tbed\\N' }),
      ])
      expect((await readUntilCount(store, -1n, prefix, 125)).map(told)).toEqual((await store.read(odd)).map(told))
      // Copying the error keeps all of its fields, too.
      for (const e of [...(await readUntilCount(store, -1n, prefix, 125)), ...(await store.read(odd))]) {
        expect({ ...e }).toMatchObject(told(e))
        expect(['type' in e, 'bat' in e, Object.hasOwn(e, 'type'), Object.hasOwn(e, 'bat')]).toEqual([true, false, true, false])
        expect(JSON.parse(JSON.stringify(e, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).type).toBe(e.type)
      }
    })

    test('a subscription yields the order of commits, complete and once, under 16 writers', async () => {
      const prefix = uniqueNoun()
      const start = await store.append(`${prefix}-start`, -1n, [newTestEvent()])
      const live = readUntilCount(store, start, prefix, 16 * 25)
      const acknowledged: { position: bigint; asked: number; answered: number }[] = []
      await Promise.all(
        Array.from({ length: 16 }, async (_, w) => {
          for (let n = 0; n < 25; n++) {
            const asked = performance.now()
            const position = await store.append(`${prefix}-${w}`, BigInt(n) - 1n, [newTestEvent({ w, n })])
            acknowledged.push({ position, asked, answered: performance.now() })
          }
        }),
      )
      const seen = await live
      expect(seen.map(e => e.position)).toEqual(acknowledged.map(a => a.position).sort((a, b) => (a < b ? -1 : 1)))
      for (const w of Array(16).keys())
        expect(seen.filter(e => idOf(e.stream) === `${w}`).map(e => e.revision)).toEqual([...Array(25).keys()].map(BigInt))
      // An append that was acknowledged before another one was sent comes first.
      let latest = 0
      const late = acknowledged
        .sort((a, b) => (a.position < b.position ? -1 : 1))
        .filter(({ asked, answered }) => {
          latest = Math.max(latest, asked)
          return answered < latest
        })
      expect(late).toEqual([])
    })

    test('a subscription ends when aborted before, while waiting, or between batches', async () => {
      const prefix = uniqueNoun()
      const from = await store.append(`${prefix}-start`, -1n, [newTestEvent()])
      await store.append(`${prefix}-x`, -1n, [newTestEvent(1)])
      const drain = async (signal: AbortSignal, each?: () => void) => {
        let n = 0
        for await (const batch of store.follow(from, signal)) {
          n += batch.filter(e => e.stream.startsWith(prefix)).length
          each?.()
        }
        return n
      }
      expect(await drain(AbortSignal.abort())).toBe(0)
      const [waiting, between] = [new AbortController(), new AbortController()]
      expect(await drain(waiting.signal, () => setTimeout(() => waiting.abort(), 20))).toBe(1)
      expect(await drain(between.signal, () => between.abort())).toBe(1)
    })

    test('a subscription from beyond the end of the log reports a truncated log', async () => {
      const at = await store.append(stream(), -1n, [newTestEvent()])
      const beyond = at + 1_000_000n
      const error = await readUntilCount(store, beyond, 'nobody', 1).catch(error => error)
      expect(error).toBeInstanceOf(LogTruncated)
      expect([error.position, error.end >= at && error.end < beyond]).toEqual([beyond, true])
    })

    test('a subscription survives a lost connection', async () => {
      const prefix = uniqueNoun()
      const start = await store.append(`${prefix}-x`, -1n, [newTestEvent(0)])
      let told = () => {}
      const first = new Promise<void>(resolve => {
        told = resolve
      })
      const live = readUntilCount(store, start, prefix, 6, told)
      await store.append(`${prefix}-x`, 0n, [newTestEvent(1)])
      await first
      await tried.drop?.()
      const append = async (revision: bigint): Promise<bigint> => {
        try {
          return await store.append(`${prefix}-x`, revision, [newTestEvent(Number(revision) + 1)])
        } catch (error) {
          if (error instanceof RevisionConflict) return revision // it had been written after all
          await new Promise(resolve => setTimeout(resolve, 50))
          return append(revision)
        }
      }
      for (const revision of [1n, 2n, 3n]) await append(revision)
      await tried.drop?.()
      for (const revision of [4n, 5n]) await append(revision)
      expect((await live).map(e => e.data)).toEqual([1, 2, 3, 4, 5, 6])
    })

    test('text of any script, nulls and 100 kB of text are read back unchanged', async () => {
      const s = `${uniqueNoun()}-ü-日本-\u{1f94e}-"quoted"\\`
      const data = [
        { name: 'José “Pepe” Müller 日本語 عربى \u{1f94e}\u200d\u{1f468}', quote: '"\\\n\r\t\b\u2028', escaped: '\\u0000' },
        { nothing: null, list: [null, [], {}, ''], no: false, zero: 0, small: -1.5e-9, big: 9007199254740991 },
        { text: 'ä'.repeat(50_000) },
        null,
        'a string',
        [1, [2]],
      ]
      await store.append(
        s,
        -1n,
        data.map(d => newTestEvent(d)),
      )
      expect((await store.read(s)).map(e => e.data)).toEqual(data)
    })

    test('any JSON is read back unchanged', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }), { minLength: 1, maxLength: 4 }), async values => {
          const news = JSON.parse(JSON.stringify(values)).map((v: unknown) => newTestEvent(v)) as NewEvent[]
          if (/\\u0000|\\ud[89a-f]../.test(JSON.stringify(values))) return
          const s = stream()
          await store.append(s, -1n, news)
          expect((await store.read(s)).map(e => e.data)).toEqual(news.map(e => e.data))
        }),
        { numRuns: 40 },
      )
    })

    test.each([
      ['in a text', newTestEvent({ note: 'a\u0000b' })],
      ['in a key', newTestEvent({ 'a\u0000': 1 })],
      ['in its metadata', newTestEvent({}, { command: 'a\u0000' })],
      ['after a backslash', newTestEvent({ note: '\\\u0000' })],
      ['as half of a character', newTestEvent({ note: '\ud83e' })],
    ])('a text that no store can hold is refused: %s', async (_, bad) => {
      const s = stream()
      await expect(store.append(s, -1n, [newTestEvent(), bad])).rejects.toThrow(CommandRefused)
      expect(await store.read(s)).toEqual([])
    })
  })
}

import { expect, test } from 'vitest'
import { idOfStream, LogTruncatedError, type RecordedEvent, RevisionConflict } from '../../modules/kernel/store.ts'
import type { StoreContractContext } from './store-contract.ts'
import { eventAsPlainObject, newTestEvent, readUntilCount, uniqueStream, uniqueStreamNoun } from './test-events.ts'

/** Tests what every store yields to its followers. */
export function testSubscriptions(log: StoreContractContext) {
  test('a subscription starts at the beginning or in the middle, and then continues live', async () => {
    const prefix = uniqueStreamNoun()
    const [one, two] = [`${prefix}-one`, `${prefix}-two`]
    await log.store.append(one, -1n, [newTestEvent(1), newTestEvent(2)])
    const middle = await log.store.append(two, -1n, [newTestEvent(3)])
    await log.store.append(one, 1n, [newTestEvent(4)])
    expect((await readUntilCount(log.store, -1n, prefix, 4)).map(e => e.data)).toEqual([1, 2, 3, 4])
    expect((await readUntilCount(log.store, middle, prefix, 1)).map(e => e.data)).toEqual([4])

    const first = Promise.withResolvers<void>()
    const live = readUntilCount(log.store, middle, prefix, 4, () => first.resolve())
    await first.promise
    await log.store.append(two, 0n, [newTestEvent(5), newTestEvent(6)])
    await log.store.append(one, 2n, [newTestEvent(7)])
    expect((await live).map(e => e.data)).toEqual([4, 5, 6, 7])
  })

  test("a subscription to some types yields their events in order, up to the log's end", async () => {
    const prefix = uniqueStreamNoun()
    const s = `${prefix}-x`
    const thrown = (n: number) => newTestEvent(n, { type: n % 3 ? 'Thrown' : "Hit 'far'" })
    const start = await log.store.append(`${prefix}-start`, -1n, [newTestEvent()])
    const many = Array.from({ length: 251 }, (_, n) => thrown(n))
    const last = await log.store.append(s, -1n, many)
    const ending = new AbortController()
    const found: RecordedEvent[] = []
    let end = last
    for await (const batch of log.store.follow(start, ending.signal, ["Hit 'far'"])) {
      found.push(...batch)
      if (batch.at(-1)!.position < end) continue
      if (end > last) break
      end = await log.store.append(s, 250n, [8, 9, 10].map(thrown))
    }
    ending.abort()
    const hits = found.filter(e => e.type === "Hit 'far'" && e.stream === s)
    expect(hits.map(eventAsPlainObject)).toEqual((await log.store.read(s)).filter(e => e.type === "Hit 'far'").map(eventAsPlainObject))
    expect(found.map(e => e.position)).toEqual([...new Set(found.map(e => e.position))].sort((a, b) => (a < b ? -1 : 1)))
  })

  test('a subscription yields the same events as a read', async () => {
    const prefix = uniqueStreamNoun()
    const odd = `${prefix}-"odd"\\\t\n`
    await log.store.append(odd, -1n, [
      ...Array.from({ length: 120 }, (_, n) => newTestEvent(n)),
      ...[
        newTestEvent({ deep: [{ a: null }] }),
        newTestEvent('text'),
        newTestEvent('\b\t\n\v\f\r'),
        newTestEvent('\\t \\N \\. "quoted" \\\\'),
      ],
      newTestEvent({ 'é\u2028\u{1f94e}': '' }, { type: 'Tab\tbed\\N' }),
    ])
    expect((await readUntilCount(log.store, -1n, prefix, 125)).map(eventAsPlainObject)).toEqual(
      (await log.store.read(odd)).map(eventAsPlainObject),
    )
    // A copy of the event has all of its fields, too.
    for (const e of [...(await readUntilCount(log.store, -1n, prefix, 125)), ...(await log.store.read(odd))]) {
      expect({ ...e }).toMatchObject(eventAsPlainObject(e))
      expect(['type' in e, 'bat' in e, Object.hasOwn(e, 'type'), Object.hasOwn(e, 'bat')]).toEqual([true, false, true, false])
      expect(JSON.parse(JSON.stringify(e, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).type).toBe(e.type)
    }
  })

  test('a subscription yields each event of 16 writers once, in the order of commits', async () => {
    const prefix = uniqueStreamNoun()
    const start = await log.store.append(`${prefix}-start`, -1n, [newTestEvent()])
    const live = readUntilCount(log.store, start, prefix, 16 * 25)
    const acknowledged: { position: bigint; sentAt: number; answeredAt: number }[] = []
    await Promise.all(
      Array.from({ length: 16 }, async (_, w) => {
        for (let n = 0; n < 25; n++) {
          const sentAt = performance.now()
          const position = await log.store.append(`${prefix}-${w}`, BigInt(n) - 1n, [newTestEvent({ w, n })])
          acknowledged.push({ position, sentAt, answeredAt: performance.now() })
        }
      }),
    )
    const received = await live
    expect(received.map(e => e.position)).toEqual(acknowledged.map(a => a.position).sort((a, b) => (a < b ? -1 : 1)))
    for (const w of Array(16).keys())
      expect(received.filter(e => idOfStream(e.stream) === `${w}`).map(e => e.revision)).toEqual([...Array(25).keys()].map(BigInt))
    // An append that was acknowledged before another one was sent has the lower position.
    let latest = 0
    const late = acknowledged
      .sort((a, b) => (a.position < b.position ? -1 : 1))
      .filter(({ sentAt, answeredAt }) => {
        latest = Math.max(latest, sentAt)
        return answeredAt < latest
      })
    expect(late).toEqual([])
  })

  test('a subscription can be aborted before it starts, while waiting or between batches', async () => {
    const prefix = uniqueStreamNoun()
    const from = await log.store.append(`${prefix}-start`, -1n, [newTestEvent()])
    await log.store.append(`${prefix}-x`, -1n, [newTestEvent(1)])
    const drain = async (signal: AbortSignal, each?: () => void) => {
      let n = 0
      for await (const batch of log.store.follow(from, signal)) {
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

  test('a subscription from a position beyond the end of the log reports a truncated log', async () => {
    const at = await log.store.append(uniqueStream(), -1n, [newTestEvent()])
    const beyond = at + 1_000_000n
    const error = await readUntilCount(log.store, beyond, 'nobody', 1).catch(error => error)
    expect(error).toBeInstanceOf(LogTruncatedError)
    expect([error.position, error.end >= at && error.end < beyond]).toEqual([beyond, true])
  })

  test('a subscription survives a lost connection', async () => {
    const prefix = uniqueStreamNoun()
    const start = await log.store.append(`${prefix}-x`, -1n, [newTestEvent(0)])
    const first = Promise.withResolvers<void>()
    const live = readUntilCount(log.store, start, prefix, 6, () => first.resolve())
    await log.store.append(`${prefix}-x`, 0n, [newTestEvent(1)])
    await first.promise
    await log.underTest.drop?.()
    const append = async (revision: bigint): Promise<bigint> => {
      try {
        return await log.store.append(`${prefix}-x`, revision, [newTestEvent(Number(revision) + 1)])
      } catch (error) {
        // The append was written, but its response was lost.
        if (error instanceof RevisionConflict) return revision
        await new Promise(resolve => setTimeout(resolve, 50))
        return append(revision)
      }
    }
    for (const revision of [1n, 2n, 3n]) await append(revision)
    await log.underTest.drop?.()
    for (const revision of [4n, 5n]) await append(revision)
    expect((await live).map(e => e.data)).toEqual([1, 2, 3, 4, 5, 6])
  })
}

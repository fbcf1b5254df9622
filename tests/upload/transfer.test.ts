import { describe, expect, it } from 'vitest'
import type { Upload } from '../../modules/folders/contract.ts'
import { missing, pace, range, transfer, Unsent, type Wire } from '../../src/upload/transfer.ts'

const MB = 1024 * 1024
const upload = (more: Partial<Upload> = {}): Upload => ({
  id: '0190a000-0000-7000-8000-000000000001',
  folder: '0190a000-0000-7000-8000-000000000002',
  replaces: null,
  name: 'swing.mp4',
  type: 'video/mp4',
  bytes: 10,
  fingerprint: 'f',
  parts: 4,
  partBytes: 3,
  arrived: [],
  started: '2026-01-01T00:00:00.000Z',
  ...more,
})
const file = new Blob(['0123456789'])

/** A store that keeps what it gets, and does what `trouble` says for the nth PUT of a part. */
function world(trouble: (number: number, time: number) => number | undefined = () => undefined) {
  const got = new Map<number, string>()
  const puts: number[] = []
  const pauses: number[] = []
  let signed = 0
  const wire: Wire = {
    sign: async numbers => {
      signed++
      return numbers.map(number => ({ number, url: `put:${number}`, bytes: 0 }))
    },
    put: async (url, body, sent, signal) => {
      const number = Number(url.slice(4))
      puts.push(number)
      const status = trouble(number, puts.filter(n => n === number).length)
      sent(1)
      if (status !== undefined) throw new Unsent(status)
      signal.throwIfAborted()
      got.set(number, await body.text())
      sent(body.size)
    },
    pause: async attempt => {
      pauses.push(attempt)
    },
  }
  return { wire, got, puts, pauses, signed: () => signed }
}
const go = (wire: Wire, what = upload(), signal = new AbortController().signal) => {
  const told: number[] = []
  return { told, done: transfer(what, file, wire, { signal, progress: bytes => told.push(bytes) }) }
}

describe('transfer', () => {
  it('sends each part once, every byte in its place', async () => {
    const { wire, got, puts } = world()
    const { done, told } = go(wire)
    await done
    expect([...got].sort()).toEqual([
      [1, '012'],
      [2, '345'],
      [3, '678'],
      [4, '9'],
    ])
    expect(puts).toHaveLength(4)
    expect(told.at(-1)).toBe(10)
  })

  it('sends only what is missing', async () => {
    const { wire, puts } = world()
    const { done, told } = go(wire, upload({ arrived: [1, 3].map(number => ({ number, etag: 'e', bytes: 3 })) }))
    await done
    expect(puts.sort()).toEqual([2, 4])
    expect(told[0]).toBe(6)
    expect(told.at(-1)).toBe(10)
  })

  it('sends a small file whole, with its type', async () => {
    const types: string[] = []
    const { wire, got } = world()
    const put = wire.put
    wire.put = (url, body, ...rest) => {
      types.push(body.type)
      return put(url, body, ...rest)
    }
    await go(wire, upload({ parts: 1, partBytes: 10 })).done
    expect(got.get(1)).toBe('0123456789')
    expect(types).toEqual(['video/mp4'])
  })

  it('waits out a lost connection for as long as it takes', async () => {
    const { wire, got, pauses } = world((number, time) => (number === 2 && time < 20 ? 0 : undefined))
    await go(wire).done
    expect(got.size).toBe(4)
    expect(pauses).toHaveLength(19)
  })

  it('signs again when a signature has run out', async () => {
    const { wire, got, signed } = world((number, time) => (number === 1 && time === 1 ? 403 : undefined))
    await go(wire).done
    expect(got.size).toBe(4)
    expect(signed()).toBe(2)
  })

  it('gives up when the store keeps saying no, at once where it is hopeless', async () => {
    await expect(go(world(() => 503).wire).done).rejects.toMatchObject({ status: 503 })
    const { wire, puts } = world(number => (number === 1 ? 400 : undefined))
    await expect(go(wire).done).rejects.toMatchObject({ status: 400 })
    expect(puts.filter(n => n === 1)).toHaveLength(1)
  })

  it('stops at a pause and goes on from what has landed', async () => {
    const stop = new AbortController()
    const { wire, got } = world()
    const put = wire.put
    wire.put = async (url, ...rest) => {
      if (url === 'put:4') stop.abort()
      return put(url, ...rest)
    }
    await expect(go(wire, upload(), stop.signal).done).rejects.toMatchObject({ name: 'AbortError' })
    expect(got.has(4)).toBe(false)
  })
})

describe('range and missing', () => {
  it('cover a file exactly', () => {
    const big = upload({ bytes: 26 * MB, parts: 4, partBytes: 8 * MB })
    expect(missing(big).map(n => range(big, n))).toEqual([
      [0, 8 * MB],
      [8 * MB, 16 * MB],
      [16 * MB, 24 * MB],
      [24 * MB, 26 * MB],
    ])
  })
})

describe('pace', () => {
  it('says nothing in the first second, then what is left', () => {
    const of = pace(100)
    expect(of(0, 0).left).toBeNull()
    expect(of(5, 500).left).toBeNull()
    expect(of(10, 1000)).toEqual({ speed: 10, left: 9 })
  })
  it('forgets what is older than ten seconds', () => {
    const of = pace(1000)
    for (let s = 0; s <= 10; s++) of(s, s * 1000)
    for (let s = 11; s <= 21; s++) of(10 + (s - 10) * 50, s * 1000)
    expect(of(560, 21_000).speed).toBeGreaterThan(40)
  })
})

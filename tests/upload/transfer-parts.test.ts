import { afterEach, describe, expect, it, vi } from 'vitest'
import type { UploadInProgress } from '../../modules/uploads/contract.ts'
import { ApiError } from '../../src/client/api.ts'
import { byteRange, missingPartNumbers, TransferError, transferParts, type UploadTransport } from '../../src/upload/transfer-parts.ts'
import { retryUntilAnswered } from '../../src/upload/upload-transport.ts'

const MB = 1024 * 1024
const upload = (more: Partial<UploadInProgress> = {}): UploadInProgress => ({
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
afterEach(() => vi.unstubAllGlobals())

/**
 * A fake object store. `failure` returns the status with which the nth PUT of a part fails, or undefined if it succeeds. `got`: the parts
 * that arrived; `puts`: the part of each PUT.
 */
function fakeStore(failure: (number: number, time: number) => number | undefined = () => undefined) {
  const got = new Map<number, string>()
  const puts: number[] = []
  const pauses: number[] = []
  let signed = 0
  const transport: UploadTransport = {
    sign: async numbers => {
      signed++
      return numbers.map(number => ({ number, url: `put:${number}`, bytes: 0 }))
    },
    put: async (url, body, sent, signal) => {
      const number = Number(url.slice(4))
      puts.push(number)
      const status = failure(number, puts.filter(n => n === number).length)
      sent(1)
      if (status !== undefined) throw new TransferError(status)
      signal.throwIfAborted()
      got.set(number, await body.text())
      sent(body.size)
    },
    pause: async attempt => {
      pauses.push(attempt)
    },
  }
  return { transport, got, puts, pauses, signed: () => signed }
}
const send = (transport: UploadTransport, what = upload(), signal = new AbortController().signal, blob = file) => {
  const reported: number[] = []
  return { reported, done: transferParts(what, blob, transport, { signal, progress: bytes => reported.push(bytes) }) }
}

describe('transferParts', () => {
  it('sends each part once', async () => {
    const { transport, got, puts } = fakeStore()
    const { done, reported } = send(transport)
    await done
    expect([...got].sort()).toEqual([
      [1, '012'],
      [2, '345'],
      [3, '678'],
      [4, '9'],
    ])
    expect(puts).toHaveLength(4)
    expect(reported.at(-1)).toBe(10)
  })

  it('sends only the missing parts', async () => {
    const { transport, puts } = fakeStore()
    const { done, reported } = send(transport, upload({ arrived: [1, 3].map(number => ({ number, etag: 'e', bytes: 3 })) }))
    await done
    expect(puts.sort()).toEqual([2, 4])
    expect(reported[0]).toBe(6)
    expect(reported.at(-1)).toBe(10)
  })

  it('sends a small file in one part with its type', async () => {
    const types: string[] = []
    const { transport, got } = fakeStore()
    const put = transport.put
    transport.put = (url, body, ...rest) => {
      types.push(body.type)
      return put(url, body, ...rest)
    }
    await send(transport, upload({ parts: 1, partBytes: 10 })).done
    expect(got.get(1)).toBe('0123456789')
    expect(types).toEqual(['video/mp4'])
  })

  it('retries for as long as the connection is lost', async () => {
    const { transport, got, pauses } = fakeStore((number, time) => (number === 2 && time < 20 ? 0 : undefined))
    await send(transport).done
    expect(got.size).toBe(4)
    expect(pauses).toHaveLength(19)
  })

  it('stops if the file cannot be read while the device is online', async () => {
    const deleted = { slice: () => deleted, arrayBuffer: () => Promise.reject(new Error('NotReadableError')) } as unknown as Blob
    // Status 0 (no connection) would be retried forever, so from the twentieth PUT of a part on, the store fails with 500 to end the test.
    const failure = (_: number, time: number) => (time < 20 ? 0 : 500)
    const sendDeleted = (transport: UploadTransport) => send(transport, upload(), new AbortController().signal, deleted).done
    vi.stubGlobal('navigator', { onLine: true })
    await expect(sendDeleted(fakeStore(failure).transport)).rejects.toThrow('This file cannot be read anymore. Choose it again.')
    vi.stubGlobal('navigator', { onLine: false })
    await expect(sendDeleted(fakeStore(failure).transport)).rejects.toMatchObject({ status: 500 })
  })

  it('keeps waiting for the connection if the file can be read', async () => {
    vi.stubGlobal('navigator', { onLine: true })
    const { transport, got } = fakeStore((number, time) => (number === 2 && time < 20 ? 0 : undefined))
    await send(transport).done
    expect(got.size).toBe(4)
  })

  it('requests a new signed URL if the old one has expired', async () => {
    const { transport, got, signed } = fakeStore((number, time) => (number === 1 && time === 1 ? 403 : undefined))
    await send(transport).done
    expect(got.size).toBe(4)
    expect(signed()).toBe(2)
  })

  it('asks the API why the store does not know the upload anymore', async () => {
    const { transport } = fakeStore(() => 404)
    const { sign } = transport
    const canceled = new ApiError('This upload was canceled.', 404)
    let signed = 0
    transport.sign = async numbers => {
      if (signed++ > 0) throw canceled
      return sign(numbers)
    }
    await expect(send(transport).done).rejects.toBe(canceled)
  })

  it('gives up after several server errors, or immediately after a refusal', async () => {
    await expect(send(fakeStore(() => 503).transport).done).rejects.toMatchObject({ status: 503 })
    const { transport, puts } = fakeStore(number => (number === 1 ? 400 : undefined))
    await expect(send(transport).done).rejects.toMatchObject({ status: 400 })
    expect(puts.filter(n => n === 1)).toHaveLength(1)
  })

  it('retries after a server error, however often the connection was lost before', async () => {
    const { transport, got } = fakeStore((number, time) => (number === 2 ? [0, 0, 0, 0, 0, 0, 0, 503, 403][time - 1] : undefined))
    await send(transport).done
    expect(got.size).toBe(4)
  })

  it('stops when the signal aborts', async () => {
    const stop = new AbortController()
    const { transport, got } = fakeStore()
    const put = transport.put
    transport.put = async (url, ...rest) => {
      if (url === 'put:4') stop.abort()
      return put(url, ...rest)
    }
    await expect(send(transport, upload(), stop.signal).done).rejects.toMatchObject({ name: 'AbortError' })
    expect(got.has(4)).toBe(false)
  })
})

describe('retryUntilAnswered', () => {
  const noPause = async () => {}
  /** Returns a request that fails with these errors, one after the other, and then succeeds. */
  const requestFailingWith = (errors: Error[]) => async () => {
    const error = errors.shift()
    if (error) throw error
    return 'answer'
  }
  const offline = () => new TypeError('Failed to fetch')
  const unavailable = () => new TransferError(503)

  it('retries after a server error, however often the connection was lost before', async () => {
    const request = requestFailingWith([...Array.from({ length: 10 }, offline), unavailable(), unavailable()])
    expect(await retryUntilAnswered(request, noPause, new AbortController().signal)).toBe('answer')
  })

  it('retries after a connection that died silently', async () => {
    const request = requestFailingWith([new DOMException('signal timed out', 'TimeoutError')])
    expect(await retryUntilAnswered(request, noPause, new AbortController().signal)).toBe('answer')
  })

  it('gives up after six server errors', async () => {
    const request = requestFailingWith(Array.from({ length: 6 }, unavailable))
    await expect(retryUntilAnswered(request, noPause, new AbortController().signal)).rejects.toMatchObject({ status: 503 })
  })
})

describe('byteRange and missingPartNumbers', () => {
  it('cover the whole file without gaps or overlap', () => {
    const big = upload({ bytes: 26 * MB, parts: 4, partBytes: 8 * MB })
    expect(missingPartNumbers(big).map(n => byteRange(big, n))).toEqual([
      [0, 8 * MB],
      [8 * MB, 16 * MB],
      [16 * MB, 24 * MB],
      [24 * MB, 26 * MB],
    ])
  })
})

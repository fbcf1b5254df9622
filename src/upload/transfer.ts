import type { Upload } from '../../modules/folders/contract.ts'

/** Bytes could not be sent: the network is gone (0), or the store said no. */
export class Unsent extends Error {
  readonly status: number
  constructor(status: number) {
    super(status === 0 ? 'The connection was lost.' : `The video store answered ${status}.`)
    this.status = status
  }
}

export interface Signed {
  number: number
  url: string
  bytes: number
}

/** What a transfer needs from the world. */
export interface Wire {
  /** Signed URLs for these parts. */
  sign(numbers: number[]): Promise<Signed[]>
  /** PUTs a blob, tells how much of it has left. @throws Unsent, AbortError */
  put(url: string, body: Blob, sent: (bytes: number) => void, signal: AbortSignal): Promise<void>
  /** Resolves when it is worth trying again; `attempt` counts from 1. */
  pause(attempt: number, signal: AbortSignal): Promise<void>
}

const LANES = 3
const AHEAD = 6
const TRIES = 6

/** Parts that are still to be sent, in order. */
export const missing = (upload: Pick<Upload, 'parts' | 'arrived'>) => {
  const here = new Set(upload.arrived.map(part => part.number))
  return Array.from({ length: upload.parts }, (_, i) => i + 1).filter(number => !here.has(number))
}

/** Byte range of part `number` (from 1): `[start, end)`. */
export const range = (upload: Pick<Upload, 'parts' | 'partBytes' | 'bytes'>, number: number): [number, number] =>
  upload.parts === 1 ? [0, upload.bytes] : [(number - 1) * upload.partBytes, Math.min(number * upload.partBytes, upload.bytes)]

/**
 * Sends what is missing of a file, three parts at a time, and tells the bytes that have left (all of them, earlier ones included).
 * A lost connection is waited out; a signature that ran out is renewed. Never holds more of the file than the browser reads by itself.
 * @throws Unsent when the store keeps saying no, AbortError when the signal says stop
 */
export async function transfer(
  upload: Upload,
  file: Blob,
  wire: Wire,
  { signal, progress }: { signal: AbortSignal; progress: (bytes: number) => void },
): Promise<void> {
  const todo = missing(upload)
  const failed = new AbortController()
  const stop = failed.signal
  signal.throwIfAborted()
  signal.addEventListener('abort', () => failed.abort(signal.reason), { signal: stop })
  const urls = new Map<number, Signed>()
  const flying = new Map<number, number>()
  let landed = upload.arrived.reduce((sum, part) => sum + part.bytes, 0)
  const tell = () => progress(Math.min(upload.bytes, landed + [...flying.values()].reduce((a, b) => a + b, 0)))

  let signing: Promise<void> | undefined
  async function address(number: number): Promise<string> {
    while (!urls.has(number)) {
      signing ??= wire
        .sign([number, ...todo.slice(0, AHEAD).filter(n => n !== number && !urls.has(n))])
        .then(parts => {
          for (const part of parts) urls.set(part.number, part)
        })
        .finally(() => {
          signing = undefined
        })
      await signing
      stop.throwIfAborted()
    }
    return urls.get(number)!.url
  }

  async function send(number: number) {
    const [start, end] = range(upload, number)
    for (let attempt = 1; ; attempt++) {
      stop.throwIfAborted()
      try {
        const body = upload.parts === 1 ? file.slice(0, upload.bytes, upload.type) : file.slice(start, end)
        const sent = (bytes: number) => {
          flying.set(number, Math.min(bytes, end - start))
          tell()
        }
        await wire.put(await address(number), body, sent, stop)
        flying.delete(number)
        landed += end - start
        tell()
        return
      } catch (error) {
        flying.delete(number)
        urls.delete(number)
        tell()
        if (stop.aborted || !(error instanceof Unsent)) throw error
        // The network may be away for as long as it likes; a store that answers gets a bounded number of tries.
        const hopeless = error.status >= 400 && error.status < 500 && ![403, 408, 429].includes(error.status)
        if (error.status !== 0 && (hopeless || attempt >= TRIES)) throw error
        await wire.pause(attempt, stop)
      }
    }
  }

  tell()
  const lane = async () => {
    for (let number = todo.shift(); number !== undefined; number = todo.shift()) await send(number)
  }
  try {
    await Promise.all(Array.from({ length: LANES }, lane))
  } catch (error) {
    failed.abort()
    throw error
  }
}

export interface Pace {
  /** Bytes a second. */
  speed: number
  /** Seconds left, once it is worth saying. */
  left: number | null
}

/** Speed over the last ten seconds, so that a hiccup does not make the time left jump. */
export function pace(total: number) {
  const samples: { at: number; bytes: number }[] = []
  return (bytes: number, at: number): Pace => {
    samples.push({ at, bytes })
    while (samples.length > 2 && at - samples[0]!.at > 10_000) samples.shift()
    const first = samples[0]!
    const seconds = (at - first.at) / 1000
    const speed = seconds > 0 ? Math.max(0, (bytes - first.bytes) / seconds) : 0
    return { speed, left: seconds >= 1 && speed > 0 ? (total - bytes) / speed : null }
  }
}

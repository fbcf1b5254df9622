import type { UploadInProgress } from '../../modules/uploads/contract.ts'

/** Sending bytes failed. `status` is the store's HTTP status, or 0 if the connection was lost. */
export class TransferError extends Error {
  readonly status: number
  constructor(status: number) {
    super(status === 0 ? 'The connection was lost.' : `Our video storage had a problem (error ${status}).`)
    this.status = status
  }
}

/** The browser can no longer read the file: it was changed, moved or deleted after it was chosen. */
export class UnreadableFileError extends Error {
  constructor() {
    super('This file cannot be read anymore. Choose it again.')
  }
}

/** Whether the file can be read. If it cannot, a request that sends it fails as if the connection had been lost. */
const isReadable = (part: Blob) =>
  part
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

/** A part of a file with its signed PUT URL. `number` counts from 1. */
export interface SignedPart {
  number: number
  url: string
  bytes: number
}

/** What a transfer needs from the network; tests replace it. */
export interface UploadTransport {
  /** Returns signed URLs for these parts. */
  sign(numbers: number[]): Promise<SignedPart[]>
  /** PUTs a blob and calls `sent` with the bytes sent so far. @throws TransferError, AbortError */
  put(url: string, body: Blob, sent: (bytes: number) => void, signal: AbortSignal): Promise<void>
  /** Resolves when a retry is worthwhile; `attempt` counts from 1. */
  pause(attempt: number, signal: AbortSignal): Promise<void>
}

const PARALLEL_PARTS = 3
const PARTS_SIGNED_AHEAD = 6
const MAX_TRIES_PER_PART = 6

/** The numbers of the parts that have not arrived yet, in ascending order. */
export const missingPartNumbers = (upload: Pick<UploadInProgress, 'parts' | 'arrived'>) => {
  const arrivedParts = new Set(upload.arrived.map(part => part.number))
  return Array.from({ length: upload.parts }, (_, i) => i + 1).filter(number => !arrivedParts.has(number))
}

/** The byte range of part `number` (from 1) in the file; the end is exclusive: `[start, end)`. */
export const byteRange = (upload: Pick<UploadInProgress, 'parts' | 'partBytes' | 'bytes'>, number: number): [number, number] =>
  upload.parts === 1 ? [0, upload.bytes] : [(number - 1) * upload.partBytes, Math.min(number * upload.partBytes, upload.bytes)]

/**
 * Sends the missing parts of a file, three at a time. Waits while the connection is lost, and requests a new signed URL after one has
 * expired. The browser streams each part from the disk, so the whole file is never in memory.
 * @param progress called with the bytes sent so far, including those of earlier visits
 * @throws TransferError if the store or the API keeps failing, ApiError if the API refuses to sign a part, UnreadableFileError, AbortError
 */
export async function transferParts(
  upload: UploadInProgress,
  file: Blob,
  transport: UploadTransport,
  { signal, progress }: { signal: AbortSignal; progress: (bytes: number) => void },
): Promise<void> {
  const todo = missingPartNumbers(upload)
  const failed = new AbortController()
  const stop = failed.signal
  signal.throwIfAborted()
  signal.addEventListener('abort', () => failed.abort(signal.reason), { signal: stop })
  const urls = new Map<number, SignedPart>()
  const inFlight = new Map<number, number>()
  let arrivedBytes = upload.arrived.reduce((sum, part) => sum + part.bytes, 0)
  const report = () => progress(Math.min(upload.bytes, arrivedBytes + [...inFlight.values()].reduce((a, b) => a + b, 0)))

  let signing: Promise<void> | undefined
  async function urlOf(number: number): Promise<string> {
    while (!urls.has(number)) {
      signing ??= transport
        .sign([number, ...todo.slice(0, PARTS_SIGNED_AHEAD).filter(n => n !== number && !urls.has(n))])
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
    const [start, end] = byteRange(upload, number)
    const body = upload.parts === 1 ? file.slice(0, upload.bytes, upload.type) : file.slice(start, end)
    let errorResponses = 0
    for (let attempt = 1; ; attempt++) {
      stop.throwIfAborted()
      try {
        const sent = (bytes: number) => {
          inFlight.set(number, Math.min(bytes, end - start))
          report()
        }
        await transport.put(await urlOf(number), body, sent, stop)
        inFlight.delete(number)
        arrivedBytes += end - start
        report()
        return
      } catch (error) {
        inFlight.delete(number)
        urls.delete(number)
        report()
        if (stop.aborted || !(error instanceof TransferError)) throw error
        // A lost connection is retried without limit, an error response only a few times, and most 4xx responses not at all. The store
        // answers 404 if the upload was canceled elsewhere; the API, asked for a new URL, then says so.
        const isFinal = error.status >= 400 && error.status < 500 && ![403, 404, 408, 429].includes(error.status)
        if (error.status !== 0 && (isFinal || ++errorResponses >= MAX_TRIES_PER_PART)) throw error
        // While the browser is offline, a file in a cloud drive is only temporarily unreadable.
        if (error.status === 0 && navigator.onLine && !(await isReadable(body))) throw new UnreadableFileError()
        await transport.pause(attempt, stop)
      }
    }
  }

  report()
  const sendNext = async () => {
    for (let number = todo.shift(); number !== undefined; number = todo.shift()) await send(number)
  }
  try {
    await Promise.all(Array.from({ length: PARALLEL_PARTS }, sendNext))
  } catch (error) {
    failed.abort()
    throw error
  }
}

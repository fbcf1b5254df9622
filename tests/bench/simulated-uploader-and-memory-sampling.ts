import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { promisify } from 'node:util'
import { newPlayerInput } from '../api/test-server.ts'

/**
 * Sends a request to the object store, and sends it again if it fails, because a keep-alive connection may just have been closed. Browsers
 * do the same.
 */
const store = async (url: string, init: RequestInit) => fetch(url, init).catch(() => fetch(url, init))

/** Registers a player. The result acts as their browser, reduced to API calls, uploading and watching. */
export async function createSimulatedUploader(url: string) {
  let cookie = ''
  let seen = '0'
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(url + path, {
      method,
      headers: { origin: url, cookie, 'x-seen': seen, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    cookie = /session=[\w-]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? cookie
    seen = answer.headers.get('x-position') ?? seen
    return (text ? JSON.parse(text) : undefined) as T
  }
  await call('POST', '/api/register/player', newPlayerInput())

  /** Uploads a file into a new folder, three parts at a time. Returns the folder's id. */
  async function upload(path: string): Promise<string> {
    const [folder, id] = [randomUUID(), randomUUID()]
    const file = await open(path)
    try {
      const { size: bytes } = await file.stat()
      await call('POST', '/api/folders', { id: folder, name: 'Swings' })
      const declared = { id, folder, name: 'swing.mp4', type: 'video/mp4', bytes, fingerprint: 'f' }
      const { parts, partBytes } = await call<{ parts: number; partBytes: number }>('POST', '/api/uploads', declared)
      const todo = Array.from({ length: parts }, (_, i) => i + 1)
      const lane = async () => {
        for (let numbers = todo.splice(0, 4); numbers.length; numbers = todo.splice(0, 4)) {
          type Signed = { parts: { number: number; url: string; bytes: number }[] }
          const signed = await call<Signed>('POST', `/api/uploads/${id}/sign`, { numbers })
          for (const part of signed.parts) {
            const body = Buffer.alloc(part.bytes)
            await file.read(body, 0, part.bytes, (part.number - 1) * partBytes)
            const { ok, status } = await store(part.url, { method: 'PUT', body })
            if (!ok) throw new Error(`part ${part.number}: ${status}`)
          }
        }
      }
      await Promise.all([lane(), lane(), lane()])
      await call('POST', `/api/uploads/${id}/complete`, { milliseconds: 2000, width: 320, height: 240, poster: false })
      return folder
    } finally {
      await file.close()
    }
  }

  /** Opens a folder and plays its first clip by range requests, as a browser does. Returns the bytes that were downloaded. */
  async function watch(folder: string, megabytes: number): Promise<number> {
    const { clips } = await call<{ clips: { url: string }[] }>('GET', `/api/folders/${folder}`)
    let watched = 0
    for (let at = 0; clips[0] && at < megabytes; at++) {
      const answer = await store(clips[0].url, { headers: { range: `bytes=${at * 2 ** 20}-${(at + 1) * 2 ** 20 - 1}` } })
      watched += (await answer.arrayBuffer()).byteLength
    }
    return watched
  }
  return { call, upload, watch }
}

export const residentMegabytes = async (pid: number) =>
  Number((await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) / 1024

/** Samples a process's resident memory. Returns a function that stops this and resolves to the peak, in MB. */
export function startPeakMemorySampling(pid: number) {
  let peak = 0
  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = residentMegabytes(pid).then(
      now => {
        peak = Math.max(peak, now)
      },
      () => {},
    )
  }, 100)
  return async () => {
    clearInterval(timer)
    await looking
    return peak
  }
}

/** A proxy in front of a server that counts the bytes in both directions. */
export async function startCountingProxy(url: string) {
  const { hostname, port } = new URL(url)
  let bytes = 0
  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (data: Buffer) => {
        bytes += data.length
      })
      from.pipe(to)
      from.on('error', () => to.destroy())
    }
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port: mine } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${mine}`, bytes: () => bytes, stop: () => server.close() }
}

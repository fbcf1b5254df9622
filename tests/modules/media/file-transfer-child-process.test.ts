import { once } from 'node:events'
import { link, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FileTransferTask, startFileTransferProcess, TRANSFER_EXIT_CODES } from '../../../modules/media/file-transfer-child-process.ts'

/** Tests transfers between a directory and an object store that responds as each test requires. */

const bytes = Buffer.alloc(100_000, 'swing')
let dir: string
let address: string
let answer: (request: IncomingMessage, response: ServerResponse) => void
const store = createServer((request, response) => answer(request, response))
beforeAll(async () => {
  await new Promise<void>(listening => store.listen(0, '127.0.0.1', listening))
  address = `http://127.0.0.1:${(store.address() as AddressInfo).port}`
})
afterAll(() => store.close())
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'transfer-'))
  answer = (_, response) => response.end(bytes)
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** Runs a transfer to its end. Returns the name of its exit code, and its error output. */
async function transferred(transfer: FileTransferTask) {
  const child = startFileTransferProcess(transfer)
  let errorOutput = ''
  child.stderr!.on('data', data => {
    errorOutput += data
  })
  const [code] = await once(child, 'close')
  return [Object.entries(TRANSFER_EXIT_CODES).find(([, exit]) => exit === code)?.[0] ?? code, errorOutput.trim()]
}
const downloaded = (changes: Partial<Extract<FileTransferTask, { is: 'download' }>['files'][number]> = {}) =>
  transferred({ is: 'download', files: [{ url: `${address}/original`, file: join(dir, 'original'), bytes: bytes.length, ...changes }] })
const uploaded = (...names: string[]) => transferred(uploadOf(names))
const uploadOf = (names: string[]): FileTransferTask => {
  const files = names.map(name => ({ url: `${address}/${name}`, file: join(dir, name), type: 'video/mp4', bytes: bytes.length }))
  return { is: 'upload', files }
}

describe('an original file', () => {
  test('is downloaded unchanged', async () => {
    expect(await downloaded()).toEqual(['done', ''])
    expect((await readFile(join(dir, 'original'))).equals(bytes)).toBe(true)
  })
  test('counts as lost if the store does not have it', async () => {
    answer = (_, response) => response.writeHead(404).end()
    expect((await downloaded())[0]).toBe('lost')
  })
  test.each([500, 403, 204])('counts as unavailable if the store answers %d', async status => {
    answer = (_, response) => response.writeHead(status).end()
    expect((await downloaded())[0]).toBe('unavailable')
  })
  test('counts as unavailable if the store is unreachable or the download breaks off', async () => {
    expect((await downloaded({ url: 'http://127.0.0.1:1/' }))[0]).toBe('unavailable')
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': bytes.length })
      response.write(bytes.subarray(0, 1000), () => response.destroy())
    }
    expect((await downloaded({ file: join(dir, 'half') }))[0]).toBe('unavailable')
  })
  test('counts as unavailable if shorter than announced, and as a mismatch if longer', async () => {
    expect((await downloaded({ bytes: bytes.length + 1 }))[0]).toBe('unavailable')
    const longer = await downloaded({ bytes: bytes.length - 1, file: join(dir, 'longer') })
    expect(longer).toEqual(['mismatch', `The object is longer than ${bytes.length - 1} bytes`])
  })
  test.skipIf(process.platform !== 'linux')('ends the process with a special exit code if the disk is full', async () => {
    expect((await downloaded({ file: '/dev/full' }))[0]).toBe('noRoom')
  })
})

describe('a prepared file', () => {
  beforeEach(() => writeFile(join(dir, 'made'), bytes))

  test('is stored completely, with its type and length', async () => {
    const stored: unknown[] = []
    answer = async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      stored.push([request.url, request.headers['content-type'], request.headers['content-length'], Buffer.concat(parts).equals(bytes)])
      response.end()
    }
    expect(await uploaded('made')).toEqual(['done', ''])
    expect(stored).toEqual([['/made', 'video/mp4', `${bytes.length}`, true]])
  })
  test.each(['refuses', 'hangs up'])('is not stored if the store %s, and the store counts as unavailable', async how => {
    answer = (request, response) => (how === 'refuses' ? response.writeHead(503).end() : request.destroy())
    expect((await uploaded('made'))[0]).toBe('unavailable')
  })
  test('is not stored if the store never answers, which counts as unavailable', async () => {
    answer = request => request.resume()
    expect(await transferred({ ...uploadOf(['made']), stallMs: 50 } as FileTransferTask)).toEqual([
      'unavailable',
      'The store does not answer',
    ])
  })
  test('must be a regular file of its stated length, so that no link leaks a secret', async () => {
    const requests: unknown[] = []
    answer = (request, response) => {
      requests.push(request.url)
      response.end()
    }
    await writeFile(join(dir, 'secret'), bytes)
    await symlink(join(dir, 'secret'), join(dir, 'symbolic'))
    await link(join(dir, 'secret'), join(dir, 'hard'))
    await writeFile(join(dir, 'short'), bytes.subarray(1))
    for (const name of ['symbolic', 'hard', 'short', 'missing', '.']) expect([name, (await uploaded(name))[0]]).toEqual([name, 'mismatch'])
    expect(requests).toEqual([])
  })
})

test('a transfer process ends when its parent ends', async () => {
  const requested = Promise.withResolvers<void>()
  answer = () => requested.resolve()
  const child = startFileTransferProcess({ is: 'download', files: [{ url: address, file: join(dir, 'original'), bytes: 1 }] })
  await requested.promise
  child.stdin!.destroy()
  expect(await once(child, 'close')).toEqual([1, null])
})

import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { look } from '../../../modules/media/child/look.ts'
import { hasNoRoom, prepare } from '../../../modules/media/child/prepare.ts'
import type { Order, Word } from '../../../modules/media/child/words.ts'
import { samples, voice } from '../../support/media.ts'
import { movie } from './movie.ts'

/** What the process that prepares does and says, without a process: against a store that answers as each test wants. */

let files: Record<'swing' | 'voice', Buffer>
let dir: string
let address: string
let answer: (request: IncomingMessage, response: ServerResponse) => void
/** What was put where. */
let stored: Record<string, { type: string | undefined; body: Buffer }>
const store = createServer((request, response) => answer(request, response))
beforeAll(async () => {
  files = { swing: await readFile(samples.mp4), voice: await readFile(voice) }
  await new Promise<void>(listening => store.listen(0, '127.0.0.1', listening))
  address = `http://127.0.0.1:${(store.address() as AddressInfo).port}`
})
afterAll(() => store.close())
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'prepare-'))
  stored = {}
  answer = giving(files.voice)
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** A store that has this file and takes whatever comes. */
const giving = (file: Uint8Array) => async (request: IncomingMessage, response: ServerResponse) => {
  if (request.method === 'GET') return response.end(file)
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  stored[request.url!] = { type: request.headers['content-type'], body: Buffer.concat(parts) }
  response.end()
}
const orderOf = (kind: Order['kind'], more: Partial<Order> = {}): Order => ({
  ...{ kind, source: `${address}/original`, dir, ffmpeg: null },
  ...(kind === 'voice' ? { type: 'audio/webm', bytes: files.voice.length } : { type: 'video/mp4', bytes: files.swing.length }),
  ...more,
})
/** How it ends, and all that it said before. */
async function prepared(order: Order) {
  const words: Word[] = []
  const say = async (word: Word) => void words.push(word)
  const end = await prepare(order, {
    say,
    async ask(word) {
      await say(word)
      const made = word.is === 'made' ? Object.keys(word.made) : []
      return Object.fromEntries(made.map(file => [file, `${address}/${file}`]))
    },
  })
  return { end, words }
}

describe('made and stored is', () => {
  test('AAC of a voice-over', async () => {
    const { end, words } = await prepared(orderOf('voice'))
    expect(end).toEqual({ is: 'stored' })
    const { bytes } = await stat(join(dir, 'voice.m4a')).then(s => ({ bytes: s.size }))
    expect(words).toEqual([{ is: 'looking' }, { is: 'made', made: { voice: { bytes } } }])
    expect(Object.keys(stored)).toEqual(['/voice'])
    expect(stored['/voice']!.type).toBe('audio/mp4')
    expect(stored['/voice']!.body.equals(await readFile(join(dir, 'voice.m4a')))).toBe(true)
  })

  test('a rendition with a still and a strip', async () => {
    answer = giving(files.swing)
    const { end, words } = await prepared(orderOf('rendition'))
    expect(end).toEqual({ is: 'stored' })
    const said = words.filter(w => w.is !== 'progress')
    expect(said).toMatchObject([
      { is: 'looking' },
      { is: 'looked', media: { frames: 60, codec: 'avc' }, table: { runs: [[60, expect.any(Number)]] } },
      { is: 'made', made: { rendition: { width: 320, height: 240 }, filmstrip: { count: 60, columns: 10, width: 120, height: 90 } } },
    ])
    const { made } = said[2] as Extract<Word, { is: 'made' }>
    expect(Object.fromEntries(Object.entries(stored).map(([url, { type, body }]) => [url.slice(1), [type, body.length]]))).toEqual(
      Object.fromEntries(
        Object.entries(made).map(([file, { bytes }]) => [
          file,
          [{ rendition: 'video/mp4', poster: 'image/webp' }[file] ?? 'image/jpeg', bytes],
        ]),
      ),
    )
    const [poster, strip] = await Promise.all(['/poster', '/filmstrip'].map(url => sharp(stored[url]!.body).metadata()))
    expect([poster!.format, poster!.width, poster!.height]).toEqual(['webp', 320, 240])
    expect([strip!.format, strip!.width, strip!.height]).toEqual(['jpeg', 1200, 540])
  })
})

describe('the store', () => {
  test('that has lost it says so', async () => {
    answer = (_, response) => response.writeHead(404).end()
    expect(await prepared(orderOf('voice'))).toEqual({ end: { is: 'refused', code: 'lost' }, words: [] })
  })
  test.each([500, 403, 204])('that answers %d is away', async status => {
    answer = (_, response) => response.writeHead(status).end()
    expect(await prepared(orderOf('voice'))).toEqual({ end: { is: 'away' }, words: [] })
  })
  test('that nobody reaches is away, and so is one that breaks off', async () => {
    expect((await prepared(orderOf('voice', { source: 'http://127.0.0.1:1/' }))).end).toEqual({ is: 'away' })
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': files.voice.length })
      response.write(files.voice.subarray(0, 1000), () => response.destroy())
    }
    expect((await prepared(orderOf('voice'))).end).toEqual({ is: 'away' })
  })
  test('that gives less than there is is away; more than was said is damaged', async () => {
    expect(await prepared(orderOf('voice', { bytes: files.voice.length + 1 }))).toEqual({ end: { is: 'away' }, words: [] })
    expect(await prepared(orderOf('voice', { bytes: files.voice.length - 1 }))).toEqual({
      end: { is: 'refused', code: 'damaged', why: `There is more of it than ${files.voice.length - 1} bytes` },
      words: [],
    })
  })
  test.each(['refuses', 'hangs up'])('that %s what was made is away', async how => {
    answer = (request, response) => {
      if (request.method === 'GET') response.end(files.voice)
      else if (how === 'refuses') response.writeHead(503).end()
      else request.destroy()
    }
    const { end, words } = await prepared(orderOf('voice'))
    expect([end, words.at(-1)!.is]).toEqual([{ is: 'away' }, 'made'])
  })
})

/** A program that is this script; `$out` is the file that it should write. */
async function encoder(script: string): Promise<string> {
  const path = join(dir, 'encoder')
  await writeFile(path, `#!/bin/sh\nfor out; do :; done\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

test('a rendition with other frames than its original is refused; how far it is is said now and then', async () => {
  answer = giving(files.swing)
  await writeFile(join(dir, 'other.mp4'), movie({ lengths: Array(59).fill(20) }))
  const ffmpeg = await encoder(`for n in 6 12 18; do echo frame=$n; done; cp ${join(dir, 'other.mp4')} "$out"`)
  const { end, words } = await prepared(orderOf('rendition', { ffmpeg }))
  expect(end).toEqual({ is: 'refused', code: 'different' })
  expect(words.map(w => w.is)).toEqual(['looking', 'looked', 'progress'])
  expect(words[2]).toEqual({ is: 'progress', part: 0.1 })
  const slow = await encoder(`echo frame=6; sleep 0.4; echo frame=12; sleep 0.2; cp ${join(dir, 'other.mp4')} "$out"`)
  const parts = (await prepared(orderOf('rendition', { ffmpeg: slow }))).words.flatMap(w => (w.is === 'progress' ? [w.part] : []))
  expect(parts).toEqual([0.1, 0.2])
})

test('what is no fault of the file is thrown: whoever watches tells what it was', async () => {
  const full = await encoder("echo 'No space left on device' >&2; exit 1")
  const [its] = await Promise.allSettled([prepared(orderOf('voice', { ffmpeg: full }))])
  expect(its.status === 'rejected' && [its.reason.code, hasNoRoom(its.reason)]).toEqual(['ENOSPC', true])
})

test('a file that the system does not give is not called damaged', async () => {
  await expect(look(join(dir, 'nowhere'), 'video/mp4')).rejects.toMatchObject({ code: 'ENOENT' })
})

test.each(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'] as const)('%s is no room, by its name or as FFmpeg has it', code => {
  expect([hasNoRoom({ code }), hasNoRoom({ code: -constants.errno[code] })]).toEqual([true, true])
})
test('any other error is none', () => {
  expect([hasNoRoom({ code: 'ENOMEM' }), hasNoRoom({ code: -constants.errno.ENOMEM }), hasNoRoom(new Error('x'))]).toEqual([
    false,
    false,
    false,
  ])
})

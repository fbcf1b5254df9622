import { randomInt } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Order, Places, Word } from '../../../modules/media/child/words.ts'
import { FRAMES_MOST } from '../../../modules/media/frames.ts'
import { MAX_OUTPUT_BYTES } from '../../../modules/media/policy.ts'
import { Crash, Interrupted, supervise } from '../../../modules/media/supervise.ts'
import { LimitExceeded, type Limits } from '../../../modules/media/work-meter.ts'
import { samples, voice } from '../../support/media.ts'
import { movie } from './movie.ts'
import { processesWith } from './processes.ts'

/** How a process that prepares is held, and how it is told why it ended. */

let dir: string
let address: string
let stored: string[]
/** Takes a while to be looked into, and is refused in the end. */
const many = movie({ lengths: Array(FRAMES_MOST).fill(1), offsets: Array.from({ length: FRAMES_MOST }, (_, i) => (i * 7919) % 60_000) })
const store = createServer(async (request, response) => {
  if (request.method === 'GET')
    return response.end(request.url === '/many' ? many : await readFile(request.url === '/voice' ? voice : samples.mp4))
  stored.push(request.url!)
  request.resume().on('end', () => response.end())
})
beforeAll(async () => {
  await new Promise<void>(listening => store.listen(0, '127.0.0.1', listening))
  address = `http://127.0.0.1:${(store.address() as AddressInfo).port}`
})
afterAll(() => store.close())
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'supervise-'))
  stored = []
})
afterEach(() => rm(dir, { recursive: true, force: true }))

async function orderOf(kind: Order['kind'], script?: string, more: Partial<Order> = {}): Promise<Order> {
  const ffmpeg = script === undefined ? null : join(dir, 'encoder')
  if (ffmpeg) await writeFile(ffmpeg, `#!/bin/sh\nfor out; do :; done\n${script}\n`)
  if (ffmpeg) await chmod(ffmpeg, 0o755)
  const [source, type] = kind === 'voice' ? ['/voice', 'audio/webm'] : ['/swing', 'video/mp4']
  const { length: bytes } = await readFile(kind === 'voice' ? voice : samples.mp4)
  return { kind, source: `${address}${source}`, type, bytes, dir, ffmpeg, ...more }
}
const nothing = async () => undefined
const refused = { is: 'refused', code: 'damaged', why: expect.any(String) }
/** What it says, and how it ended. */
async function ended(order: Order, limits?: Partial<Limits>, answer: (word: Word) => Promise<Places | undefined> = nothing) {
  const words: string[] = []
  const on = (word: Word) => {
    words.push(word.is)
    return answer(word)
  }
  const [its] = await Promise.allSettled([supervise(order, on, limits).outcome])
  return { words, its, error: its.status === 'rejected' ? its.reason : undefined }
}
/** Nothing runs any more that was started with this argument. */
const gone = (argument: string) => expect.poll(() => processesWith(argument)).toEqual([])

test('it says one thing after the other, and stores what it made where it is told to', async () => {
  let under = 0
  const { words, its } = await ended(await orderOf('voice'), {}, async word => {
    expect(++under).toBe(1)
    await new Promise(setImmediate)
    under--
    return word.is === 'made' ? { voice: `${address}/here` } : undefined
  })
  expect([its, words, stored]).toEqual([{ status: 'fulfilled', value: { is: 'stored' } }, ['looking', 'made'], ['/here']])
  const lost = await ended(await orderOf('voice', undefined, { bytes: 3 }))
  expect(lost.its).toEqual({ status: 'fulfilled', value: refused })
  const away = await ended(await orderOf('voice', undefined, { source: 'http://127.0.0.1:1/' }))
  expect(away.its).toEqual({ status: 'fulfilled', value: { is: 'away' } })
})

test.skipIf(process.platform !== 'linux')('it knows no secrets, writes no more than it may, and stands back', async () => {
  process.env.SECRET_OF_OURS = 'known'
  const script = '{ ulimit -f; ulimit -c; nice; pwd; env; } > told; while [ ! -e read ]; do sleep 0.05; done; exit 1'
  const order = await orderOf('voice', script)
  const child = supervise(order, nothing)
  delete process.env.SECRET_OF_OURS
  const told = () => readFile(join(dir, 'told'), 'utf8').catch(() => '')
  await expect.poll(told, { timeout: 50_000 }).toContain('TMPDIR=')
  const first = (await readFile(`/proc/${child.pid}/oom_score_adj`, 'utf8')).trim()
  await writeFile(join(dir, 'read'), '')
  expect(await child.outcome).toEqual(refused)
  const [files, core, nice, where, ...env] = (await told()).trim().split('\n')
  expect([files, core, nice, first, where]).toEqual([`${MAX_OUTPUT_BYTES / 512}`, '0', '10', '1000', dir])
  expect(env).toContain(`TMPDIR=${dir}`)
  expect(env).toContain(`PATH=${process.env.PATH}`)
  expect(env.filter(line => /^[A-Z_]*(SECRET|KEY|TOKEN|URL)/.test(line))).toEqual([])
})

test.each<[string, 'voice' | 'rendition', Partial<Limits>, string, boolean]>([
  ['time', 'voice', { seconds: 1 }, 'time', true],
  ['work', 'rendition', { cpuSeconds: -1 }, 'work', false],
  ['work on a voice-over', 'voice', { cpuSeconds: -1 }, 'work', false],
  ['memory', 'rendition', { memory: 1_000_000 }, 'memory: ', false],
])('what takes too much %s is ended, and it is said whether by the clock', async (_, kind, limits, message, clock) => {
  const { error } = await ended(await orderOf(kind, 'sleep 20'), limits)
  expect(error).toBeInstanceOf(LimitExceeded)
  expect([error.message.startsWith(message), error.clock]).toEqual([true, clock])
  if (message === 'memory: ') expect(error.message).toMatch(/^memory: \d{2,3} MB$/)
})

test.skipIf(process.platform !== 'linux')('what its program takes counts as well', async () => {
  const hungry = `node -e 'const held = Buffer.alloc(4e8, 1); setTimeout(() => held.length, 60_000)'`
  const { error } = await ended(await orderOf('voice', hungry), { memory: 350_000_000 })
  expect(error).toBeInstanceOf(LimitExceeded)
  expect(error.message).toMatch(/^memory: [345]\d\d MB$/)
})

test.each<[string, Partial<Limits>, boolean]>([
  ['time', { lookSeconds: 0.01 }, true],
  ['work', { lookCpuSeconds: -1 }, false],
])('a file that takes too much %s to be looked into is ended', async (what, limits, clock) => {
  const { error } = await ended(await orderOf('rendition', 'sleep 20', { source: `${address}/many`, bytes: many.length }), limits)
  expect(error).toBeInstanceOf(LimitExceeded)
  expect([error.message, error.clock]).toEqual([`${what} to look into the file`, clock])
})

test('what has looked may take its time, also where both words of it came at once', async () => {
  const order = await orderOf('rendition', 'echo frame=1; sleep 2.2; exit 1')
  const busy = async ({ is }: Word) => {
    const until = performance.now() + (is === 'looking' ? 500 : 0)
    while (performance.now() < until);
    return undefined
  }
  const { error, words, its } = await ended(order, { lookSeconds: 1.2, lookCpuSeconds: 5 }, busy)
  expect([error, words, its]).toEqual([undefined, ['looking', 'looked', 'progress', 'refused'], { status: 'fulfilled', value: refused }])
})

test.each([
  ['a signal of its own', 'kill -SEGV $PPID; sleep 20', Crash, 'It ended by SIGSEGV.'],
  ['an end that somebody wants', 'kill -TERM $PPID; sleep 20', Interrupted, 'It ended by SIGTERM.'],
  ['a signal of its program', 'kill -SEGV $$', Crash, 'It ended by SIGSEGV.'],
  ['an end of its program that somebody wants', 'kill -KILL $$', Interrupted, 'It ended by SIGKILL.'],
  ['a full disk', "echo 'No space left on device' >&2; exit 1", Interrupted, 'It ended with 75. '],
])('how it ended is told: %s', async (_, script, kind, message) => {
  const time = `20.${randomInt(1e9)}`
  const { error } = await ended(await orderOf('voice', `sleep ${time} &\n${script}`))
  expect(error).toBeInstanceOf(kind)
  expect(error.message.slice(0, message.length)).toBe(message)
  await gone(time)
})

test('an end without an answer tells what it complained about last', async () => {
  const { error } = await ended(await orderOf('voice', undefined, { ffmpeg: '/no/such/program' }))
  expect(error).toBeInstanceOf(Crash)
  expect(error.message).toMatch(/^It ended with 1\. [\s\S]*ENOENT/)
  const loud = await ended(await orderOf('voice', "printf '%02000d' 0 >&2; echo 'and the end' >&2; kill -SEGV $$"))
  expect(loud.error.message).toMatch(/^It ended by SIGSEGV\. 0+and the end$/)
  expect(loud.error.message.length).toBeGreaterThan(1000)
  expect(loud.error.message.length).toBeLessThan(1030)
})

test('one that could not be started, was killed, or whose listener failed', async () => {
  const time = `20.${randomInt(1e9)}`
  const order = await orderOf('voice', `sleep ${time}`)
  const none = await ended({ ...order, dir: join(dir, 'nowhere') })
  expect(none.error).toBeInstanceOf(Interrupted)
  const refusing = new Error('not now')
  const { error, words } = await ended(order, {}, () => Promise.reject(refusing))
  expect([error, words]).toEqual([refusing, ['looking']])
  const looking = Promise.withResolvers<void>()
  const child = supervise(order, async () => looking.resolve() as undefined)
  await looking.promise
  child.kill()
  await expect(child.outcome).rejects.toThrow(new Interrupted('It ended by SIGKILL.'))
  // Its number may be another's by now.
  const kill = vi.spyOn(process, 'kill')
  child.kill()
  expect(kill).not.toHaveBeenCalled()
  vi.restoreAllMocks()
  await gone(time)
})

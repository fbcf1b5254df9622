import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { LimitExceededError, type PreparationLimits } from '../../../modules/media/check-running-preparation-against-limits.ts'
import { MAX_FRAMES_PER_VIDEO } from '../../../modules/media/frames.ts'
import { MAX_PREPARATION_OUTPUT_FILE_BYTES } from '../../../modules/media/policy.ts'
import {
  ORIGINAL_FILE_NAME,
  type PreparationMessage,
  type SourceFileDownload,
  type SupervisedPreparationOrder,
  type UploadUrls,
} from '../../../modules/media/preparation-process/protocol.ts'
import { PreparationCrashError, PreparationMachineError, supervisePreparation } from '../../../modules/media/supervise-preparation.ts'
import { sampleVideos, sampleVoice } from '../../support/sample-media.ts'
import { findPidsByArgument } from './find-processes.ts'
import { buildMp4 } from './mp4-builder.ts'
import { writeFakePreparationScript } from './write-fake-preparation-script.ts'

// These tests check the limits of a preparation process, and how its end is reported.

let dir: string
let scripts: string
let address: string
let stored: string[]
/** A file that the probe refuses only after a while. */
const slowToProbe = buildMp4({
  lengths: Array(MAX_FRAMES_PER_VIDEO).fill(1),
  offsets: Array.from({ length: MAX_FRAMES_PER_VIDEO }, (_, i) => (i * 7919) % 60_000),
})
const store = createServer(async (request, response) => {
  if (request.method === 'GET')
    return response.end(
      request.url === '/slow-to-probe' ? slowToProbe : await readFile(request.url === '/voice' ? sampleVoice : sampleVideos.mp4),
    )
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
  scripts = await mkdtemp(join(tmpdir(), 'supervise-scripts-'))
  stored = []
})
afterEach(() => Promise.all([dir, scripts].map(path => rm(path, { recursive: true, force: true }))))

async function orderOf(
  kind: SupervisedPreparationOrder['kind'],
  changes: Partial<SourceFileDownload> = {},
): Promise<SupervisedPreparationOrder> {
  const [path, type] = kind === 'voice' ? ['/voice', 'audio/webm'] : ['/swing', 'video/mp4']
  const { length: bytes } = await readFile(kind === 'voice' ? sampleVoice : sampleVideos.mp4)
  return { kind, sources: [{ url: `${address}${path}`, file: ORIGINAL_FILE_NAME, bytes, ...changes }], type, dir }
}
const noAnswer = async () => undefined
const refused = { is: 'refused', code: 'damaged', why: expect.any(String) }
const REFUSE = "send({ is: 'refused', code: 'damaged', why: 'because' })"
/** Runs a preparation to its end. Returns the types of its messages, the settled result, and the error if it failed. */
async function runToEnd(
  order: SupervisedPreparationOrder,
  {
    answer = noAnswer,
    ...options
  }: Parameters<typeof supervisePreparation>[2] & { answer?: (message: PreparationMessage) => Promise<UploadUrls | undefined> } = {},
) {
  const messages: string[] = []
  const handleMessage = (message: PreparationMessage) => {
    messages.push(message.is)
    return answer(message)
  }
  const [result] = await Promise.allSettled([supervisePreparation(order, handleMessage, options).outcome])
  return { messages, result, error: result.status === 'rejected' ? result.reason : undefined }
}
/** Waits until no process that was started with this argument is running. */
const waitUntilNoProcess = (argument: string) => expect.poll(() => findPidsByArgument(argument)).toEqual([])

test('a preparation sends one message at a time, and uploads files to signed URLs', async () => {
  let concurrent = 0
  const answer = async (message: PreparationMessage) => {
    expect(++concurrent).toBe(1)
    await new Promise(setImmediate)
    concurrent--
    return message.is === 'made' ? { voice: `${address}/here` } : undefined
  }
  const { messages, result } = await runToEnd(await orderOf('voice'), { answer })
  expect([result, messages, stored]).toEqual([{ status: 'fulfilled', value: { is: 'stored' } }, ['probing', 'made'], ['/here']])
  const truncated = await runToEnd(await orderOf('voice', { bytes: 3 }))
  expect(truncated.result).toEqual({ status: 'fulfilled', value: refused })
  const unreachable = await runToEnd(await orderOf('voice', { url: 'http://127.0.0.1:1/' }))
  expect(unreachable.result).toEqual({ status: 'fulfilled', value: { is: 'unavailable' } })
})

test.skipIf(process.platform !== 'linux')('a preparation has no secrets, a limited file size and a low priority', async () => {
  process.env.SECRET_OF_OURS = 'known'
  const script = `import { execFileSync } from 'node:child_process'
    import { existsSync } from 'node:fs'
    execFileSync('sh', ['-c', '{ ulimit -f; ulimit -c; nice; pwd; env; } > environment'])
    while (!existsSync('continue')) await sleep(50)
    ${REFUSE}`
  const child = supervisePreparation(await orderOf('voice'), noAnswer, { entry: await writeFakePreparationScript(scripts, script) })
  delete process.env.SECRET_OF_OURS
  const environment = () => readFile(join(dir, 'environment'), 'utf8').catch(() => '')
  await expect.poll(environment, { timeout: 50_000 }).toContain('TMPDIR=')
  const oomScore = (await readFile(`/proc/${child.pid}/oom_score_adj`, 'utf8')).trim()
  await writeFile(join(dir, 'continue'), '')
  expect(await child.outcome).toEqual(refused)
  const [fileBlocks, coreBlocks, nice, workingDirectory, ...env] = (await environment()).trim().split('\n')
  expect([fileBlocks, coreBlocks, nice, oomScore, workingDirectory]).toEqual([
    `${MAX_PREPARATION_OUTPUT_FILE_BYTES / 512}`,
    '0',
    '10',
    '1000',
    dir,
  ])
  expect(env).toContain(`TMPDIR=${dir}`)
  expect(env).toContain(`PATH=${process.env.PATH}`)
  expect(env.filter(line => /^[A-Z_]*(SECRET|KEY|TOKEN|URL)/.test(line))).toEqual([])
})

test.each<[string, 'voice' | 'rendition', Partial<PreparationLimits>, string, boolean]>([
  ['time', 'voice', { seconds: 1 }, 'time', true],
  ['work', 'rendition', { cpuSeconds: -1 }, 'work', false],
  ['work on a voice-over', 'voice', { cpuSeconds: -1 }, 'work', false],
  ['memory', 'rendition', { memory: 1_000_000 }, 'memory: ', false],
])('a preparation over its %s limit ends, and the error names the limit', async (_, kind, limits, message, clock) => {
  const entry = await writeFakePreparationScript(scripts, `${kind === 'voice' ? '' : 'send(probed);'} await sleep(20_000)`)
  const { error } = await runToEnd(await orderOf(kind), { limits, entry })
  expect(error).toBeInstanceOf(LimitExceededError)
  expect([error.message.startsWith(message), error.clock]).toEqual([true, clock])
  if (message === 'memory: ') expect(error.message).toMatch(/^memory: \d+ MB$/)
})

test.skipIf(process.platform !== 'linux')('the memory of all processes of a preparation counts together', async () => {
  const entry = await writeFakePreparationScript(scripts, 'const held = Buffer.alloc(4e8, 1); await sleep(60_000); held.length')
  const { error } = await runToEnd(await orderOf('voice'), { limits: { memory: 350_000_000 }, entry })
  expect(error).toBeInstanceOf(LimitExceededError)
  expect(error.message).toMatch(/^memory: [345]\d\d MB$/)
})

test.each<[string, Partial<PreparationLimits>, boolean]>([
  ['time', { probeSeconds: 0.01 }, true],
  ['work', { probeCpuSeconds: -1 }, false],
])('a probe that exceeds its %s limit ends', async (what, limits, clock) => {
  const { error } = await runToEnd(await orderOf('rendition', { url: `${address}/slow-to-probe`, bytes: slowToProbe.length }), { limits })
  expect(error).toBeInstanceOf(LimitExceededError)
  expect([error.message, error.clock]).toEqual([`${what} while probing the file`, clock])
})

test('the probe limit ends with the probe, even if two messages arrive together', async () => {
  const entry = await writeFakePreparationScript(scripts, `send(probed); send({ is: 'progress', part: 0.1 }); await sleep(2200); ${REFUSE}`)
  const busy = async ({ is }: PreparationMessage) => {
    const until = performance.now() + (is === 'probing' ? 500 : 0)
    while (performance.now() < until);
    return undefined
  }
  const { error, messages, result } = await runToEnd(await orderOf('rendition'), {
    limits: { probeSeconds: 1.2, probeCpuSeconds: 5 },
    entry,
    answer: busy,
  })
  expect([error, messages, result]).toEqual([
    undefined,
    ['probing', 'probed', 'progress', 'refused'],
    { status: 'fulfilled', value: refused },
  ])
})

test.each([
  ['a signal that the process caused', "process.kill(process.pid, 'SIGSEGV')", PreparationCrashError, 'It ended by SIGSEGV.'],
  ['SIGTERM from an operator', "process.kill(process.pid, 'SIGTERM')", PreparationMachineError, 'It ended by SIGTERM.'],
  ['SIGKILL from the system', "process.kill(process.pid, 'SIGKILL')", PreparationMachineError, 'It ended by SIGKILL.'],
  ['a full disk', "console.error('No space left on device'); process.exit(75)", PreparationMachineError, 'It ended with 75. '],
  ['an error', "throw new Error('out of luck')", PreparationCrashError, 'It ended with 1. '],
])('the error says how the process ended: %s', async (_, script, kind, message) => {
  const time = `20.${randomInt(1e9)}`
  const startsSleepingChild = `import { spawn } from 'node:child_process'
    try { spawn('sleep', ['${time}'], { stdio: 'ignore' }).on('error', () => {}) } catch {}
    await sleep(100)
    ${script}
    await sleep(20_000)`
  const { error } = await runToEnd(await orderOf('voice'), { entry: await writeFakePreparationScript(scripts, startsSleepingChild) })
  expect(error).toBeInstanceOf(kind)
  expect(error.message.slice(0, message.length)).toBe(message)
  await waitUntilNoProcess(time)
})

test('the error of a crash contains the last output of the process', async () => {
  const script = "process.stderr.write('0'.repeat(2000) + 'and the end'); await sleep(200); process.kill(process.pid, 'SIGSEGV')"
  const { error } = await runToEnd(await orderOf('voice'), { entry: await writeFakePreparationScript(scripts, script) })
  expect(error.message).toMatch(/^It ended by SIGSEGV\. 0+and the end$/)
  expect(error.message.length).toBeGreaterThan(1000)
  expect(error.message.length).toBeLessThan(1030)
})

test('a process that cannot start, is killed, or has a failing listener is reported', async () => {
  const order = await orderOf('voice')
  const entry = await writeFakePreparationScript(scripts, 'await sleep(20_000)')
  const notStarted = await runToEnd({ ...order, dir: join(dir, 'nowhere') }, { entry })
  expect(notStarted.error).toBeInstanceOf(PreparationMachineError)
  const listenerError = new Error('not now')
  const { error, messages } = await runToEnd(order, { entry, answer: () => Promise.reject(listenerError) })
  expect([error, messages]).toEqual([listenerError, ['probing']])
  const started = Promise.withResolvers<void>()
  const child = supervisePreparation(order, async () => started.resolve() as undefined, { entry })
  await started.promise
  child.kill()
  await expect(child.outcome).rejects.toThrow(new PreparationMachineError('It ended by SIGKILL.'))
  // The child's process id may belong to another process by now.
  const kill = vi.spyOn(process, 'kill')
  child.kill()
  expect(kill).not.toHaveBeenCalled()
  vi.restoreAllMocks()
  await waitUntilNoProcess(entry)
})

test.skipIf(process.platform !== 'linux')('no process of a preparation survives the death of the server', async () => {
  const entry = await writeFakePreparationScript(scripts, 'await sleep(60_000)')
  const server = join(scripts, 'server.ts')
  const supervisor = join(import.meta.dirname, '../../../modules/media/supervise-preparation.ts')
  await writeFile(
    server,
    `import { supervisePreparation } from '${supervisor}'\nsupervisePreparation(JSON.parse(process.argv[2]!), async () => undefined, { entry: process.argv[3] })`,
  )
  const parent = spawn(process.execPath, [server, JSON.stringify(await orderOf('voice')), entry], { stdio: 'ignore' })
  await expect.poll(async () => (await findPidsByArgument(entry)).length, { timeout: 20_000 }).toBeGreaterThan(1)
  // Wait until the child has stopped writing, because writing to a closed pipe would already kill it.
  await sleep(1000)
  parent.kill('SIGKILL')
  await waitUntilNoProcess(entry)
})

test.skipIf(process.platform !== 'linux')('a preparation without a sandbox ends with its server and empties its directory', async () => {
  // Opening a pipe without a writer blocks forever.
  execFileSync('mkfifo', [join(dir, ORIGINAL_FILE_NAME)])
  const main = join(import.meta.dirname, '../../../modules/media/preparation-process/main.ts')
  const task = JSON.stringify({ kind: 'voice', type: 'audio/webm', dir }).replace('}', ',"serverPid":')
  // The shell stands in for the server. The test kills it as soon as both processes are running, perhaps before the child process has
  // loaded. Both have the directory as an argument, so that the test can find them.
  const parent = spawn('sh', ['-c', '"$1" "$2" "$3$$}" "$4" & wait', 'sh', process.execPath, main, task, dir], { stdio: 'ignore' })
  await expect.poll(async () => (await findPidsByArgument(dir)).length, { timeout: 20_000 }).toBe(2)
  parent.kill('SIGKILL')
  await waitUntilNoProcess(dir)
  await expect.poll(() => existsSync(dir)).toBe(false)
})

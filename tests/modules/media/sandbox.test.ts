import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  findProcessSandbox,
  nodeSandbox,
  type ProcessSandbox,
  processSandboxCandidates,
  startSandboxedProcess,
} from '../../../modules/media/sandbox.ts'
import { findPidsByArgument } from './find-processes.ts'
import type { IntruderTargets } from './sandbox-intruder.ts'

// These tests check what a malicious file could reach if it took over the process that opens it, with each sandbox and without one.

const SECRET = 'the key of everything'
const linux = process.platform === 'linux'
const servers: Server[] = []
let data: string
let scratch: string
let targets: IntruderTargets

const listening = async (...where: [number, string] | [string]) => {
  const server = createServer(socket => socket.end())
  servers.push(server)
  // @ts-expect-error either a port and an address, or a path
  await new Promise<void>(done => server.listen(...where, done))
  return (server.address() as AddressInfo).port
}
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'sandbox-data-'))
  await writeFile(join(data, 'file'), SECRET)
  const sleep = `600.${randomInt(1e9)}`
  const external = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  targets = {
    server: process.pid,
    secret: 'PATH=',
    program: resolve(import.meta.dirname, '../../..'),
    data,
    sleep,
    scratch: '',
    port: await listening(0, '0.0.0.0'),
    address: external.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1',
    socket: join(data, 'socket'),
  }
  await listening(targets.socket)
  if (linux) await listening(`\0${sleep}`)
})
afterAll(async () => {
  for (const server of servers) server.close()
  await rm(data, { recursive: true })
})
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'sandbox-'))
  await writeFile(join(scratch, 'original'), 'a film')
  await chmod(join(scratch, 'original'), 0o600)
})
afterEach(async () => {
  for (const pid of await findPidsByArgument(targets.sleep)) process.kill(pid, 'SIGKILL')
  await rm(scratch, { recursive: true, force: true })
  await rm(join(targets.program, 'node_modules', targets.sleep), { force: true })
})

/** Runs the intruder in a sandbox. @returns the names of its successful attempts */
async function runIntruder(sandbox: ProcessSandbox) {
  const script = join(import.meta.dirname, 'sandbox-intruder.ts')
  const child = await startSandboxedProcess(script, [JSON.stringify({ ...targets, scratch })], { dir: scratch, nice: 0, sandbox })
  let [output, errorOutput] = ['', '']
  child.stdout!.on('data', text => {
    output += text
  })
  child.stderr!.on('data', text => {
    errorOutput += text
  })
  await once(child, 'close')
  expect([errorOutput, output]).toEqual([expect.any(String), expect.stringContaining('{')])
  // The kernel kills the remaining processes a moment after bubblewrap has exited.
  const gone = () => findPidsByArgument(targets.sleep).then(pids => expect(pids).toEqual([]))
  const left = await vi.waitFor(gone, { timeout: 3000, interval: 20 }).then(
    () => false,
    () => true,
  )
  const attempts = Object.entries({ ...JSON.parse(output), 'leave a process behind': left } as Record<string, boolean>)
  return attempts.filter(([, succeeded]) => succeeded).map(([name]) => name)
}
const noSandbox: ProcessSandbox = { kind: 'node', warning: null, command: (_, ...args) => [process.execPath, ...args] }
const OWN = 'write to its own directory'

const best = linux ? await findProcessSandbox() : null
describe.skipIf(best?.kind !== 'bubblewrap')('with bubblewrap (needs permission to create namespaces)', () => {
  test.each(processSandboxCandidates().map((sandbox, index) => ({ sandbox, index })))(
    'a hostile process reaches only its own directory (candidate $index)',
    async ({ sandbox }) => {
      expect(await runIntruder(sandbox)).toEqual([OWN])
      expect(await readFile(join(scratch, 'made'), 'utf8')).toBe('made')
    },
  )

  test('the server logs no warning', () => expect(best!.warning).toBeNull())
})

test.skipIf(!linux)('without a sandbox most attacks of the hostile process succeed', async () => {
  expect(await runIntruder(noSandbox)).toEqual(
    expect.arrayContaining([
      ...['read the environment of the server', 'list the processes of the server', 'send signals to the server', 'read data'],
      ...[
        'write data',
        'find data in the temporary directory',
        'read the users of the system',
        'connect by loopback',
        'connect by the network',
      ],
      ...['connect by a socket file', 'connect by an abstract socket', 'read data by another program', 'leave a process behind', OWN],
    ]),
  )
})

test("Node's permissions restrict files and other programs, but not the network", async () => {
  const inJavaScript = await runIntruder(nodeSandbox(''))
  const files = ['environment', 'memory', 'processes', 'write', 'add', 'read', 'find', 'leave', 'program']
  expect(inJavaScript.filter(what => files.some(word => what.includes(word)))).toEqual([OWN])
  expect(inJavaScript).toContain('connect by loopback')
  expect(inJavaScript).not.toContain('read data by another program')
})

test('a warning says what to do if bubblewrap is missing or has no permission', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'sandbox-path-'))
  const missing = await findProcessSandbox(empty)
  expect([missing.kind, missing.warning]).toEqual([
    'node',
    expect.stringMatching(linux ? /^[^\n]*apt-get install bubblewrap[^\n]*$/ : /Linux/),
  ])
  await writeFile(join(empty, 'bwrap'), '#!/bin/sh\necho "bwrap: Creating new namespace failed" >&2\nexit 1\n')
  await chmod(join(empty, 'bwrap'), 0o755)
  const refused = await findProcessSandbox(`${empty}:/usr/bin:/bin`)
  expect([refused.kind, refused.warning]).toEqual([
    'node',
    expect.stringMatching(linux ? /^[^\n]*Creating new namespace failed[^\n]*docker-compose\.yml[^\n]*$/ : /Linux/),
  ])
  await rm(empty, { recursive: true })
})

/**
 * Replaces the process that opens untrusted files, as if an attacker controlled it, and tries what it must not be able to do. Prints the
 * successful attempts as JSON. It imports nothing, because only its own file is sure to be readable.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type NetConnectOpts } from 'node:net'
import { basename, dirname, join } from 'node:path'

export interface IntruderTargets {
  server: number
  /** A secret from the server's environment. */
  secret: string
  program: string
  data: string
  port: number
  address: string
  socket: string
  scratch: string
  sleep: string
}

const prey = JSON.parse(process.argv[2]!) as IntruderTargets

function succeeds(attempt: () => unknown): boolean {
  try {
    return attempt() !== false
  } catch {
    return false
  }
}
const opens = (path: string, flags: number) => succeeds(() => closeSync(openSync(path, flags)))
const connects = (to: NetConnectOpts) =>
  new Promise<boolean>(done => {
    const socket = connect(to, () => done(!!socket.destroy()))
    socket.once('error', () => done(false))
  })
/** Runs another program, to which Node's own permissions do not apply. */
const runs = (...command: [string, ...string[]]) => succeeds(() => spawnSync(command[0], command.slice(1)).status === 0)

const could = {
  'read the environment of the server': succeeds(() => readFileSync(`/proc/${prey.server}/environ`).includes(prey.secret)),
  'open the memory of the server': opens(`/proc/${prey.server}/mem`, constants.O_RDONLY),
  'list the processes of the server': succeeds(() => readdirSync('/proc').includes(`${prey.server}`)),
  'send signals to the server': succeeds(() => process.kill(prey.server, 0)),
  'write the program': opens(join(prey.program, 'package.json'), constants.O_WRONLY),
  'add to the packages': succeeds(() => writeFileSync(join(prey.program, 'node_modules', prey.sleep), '')),
  'read data': opens(join(prey.data, 'file'), constants.O_RDONLY),
  'write data': opens(join(prey.data, 'file'), constants.O_WRONLY),
  'find data in the temporary directory': succeeds(() => readdirSync(dirname(prey.data)).includes(basename(prey.data))),
  'read the users of the system': opens('/etc/passwd', constants.O_RDONLY),
  'connect by loopback': await connects({ port: prey.port, host: '127.0.0.1' }),
  'connect by the network': await connects({ port: prey.port, host: prey.address }),
  'connect by a socket file': await connects({ path: prey.socket }),
  'connect by an abstract socket': runs(
    ...([
      process.execPath,
      '-e',
      `require('net').connect('\\x00${prey.sleep}').on('error',()=>process.exit(1)).on('connect',()=>process.exit())`,
    ] as const),
  ),
  'read data by another program': runs('cat', join(prey.data, 'file')),
  'read the environment of the server by another program': runs('cat', `/proc/${prey.server}/environ`),
  'leave a process behind': runs('sh', '-c', `setsid -f sleep ${prey.sleep} >/dev/null 2>&1 </dev/null`),
  'write to its own directory': succeeds(() => writeFileSync(join(prey.scratch, 'made'), 'made')),
}
console.log(JSON.stringify(could))

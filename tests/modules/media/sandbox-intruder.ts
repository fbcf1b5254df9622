/**
 * Replaces the process that opens untrusted files, as if an attacker controlled it, and tries what the sandbox must prevent. Prints as
 * JSON whether each attempt succeeded. Imports only Node's own modules, because no file but this one is sure to be readable.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type NetConnectOpts } from 'node:net'
import { basename, dirname, join } from 'node:path'

export interface IntruderTargets {
  server: number
  /** A text that occurs in the server's environment. */
  secret: string
  program: string
  data: string
  port: number
  address: string
  socket: string
  scratch: string
  sleep: string
}

const targets = JSON.parse(process.argv[2]!) as IntruderTargets

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

const attempts = {
  'read the environment of the server': succeeds(() => readFileSync(`/proc/${targets.server}/environ`).includes(targets.secret)),
  'open the memory of the server': opens(`/proc/${targets.server}/mem`, constants.O_RDONLY),
  'list the processes of the server': succeeds(() => readdirSync('/proc').includes(`${targets.server}`)),
  'send signals to the server': succeeds(() => process.kill(targets.server, 0)),
  'write the program': opens(join(targets.program, 'package.json'), constants.O_WRONLY),
  'add to the packages': succeeds(() => writeFileSync(join(targets.program, 'node_modules', targets.sleep), '')),
  'read data': opens(join(targets.data, 'file'), constants.O_RDONLY),
  'write data': opens(join(targets.data, 'file'), constants.O_WRONLY),
  'find data in the temporary directory': succeeds(() => readdirSync(dirname(targets.data)).includes(basename(targets.data))),
  'read the users of the system': opens('/etc/passwd', constants.O_RDONLY),
  'connect by loopback': await connects({ port: targets.port, host: '127.0.0.1' }),
  'connect by the network': await connects({ port: targets.port, host: targets.address }),
  'connect by a socket file': await connects({ path: targets.socket }),
  'connect by an abstract socket': runs(
    ...([
      process.execPath,
      '-e',
      `require('net').connect('\\x00${targets.sleep}').on('error',()=>process.exit(1)).on('connect',()=>process.exit())`,
    ] as const),
  ),
  'read data by another program': runs('cat', join(targets.data, 'file')),
  'read the environment of the server by another program': runs('cat', `/proc/${targets.server}/environ`),
  'leave a process behind': runs('sh', '-c', `setsid -f sleep ${targets.sleep} >/dev/null 2>&1 </dev/null`),
  'write to its own directory': succeeds(() => writeFileSync(join(targets.scratch, 'made'), 'made')),
}
console.log(JSON.stringify(attempts))

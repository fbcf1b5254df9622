import { execFile } from 'node:child_process'
import { chown, cp, lstat, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * How to run Postgres' programs under a user id that they accept: `command(program)` returns the start of the command line, `spawn` holds
 * options for the child process, and `takeOwnership` makes that user the owner of a file if necessary.
 */
export interface UnprivilegedPostgresRunner {
  command: (program: 'initdb' | 'postgres') => string[]
  spawn: { uid?: number; gid?: number }
  takeOwnership: (file: string) => Promise<void>
}

/**
 * Postgres refuses to run as root, or as a user id that is not in /etc/passwd. In these cases it runs in a user namespace in which the
 * current user has another id: its files still belong to the current user, and it can enter the same directories. Where namespaces are
 * forbidden (most containers), root starts it as `nobody` with the capability CAP_DAC_OVERRIDE, so that it can reach its data through
 * directories that `nobody` may not enter.
 * @param native the directory with Postgres' bin, lib and share
 * @param data the data directory, which Postgres must own; it need not exist yet
 * @throws Error if Postgres cannot run in any of these ways
 */
export async function findUnprivilegedPostgresRunner(native: string, data: string): Promise<UnprivilegedPostgresRunner> {
  const me = process.getuid?.()
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map(line => line.split(':'))
  const plain = runner(native)
  if (me === undefined || (me !== 0 && accounts.some(a => Number(a[2]) === me))) return plain

  const somebody = accounts.find(a => a[0] === 'nobody') ?? accounts.find(a => Number(a[2]) > 0)
  const owner = await stat(data).catch(() => null)
  const { uid, gid } = owner?.uid ? owner : { uid: Number(somebody?.[2] ?? 65534), gid: Number(somebody?.[3] ?? 65534) }
  // Existing data keeps its owner, so use the method under which Postgres runs as that owner.
  if (me !== 0 || !owner?.uid) {
    const renumbered = runner(native, ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`])
    if (await canRun(renumbered)) return renumbered
  }
  if (me === 0 && owner?.uid !== 0) {
    // The capability allows opening files, but not access(2), which Postgres calls to find its own programs.
    const reachable = (await canRun(runner(native, [], { uid, gid }))) ? native : await openCopy(native)
    const capable = ['--clear-groups', '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
    const takeOwnership = (file: string) => chown(file, uid, gid)
    for (const way of [
      runner(reachable, ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...capable], {}, takeOwnership),
      runner(reachable, [], { uid, gid }, takeOwnership),
    ])
      if (await canRun(way)) return way
  }
  throw new Error('The embedded Postgres cannot run as this user here. Start as an ordinary user, or set DATABASE_URL.')
}

const runner = (
  native: string,
  prefix: string[] = [],
  spawn: UnprivilegedPostgresRunner['spawn'] = {},
  takeOwnership: UnprivilegedPostgresRunner['takeOwnership'] = async () => {},
): UnprivilegedPostgresRunner => ({
  command: program => [...prefix, join(native, 'bin', program)],
  spawn,
  takeOwnership,
})

async function canRun(way: UnprivilegedPostgresRunner) {
  const [command, ...args] = way.command('postgres')
  return promisify(execFile)(command!, [...args, '--version'], { ...way.spawn, cwd: '/' }).then(
    () => true,
    () => false,
  )
}

/** Makes a copy of Postgres that everybody may read, unless there is one that root owns and nobody else may write to. Returns its path. */
async function openCopy(native: string) {
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8'))
  const place = join(tmpdir(), `diamondlink-postgres-${version}`)
  const fileStatus = await lstat(place).catch(() => null)
  if (fileStatus?.isDirectory() && fileStatus.uid === 0 && !(fileStatus.mode & 0o022)) return place
  const fresh = await mkdtemp(`${place}-`)
  const copy = join(fresh, basename(place))
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  await promisify(execFile)('chmod', ['-R', 'a+rX,go-w', fresh])
  return rename(copy, place).then(
    () => rm(fresh, { recursive: true }).then(() => place),
    () => copy,
  )
}

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { chown, lchown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { MAX_PREPARATION_OUTPUT_FILE_BYTES } from './policy.ts'

/** The sandbox for opening untrusted files; docs/media-sandbox.md lists what the process inside can reach. */
export interface ProcessSandbox {
  kind: 'bubblewrap' | 'node'
  /** Tells operators what is missing and how to get it; null if nothing is missing. */
  warning: string | null
  /** The command line that runs Node inside, with these arguments. */
  command(inside: Inside, ...node: string[]): string[]
  /** The user id that the process inside runs as, if it is not the server's; that user must own the writable directory. */
  user?: number
}
/** What is visible inside: one writable directory, and files and directories that can only be read. */
interface Inside {
  dir: string
  readable: string[]
}

const root = resolve(import.meta.dirname, '../..')
const packages = join(root, 'node_modules')
/** The visible part of the program: its sources and packages, but no data and no configuration. */
const PROGRAM_PATHS = [join(root, 'modules'), packages, join(root, 'package.json')]
/** The visible part of the system: programs and libraries, but no configuration. Not all of /usr: the program and its data may be there. */
const SYSTEM_PATHS = [
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store', '/etc/ld.so.cache', '/etc/alternatives'],
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libexec', 'local/bin', 'local/lib'].map(path => `/usr/${path}`),
]
const DEVICE_PATHS = ['/dev/null', '/dev/zero', '/dev/urandom']
/** The user `nobody`: the process in the sandbox runs as this user if the server runs as root. */
const NOBODY_UID = 65534

const ancestors = (path: string): string[] => {
  const above = dirname(path)
  return above === '/' ? [] : [...ancestors(above), above]
}
const isInside = (path: string, folders: string[]) => folders.some(folder => path === folder || path.startsWith(`${folder}/`))
const node = realpathSync(process.execPath)

/**
 * The part of bubblewrap's command line that does not depend on the user. There is no /proc inside, because containers forbid mounting a
 * new one.
 */
function isolationArguments({ dir, readable }: Inside): string[] {
  const system = SYSTEM_PATHS.filter(existsSync).flatMap(path =>
    lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
  )
  const others = [...new Set([...PROGRAM_PATHS, node, ...readable])].filter(path => !isInside(path, SYSTEM_PATHS))
  // Create these with `--dir`: parent directories that bubblewrap creates by itself are closed to every other user, such as `nobody`.
  const folders = [...new Set([...SYSTEM_PATHS, ...DEVICE_PATHS, ...others, dir].flatMap(ancestors))].filter(
    path => !isInside(path, SYSTEM_PATHS),
  )
  return [
    ...['--die-with-parent', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ...folders.flatMap(path => ['--dir', path]),
    ...system,
    ...DEVICE_PATHS.flatMap(path => ['--dev-bind', path, path]),
    ...others.flatMap(path => ['--ro-bind-try', path, path]),
    ...['--bind', dir, dir, '--remount-ro', '/'],
  ]
}

/** The sandbox if the server runs as root: the process inside gives up root and runs as `nobody`. */
const asNobody: ProcessSandbox = {
  kind: 'bubblewrap',
  warning: null,
  user: NOBODY_UID,
  command: (inside, ...args) => [
    ...[
      'bwrap',
      ...isolationArguments(inside),
      '--cap-drop',
      'ALL',
      ...['SETUID', 'SETGID', 'SETPCAP'].flatMap(name => ['--cap-add', `CAP_${name}`]),
    ],
    ...['setpriv', `--reuid=${NOBODY_UID}`, `--regid=${NOBODY_UID}`, '--clear-groups', '--bounding-set=-all', '--inh-caps=-all'],
    ...['--no-new-privs', '--', 'env', `--chdir=${inside.dir}`, node, ...args],
  ],
}
/**
 * The sandbox for an ordinary user, who needs a user namespace.
 * @param options further arguments, which only newer versions of bubblewrap accept
 */
const inUserNamespace = (...options: string[]): ProcessSandbox => ({
  kind: 'bubblewrap',
  warning: null,
  command: (inside, ...args) => [
    'bwrap',
    ...isolationArguments(inside),
    '--chdir',
    inside.dir,
    '--unshare-user',
    ...options,
    '--',
    node,
    ...args,
  ],
})
/** The sandbox without bubblewrap. Node's permissions restrict only JavaScript; a compromised native decoder has all this user's rights. */
export const nodeSandbox = (warning: string): ProcessSandbox => ({
  kind: 'node',
  warning,
  command: ({ dir, readable }, ...args) => [
    ...[node, '--permission', '--allow-addons', '--allow-worker'],
    ...[...PROGRAM_PATHS, ...readable, dir].map(path => `--allow-fs-read=${path}`),
    ...[`--allow-fs-write=${dir}`, ...args],
  ],
})

/** The sandboxes that may work on this system, best first. */
export const processSandboxCandidates = (): ProcessSandbox[] => [
  ...(process.getuid?.() === 0 ? [asNobody] : []),
  inUserNamespace('--disable-userns'),
  inUserNamespace(),
]

const UNCONTAINED_RISK = 'a hostile video could reach the network and whatever this user may; docs/media-sandbox.md'
const warnings = {
  platform: `Videos are opened without a sandbox: bubblewrap exists only on Linux. Here Node's permissions restrict only JavaScript, and ${UNCONTAINED_RISK}`,
  missing: `Videos are opened without a sandbox: bubblewrap is missing. Install it (apt-get install bubblewrap) and start again; until then ${UNCONTAINED_RISK}`,
  refused: (why: string) =>
    `Videos are opened without a sandbox: bubblewrap is installed, but the system refuses to run it (${why}). Allow user namespaces, in a container by the security options of docker-compose.yml; until then ${UNCONTAINED_RISK}`,
}

const sandboxByPath = new Map<string, Promise<ProcessSandbox>>()
/** Finds the best sandbox that works on this machine. The result is cached for each `path` (a value of PATH). */
export function findProcessSandbox(path = process.env.PATH ?? ''): Promise<ProcessSandbox> {
  const known = sandboxByPath.get(path) ?? firstWorkingSandbox(path)
  sandboxByPath.set(path, known)
  return known
}

async function firstWorkingSandbox(PATH: string): Promise<ProcessSandbox> {
  if (process.platform !== 'linux') return nodeSandbox(warnings.platform)
  if (!isOnPath('bwrap', PATH)) return nodeSandbox(warnings.missing)
  let why = ''
  for (const sandbox of processSandboxCandidates()) {
    const dir = await mkdtemp(join(tmpdir(), 'diamondlink-sandbox-'))
    try {
      if (sandbox.user) await chown(dir, sandbox.user, sandbox.user)
      // Like a preparation, the test needs access to a script of the program and writes to the directory.
      const test = `fs.accessSync(${JSON.stringify(import.meta.filename)}); fs.writeFileSync(${JSON.stringify(join(dir, 'test'))}, '')`
      const [command, ...args] = sandbox.command({ dir, readable: [] }, '-e', test)
      await promisify(execFile)(command!, args, { env: { PATH }, timeout: 30_000 })
      return sandbox
    } catch (error) {
      why = `${(error as { stderr?: string }).stderr || error}`.trim().split('\n')[0]!
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  }
  return nodeSandbox(warnings.refused(why))
}

const isOnPath = (program: string, path: string) => path.split(delimiter).some(folder => existsSync(join(folder, program)))

/**
 * Starts a script of the program inside a sandbox, at a low priority, without the server's environment, and in a process group of its own.
 * If the sandbox runs it as another user, that user first becomes the owner of `dir` and its files.
 * @param nice the `nice` value of its priority
 * @param readable files and directories that it may read in addition to the script and the modules
 */
export async function startSandboxedProcess(
  script: string,
  args: string[],
  { dir, nice, sandbox, readable = [] }: { dir: string; nice: number; sandbox: ProcessSandbox; readable?: readonly string[] },
): Promise<ChildProcess> {
  if (sandbox.user)
    for (const path of [dir, ...(await readdir(dir)).map(name => join(dir, name))]) await lchown(path, sandbox.user, sandbox.user)
  const inside = { dir, readable: [script, ...readable] }
  const command = sandbox.command(inside, '--max-old-space-size=512', script, ...args)
  // If the system runs out of memory, it kills this process before the server.
  const firstToKill = 'echo 1000 2>/dev/null >/proc/self/oom_score_adj'
  // Linux may schedule by sessions (autogroup), and then `nice` counts only within a session (sched(7)). This process has its own session,
  // so set the session's value, too. For a moment after any session's value has changed, the kernel refuses this to an ordinary user, so
  // try several times.
  const group = '/proc/self/autogroup'
  const setSessionNice = `[ -w ${group} ] && for try in 1 2 3 4 5 6 7 8 9; do echo ${nice} 2>/dev/null >${group} && break; sleep 0.1; done`
  // The file size limit is in blocks of 512 bytes. No core dumps.
  const setLimits = `ulimit -c 0; ulimit -f ${Math.ceil(MAX_PREPARATION_OUTPUT_FILE_BYTES / 512)}`
  return spawn('sh', ['-c', `${firstToKill}; ${setSessionNice}; ${setLimits}; exec nice -n ${nice} "$0" "$@"`, ...command], {
    // The server's environment is not passed on, because it holds all secrets. HOME is set for packages that need it, because
    // they may not be able to see /etc/passwd.
    env: { PATH: process.env.PATH, TMPDIR: dir, HOME: dir },
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    // It gets a process group of its own, so that processes which it starts can be ended together with it.
    detached: true,
  })
}

import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import {
  type ChildMessage,
  JOB_FILE_NAME,
  OUTPUT_FILES,
  type OutputFile,
  type PreparationOrder,
  type PreparationTask,
  type UploadUrls,
} from './child/protocol.ts'
import { type FileTransfer, startFileTransfer, TRANSFER_EXIT_CODES } from './file-transfer.ts'
import { OUT_OF_RESOURCES_EXIT_CODE } from './out-of-resources.ts'
import { MAX_MESSAGE_BYTES, parseChildMessage } from './parse-child-message.ts'
import { processTreeUsage } from './process-tree.ts'
import { findSandbox, startSandboxed } from './sandbox.ts'
import { type LimitExceeded, type ReadLimits, workMeter } from './work-meter.ts'

/** The process crashed without a result, by a signal of its own fault or an exit code, which the message names. */
export class PreparationCrash extends Error {}
/** The machine killed the process or lacks resources for it, as the message says. */
export class PreparationInterrupted extends Error {}

/** Signals sent from outside: by an operator, or by a system without free memory. */
const OUTSIDE_SIGNALS = new Set<string | null>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])

const WATCH_INTERVAL_MS = 200
/** How many messages may wait for the listener before the process has to wait. */
const MAX_WAITING_MESSAGES = 50
/** How long the last messages are read after a process has ended. */
const PIPE_CLOSE_TIMEOUT_MS = 2000
/** A process that was ended by signal n may be told of as one that exited with this and n. */
const SIGNAL_EXIT = 128
/** The `nice` values of preparations, which run behind the server; long ones also behind short ones. */
const NICE_OF_SHORT_WORK = 10
const NICE_OF_LONG_WORK = 19
const ENTRY = join(import.meta.dirname, 'child/main.ts')

/** How a preparation ends. */
export type PreparationOutcome =
  | { is: 'stored' }
  | Extract<ChildMessage, { is: 'refused' }>
  /** The object store does not answer. */
  | { is: 'away' }

export type SupervisedProcess = ReturnType<typeof supervise>

export interface SuperviseOptions {
  limits?: Partial<ReadLimits> | undefined
  /** Whether it gives way to short work. */
  long?: boolean
  /** The script that opens the file. */
  entry?: string | undefined
  /** Of the program, what that script reads beside the modules: files and directories. */
  readable?: readonly string[] | undefined
}

/**
 * Prepares a video in a process of its own and watches it: its time, its memory, what it writes. Whatever happens to us, it ends.
 * What opens the file has no network: before it and after it, other processes fetch the original and store what was made.
 * @param on what it says, one after the other; what is answered to `made` is where to put it
 */
export function supervise(
  order: PreparationOrder,
  on: (word: ChildMessage) => Promise<UploadUrls | undefined>,
  { limits = {}, long = false, entry = ENTRY, readable = [] }: SuperviseOptions = {},
) {
  const seconds = () => performance.now() / 1000
  const meter = workMeter(order, limits, seconds())
  let limit: LimitExceeded | undefined
  let running: ChildProcess | undefined
  let killed = false

  const kill = () => {
    killed = true
    running?.kill('SIGKILL')
  }
  const watch = setInterval(async () => {
    const pid = running?.pid
    const passed = meter.measure(pid ?? 0, pid ? await processTreeUsage(pid) : null, seconds())
    if (!passed) return
    limit ??= passed
    kill()
  }, WATCH_INTERVAL_MS)

  /** What a process of ours complains about while it runs, and how it ends; everything that it started ends with it. */
  async function ended(child: ChildProcess) {
    running = child
    let complaint = ''
    child.stderr!.on('data', data => {
      complaint = (complaint + data).slice(-1000)
    })
    const failure = new Promise<PreparationInterrupted>(failed => {
      child.once('error', error => failed(new PreparationInterrupted(error.message)))
    })
    if (killed) child.kill('SIGKILL')
    child.once('exit', () => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // It left nothing behind, or shares our group.
      }
      // A process that escaped could hold our pipes open forever.
      setTimeout(() => {
        for (const stream of [child.stdout, child.stderr]) stream?.destroy()
      }, PIPE_CLOSE_TIMEOUT_MS).unref()
    })
    const closed = new Promise(done => {
      child.once('close', done)
    })
    const failed = await Promise.race([failure, closed.then(() => undefined)])
    running = undefined
    if (failed) throw failed
    const signal = signalOf(child)
    const how = `It ended ${signal ? `by ${signal}` : `with ${child.exitCode}`}. ${complaint}`.trim()
    return { code: child.exitCode, signal, complaint: complaint.trim(), how }
  }

  /** @throws Interrupted where the machine is at fault */
  async function moved(transfer: FileTransfer): Promise<{ exit: 'done' | 'mismatch' | 'lost' | 'away'; complaint: string }> {
    const { code, complaint, how } = await ended(startFileTransfer(transfer))
    if (limit) throw limit
    for (const exit of ['done', 'mismatch', 'lost', 'away'] as const) if (code === TRANSFER_EXIT_CODES[exit]) return { exit, complaint }
    throw new PreparationInterrupted(how)
  }

  async function prepared(): Promise<Extract<ChildMessage, { is: 'made' | 'refused' }>> {
    const child = await startPreparing(entry, readable, order, long ? NICE_OF_LONG_WORK : NICE_OF_SHORT_WORK)
    let said: Extract<ChildMessage, { is: 'made' | 'refused' }> | undefined
    let spoke = false
    let wrong: unknown
    let telling = Promise.resolve<unknown>(undefined)
    let waiting = 0
    const tell = (word: ChildMessage) => {
      spoke = true
      meter.hear(word, seconds())
      if (word.is === 'made' || word.is === 'refused') said = word
      if (++waiting > MAX_WAITING_MESSAGES) child.stdout!.pause()
      telling = telling
        // What it made is told once nothing of it runs any more.
        .then(() => (wrong || word.is === 'made' ? undefined : on(word)))
        .catch(error => {
          wrong ??= error
          kill()
        })
        .finally(() => {
          if (--waiting === 0) child.stdout!.resume()
        })
    }
    readLines(child.stdout!, line => {
      const word = line === null ? null : parseChildMessage(line)
      if (word) return tell(word)
      wrong ??= new PreparationCrash('It said what is not to be said.')
      kill()
    })
    const { code, signal, complaint, how } = await ended(child)
    await telling
    if (wrong) throw wrong
    if (limit) throw limit
    if (said) return said
    const sandboxFailed = !spoke && complaint.startsWith('bwrap:')
    throw OUTSIDE_SIGNALS.has(signal) || code === OUT_OF_RESOURCES_EXIT_CODE || sandboxFailed
      ? new PreparationInterrupted(how)
      : new PreparationCrash(how)
  }

  /** How it ended. @throws Limit, Crash, Interrupted, and what `on` threw */
  async function outcome(): Promise<PreparationOutcome> {
    try {
      const { dir, sources, job } = order
      const fetched = await moved({ is: 'download', files: sources.map(its => ({ ...its, file: join(dir, its.file) })) })
      if (fetched.exit === 'lost') return { is: 'refused', code: 'lost' }
      if (fetched.exit === 'mismatch') return { is: 'refused', code: 'damaged', why: fetched.complaint }
      if (fetched.exit === 'away') return { is: 'away' }
      if (job !== undefined) await writeFile(join(dir, JOB_FILE_NAME), job)
      const end = await prepared()
      if (end.is === 'refused') return end
      const places = Object.entries((await on(end)) ?? {}) as [OutputFile, string][]
      const sizes = end.made as Partial<Record<OutputFile, { bytes: number }>>
      const files = places.map(([file, url]) => ({
        ...{ url, file: join(dir, OUTPUT_FILES[file].name), type: OUTPUT_FILES[file].type },
        bytes: sizes[file]!.bytes,
      }))
      const stored = await moved({ is: 'upload', files })
      if (stored.exit === 'mismatch') throw new PreparationCrash(stored.complaint)
      return { is: stored.exit === 'done' ? 'stored' : 'away' }
    } finally {
      clearInterval(watch)
    }
  }
  return {
    /** Of the process that is at work now. */
    get pid() {
      return running?.pid
    },
    kill,
    outcome: outcome(),
    /** Seconds of a core that all of it has taken so far. */
    cpuSeconds: meter.cpuSeconds,
  }
}

async function startPreparing(
  entry: string,
  readable: readonly string[],
  { kind, type, dir }: PreparationTask,
  nice: number,
): Promise<ChildProcess> {
  const sandbox = await findSandbox()
  const task: PreparationTask = { kind, type, dir, ...(sandbox.kind === 'node' && { serverPid: process.pid }) }
  return startSandboxed(entry, [JSON.stringify(task)], { dir, nice, sandbox, readable })
}

/** The signal that ended a process: a sandbox tells of it by its own exit code, as a shell does. */
const signalOf = ({ exitCode, signalCode }: ChildProcess) =>
  signalCode ?? Object.entries(constants.signals).find(([, number]) => exitCode === SIGNAL_EXIT + number)?.[0] ?? null

/** Each line of a stream; null for one that is longer than any that may come. */
function readLines(stream: NodeJS.ReadableStream, on: (line: string | null) => void) {
  let open = ''
  stream.setEncoding('utf8').on('data', (data: string) => {
    const lines = (open + data).split('\n')
    open = lines.pop()!
    for (const line of lines) on(line)
    if (open.length <= MAX_MESSAGE_BYTES) return
    open = ''
    on(null)
  })
}

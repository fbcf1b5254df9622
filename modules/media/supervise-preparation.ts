import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { type LimitExceededError, type PreparationLimits, trackPreparationUsage } from './check-running-preparation-against-limits.ts'
import { MACHINE_OUT_OF_DISK_OR_FILES_EXIT_CODE } from './disk-and-file-limit-errors.ts'
import { type FileTransferTask, startFileTransferProcess, TRANSFER_EXIT_CODES } from './file-transfer-child-process.ts'
import { MAX_PREPARATION_MESSAGE_BYTES, parsePreparationMessage } from './parse-preparation-message.ts'
import {
  OUTPUT_FILES,
  type OutputFileKind,
  type PreparationMessage,
  type PreparationProcessInput,
  RENDER_INPUT_FILE_NAME,
  type SupervisedPreparationOrder,
  type UploadUrls,
} from './preparation-process/protocol.ts'
import { readProcessTreeUsage } from './process-tree-usage.ts'
import { findProcessSandbox, startSandboxedProcess } from './sandbox.ts'

/**
 * The process crashed without a result, or sent an invalid message or result. The error message names the signal that the process caused
 * itself, its exit code, or what was invalid.
 */
export class PreparationCrashError extends Error {}
/** The machine killed the process, or lacks resources for it. The message names the cause. */
export class PreparationMachineError extends Error {}

/** Signals sent from outside: by an operator, or by a system without free memory. */
const OUTSIDE_SIGNALS = new Set<string | null>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])

const WATCH_INTERVAL_MS = 200
/** How many messages may wait for `handleMessage` before the server stops reading more, so that the process has to wait. */
const MAX_WAITING_MESSAGES = 50
/** How long the server still waits for the last messages of a process that has ended. */
const PIPE_CLOSE_TIMEOUT_MS = 2000
/** A process that was ended by signal n may be reported with the exit code 128 + n. */
const SIGNAL_EXIT = 128
/** The `nice` values of preparations: the server comes first, then short ones, then long ones. */
const NICE_OF_SHORT_WORK = 10
const NICE_OF_LONG_WORK = 19
const ENTRY = join(import.meta.dirname, 'preparation-process/main.ts')

/** How a preparation ends. */
export type PreparationOutcome =
  | { is: 'stored' }
  | Extract<PreparationMessage, { is: 'refused' }>
  /** The object store does not answer. */
  | { is: 'unavailable' }

export type SupervisedPreparation = ReturnType<typeof supervisePreparation>

export interface SupervisionOptions {
  limits?: Partial<PreparationLimits> | undefined
  /** Whether this is long work, which runs at the lowest priority. */
  long?: boolean
  /** The script that opens the file. */
  entry?: string | undefined
  /** Files and directories of the program that the script reads in addition to the modules. */
  readable?: readonly string[] | undefined
}

/**
 * Prepares a video, a voice-over or a review video in a process of its own and enforces its limits on time, memory and output. The process
 * ends even if this server is killed. The process that opens the file needs no network, and has none inside bubblewrap: other processes
 * download the original before it starts and upload the results after it has ended.
 * @param handleMessage handles the messages of the process, one at a time; for `made` it returns the URLs that the results are uploaded to
 */
export function supervisePreparation(
  order: SupervisedPreparationOrder,
  handleMessage: (message: PreparationMessage) => Promise<UploadUrls | undefined>,
  { limits = {}, long = false, entry = ENTRY, readable = [] }: SupervisionOptions = {},
) {
  const seconds = () => performance.now() / 1000
  const monitor = trackPreparationUsage(order, limits, seconds())
  let limit: LimitExceededError | undefined
  let running: ChildProcess | undefined
  let killed = false

  const kill = () => {
    killed = true
    running?.kill('SIGKILL')
  }
  const watch = setInterval(async () => {
    const pid = running?.pid
    const exceeded = monitor.measure(pid ?? 0, pid ? await readProcessTreeUsage(pid) : null, seconds())
    if (!exceeded) return
    limit ??= exceeded
    kill()
  }, WATCH_INTERVAL_MS)

  /**
   * Waits for a process to exit, then kills everything it started.
   * @returns its exit code or signal, and the end of its stderr
   * @throws PreparationMachineError if it cannot be started
   */
  async function waitForEnd(child: ChildProcess) {
    running = child
    let errorOutput = ''
    child.stderr!.on('data', data => {
      errorOutput = (errorOutput + data).slice(-1000)
    })
    const failure = new Promise<PreparationMachineError>(failed => {
      child.once('error', error => failed(new PreparationMachineError(error.message)))
    })
    if (killed) child.kill('SIGKILL')
    child.once('exit', () => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // The kill fails if the process group is empty or does not exist.
      }
      // A descendant that left the process group could hold these pipes open forever.
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
    const reason = `It ended ${signal ? `by ${signal}` : `with ${child.exitCode}`}. ${errorOutput}`.trim()
    return { code: child.exitCode, signal, errorOutput: errorOutput.trim(), reason }
  }

  /** Downloads or uploads files in a process of its own. @throws LimitExceededError; PreparationMachineError if the machine is at fault */
  async function transferFiles(
    transfer: FileTransferTask,
  ): Promise<{ exit: 'done' | 'mismatch' | 'lost' | 'unavailable'; errorOutput: string }> {
    const { code, errorOutput, reason } = await waitForEnd(startFileTransferProcess(transfer))
    if (limit) throw limit
    for (const exit of ['done', 'mismatch', 'lost', 'unavailable'] as const)
      if (code === TRANSFER_EXIT_CODES[exit]) return { exit, errorOutput }
    throw new PreparationMachineError(reason)
  }

  async function prepare(): Promise<Extract<PreparationMessage, { is: 'made' | 'refused' }>> {
    const child = await startPreparing(entry, readable, order, long ? NICE_OF_LONG_WORK : NICE_OF_SHORT_WORK)
    let result: Extract<PreparationMessage, { is: 'made' | 'refused' }> | undefined
    let hasSentMessage = false
    let failure: unknown
    let handling = Promise.resolve<unknown>(undefined)
    let waiting = 0
    const enqueue = (message: PreparationMessage) => {
      hasSentMessage = true
      monitor.onMessage(message, seconds())
      if (message.is === 'made' || message.is === 'refused') result = message
      if (++waiting > MAX_WAITING_MESSAGES) child.stdout!.pause()
      handling = handling
        // `made` is handled only after the process has ended, because until then the process can change its files.
        .then(() => (failure || message.is === 'made' ? undefined : handleMessage(message)))
        .catch(error => {
          failure ??= error
          kill()
        })
        .finally(() => {
          if (--waiting === 0) child.stdout!.resume()
        })
    }
    readLines(child.stdout!, line => {
      const message = line === null ? null : parsePreparationMessage(line)
      if (message) return enqueue(message)
      failure ??= new PreparationCrashError('It sent a message that is not allowed.')
      kill()
    })
    const { code, signal, errorOutput, reason } = await waitForEnd(child)
    await handling
    if (failure) throw failure
    if (limit) throw limit
    if (result) return result
    const sandboxFailed = !hasSentMessage && errorOutput.startsWith('bwrap:')
    throw OUTSIDE_SIGNALS.has(signal) || code === MACHINE_OUT_OF_DISK_OR_FILES_EXIT_CODE || sandboxFailed
      ? new PreparationMachineError(reason)
      : new PreparationCrashError(reason)
  }

  /** @throws LimitExceededError, PreparationCrashError, PreparationMachineError, and errors of `handleMessage` */
  async function outcome(): Promise<PreparationOutcome> {
    try {
      const { dir, sources, job } = order
      const fetched = await transferFiles({ is: 'download', files: sources.map(source => ({ ...source, file: join(dir, source.file) })) })
      if (fetched.exit === 'lost') return { is: 'refused', code: 'lost' }
      if (fetched.exit === 'mismatch') return { is: 'refused', code: 'damaged', why: fetched.errorOutput }
      if (fetched.exit === 'unavailable') return { is: 'unavailable' }
      if (job !== undefined) await writeFile(join(dir, RENDER_INPUT_FILE_NAME), job)
      const result = await prepare()
      if (result.is === 'refused') return result
      const urls = Object.entries((await handleMessage(result)) ?? {}) as [OutputFileKind, string][]
      const sizes = result.made as Partial<Record<OutputFileKind, { bytes: number }>>
      const files = urls.map(([file, url]) => ({
        url,
        file: join(dir, OUTPUT_FILES[file].name),
        type: OUTPUT_FILES[file].type,
        bytes: sizes[file]!.bytes,
      }))
      const stored = await transferFiles({ is: 'upload', files })
      if (stored.exit === 'mismatch') throw new PreparationCrashError(stored.errorOutput)
      return { is: stored.exit === 'done' ? 'stored' : 'unavailable' }
    } finally {
      clearInterval(watch)
    }
  }
  return {
    /** The id of the process that is running now, if any. */
    get pid() {
      return running?.pid
    },
    kill,
    outcome: outcome(),
    /** CPU seconds that all processes of this preparation have used so far. */
    cpuSeconds: monitor.cpuSeconds,
  }
}

async function startPreparing(
  entry: string,
  readable: readonly string[],
  { kind, type, dir }: PreparationProcessInput,
  nice: number,
): Promise<ChildProcess> {
  const sandbox = await findProcessSandbox()
  const task: PreparationProcessInput = { kind, type, dir, ...(sandbox.kind === 'node' && { serverPid: process.pid }) }
  return startSandboxedProcess(entry, [JSON.stringify(task)], { dir, nice, sandbox, readable })
}

/** The signal that ended a process; a sandbox reports it as its own exit code, as a shell does. */
const signalOf = ({ exitCode, signalCode }: ChildProcess) =>
  signalCode ?? Object.entries(constants.signals).find(([, number]) => exitCode === SIGNAL_EXIT + number)?.[0] ?? null

/** Calls `onLine` with each line of a stream, or with null for a line that is longer than allowed. */
function readLines(stream: NodeJS.ReadableStream, onLine: (line: string | null) => void) {
  let open = ''
  stream.setEncoding('utf8').on('data', (data: string) => {
    const lines = (open + data).split('\n')
    open = lines.pop()!
    for (const line of lines) onLine(line)
    if (open.length <= MAX_PREPARATION_MESSAGE_BYTES) return
    open = ''
    onLine(null)
  })
}

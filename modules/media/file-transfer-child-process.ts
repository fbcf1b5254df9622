import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { MACHINE_OUT_OF_DISK_OR_FILES_EXIT_CODE } from './disk-and-file-limit-errors.ts'

/**
 * The files that a transfer process moves between the object store and a directory, with their signed URLs. `stallMs`: the store counts as
 * unavailable if no byte is sent or received for this long; `UPLOAD_STALL_TIMEOUT_MS` if absent. Downloads have the timeouts of `fetch`.
 */
export type FileTransferTask =
  | { is: 'download'; files: { url: string; file: string; bytes: number }[] }
  | { is: 'upload'; files: { url: string; file: string; type: string; bytes: number }[]; stallMs?: number }

/** Far more than a store needs: it answers within seconds of the last byte, even of a large file. */
export const UPLOAD_STALL_TIMEOUT_MS = 120_000

/** Exit codes of a transfer process (sysexits.h). */
export const TRANSFER_EXIT_CODES = {
  done: 0,
  /** The object is longer than expected, or the file is not a regular file of the expected length. */
  mismatch: 65,
  /** The object does not exist. */
  lost: 66,
  /** The object store does not respond, responds with an error, or sends too few bytes. */
  unavailable: 69,
  noRoom: MACHINE_OUT_OF_DISK_OR_FILES_EXIT_CODE,
} as const

const entry = join(import.meta.dirname, 'file-transfer-main.ts')

/**
 * Starts a process that transfers the files. It parses no untrusted content, so it may use the network. It is a separate process so that
 * videos never pass through the server process. It exits when its parent does, because its standard input then closes.
 */
export function startFileTransferProcess(transfer: FileTransferTask): ChildProcess {
  const child = spawn(process.execPath, ['--max-old-space-size=64', entry], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // The input contains signed URLs, which must not be process arguments, because other users can read those.
  child.stdin!.on('error', () => {}).write(`${JSON.stringify(transfer)}\n`)
  return child
}

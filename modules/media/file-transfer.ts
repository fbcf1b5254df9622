import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { OUT_OF_RESOURCES_EXIT_CODE } from './out-of-resources.ts'

/** Moves bytes between the object store and a directory. */
export type FileTransfer =
  | { is: 'download'; files: { url: string; file: string; bytes: number }[] }
  | { is: 'upload'; files: { url: string; file: string; type: string; bytes: number }[] }

/** Exit codes of a transfer process (sysexits.h). */
export const TRANSFER_EXIT_CODES = {
  done: 0,
  /** The object, or a file, does not have the expected length. */
  mismatch: 65,
  /** There is no such object. */
  lost: 66,
  /** The object store does not answer, or answers something else than the bytes. */
  away: 69,
  noRoom: OUT_OF_RESOURCES_EXIT_CODE,
} as const

const entry = join(import.meta.dirname, 'transfer-process.ts')

/**
 * Starts a process that moves the bytes. It opens nothing that a stranger wrote, so it may use the network; it is a process of its own
 * because videos never pass through the one that answers people. It ends with its parent, as its standard input ends then.
 */
export function startFileTransfer(transfer: FileTransfer): ChildProcess {
  const child = spawn(process.execPath, ['--max-old-space-size=64', entry], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // The input contains signed addresses, which must not be process arguments, because other users can read those.
  child.stdin!.on('error', () => {}).write(`${JSON.stringify(transfer)}\n`)
  return child
}

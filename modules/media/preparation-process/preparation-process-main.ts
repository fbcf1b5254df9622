import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import {
  isFileTooLargeError,
  isOutOfDiskOrFileHandlesError,
  MACHINE_OUT_OF_DISK_OR_FILES_EXIT_CODE,
} from '../disk-and-file-limit-errors.ts'
import { MediaRefusal } from './media-refusal.ts'
import type { PreparationMessage, PreparationProcessInput } from './protocol.ts'

/** Sends a message to the supervisor. */
export type SendMessage = (message: PreparationMessage) => void

/** The maximum length of an error text in a message; only the end of a longer one is sent. */
const MAX_ERROR_CHARACTERS = 500
/** The minimum time between progress messages, in ms. */
const PROGRESS_INTERVAL_MS = 300

/** Writes synchronously, so that the message is sent before anything else happens. */
const send: SendMessage = message => writeFileSync(1, `${JSON.stringify(message)}\n`)

/** Turns a `MediaRefusal`, or the error for an output file that is larger than allowed, into a message. @throws every other error */
export async function catchMediaRefusalAsMessage(making: Promise<PreparationMessage>): Promise<PreparationMessage> {
  try {
    return await making
  } catch (thrown) {
    const error = isFileTooLargeError(thrown) ? new MediaRefusal('too-long', thrown) : thrown
    if (error instanceof MediaRefusal)
      return { is: 'refused', code: error.code, ...(error.causeText && { why: error.causeText.slice(-MAX_ERROR_CHARACTERS) }) }
    throw error
  }
}

/** Returns a function that sends the progress, 0 to 1. It ignores calls less than `PROGRESS_INTERVAL_MS` after the last message. */
export function progressReporter(send: SendMessage) {
  let lastReportedAt = Number.NEGATIVE_INFINITY
  return (part: number) => {
    if (performance.now() - lastReportedAt < PROGRESS_INTERVAL_MS) return
    lastReportedAt = performance.now()
    send({ is: 'progress', part })
  }
}

/**
 * Deletes this process's directory and kills the process once its server has died. A separate thread checks for that, because a hostile
 * file can block the main thread forever. The task contains the server's process id, because the server may die before this process can
 * read its parent's id.
 */
function endWithServer({ dir, serverPid = process.ppid }: PreparationProcessInput) {
  const watchdog = `
    const { rmSync } = require('node:fs')
    const { workerData: { dir, parent } } = require('node:worker_threads')
    setInterval(() => {
      if (process.ppid === parent) return
      rmSync(dir, { recursive: true, force: true })
      process.kill(process.pid, 'SIGKILL')
    }, 500)`
  new Worker(watchdog, { eval: true, workerData: { dir, parent: serverPid }, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref()
}

/** Runs the preparation process: it sends its messages and exits. The supervisor that started it enforces its limits. */
export async function preparationProcessMain(
  prepare: (task: PreparationProcessInput, send: SendMessage) => Promise<PreparationMessage>,
): Promise<never> {
  const task = JSON.parse(process.argv[2]!) as PreparationProcessInput
  endWithServer(task)
  try {
    send(await prepare(task, send))
  } catch (error) {
    console.error(error)
    process.exitCode = isOutOfDiskOrFileHandlesError(error) ? MACHINE_OUT_OF_DISK_OR_FILES_EXIT_CODE : 1
  }
  process.exit()
}

import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { isOutOfResources, OUT_OF_RESOURCES_EXIT } from '../out-of-resources.ts'
import { prepare } from './prepare.ts'
import type { ChildMessage, PreparationTask } from './protocol.ts'

/** The process that prepares one video or voice-over. It says what it finds and ends; whoever started it watches its time and its memory. */

/** Written when it returns, so that whatever happens next comes after it. */
const say = (word: ChildMessage) => writeFileSync(1, `${JSON.stringify(word)}\n`)

/**
 * Ends with who started it, even where a hostile file keeps this thread busy for ever: a second thread looks whether we still have a
 * parent, and leaves nothing behind.
 */
function orphaned(dir: string) {
  const looking = `
    const { rmSync } = require('node:fs')
    const { workerData: { dir, parent } } = require('node:worker_threads')
    setInterval(() => {
      if (process.ppid === parent) return
      rmSync(dir, { recursive: true, force: true })
      process.kill(process.pid, 'SIGKILL')
    }, 500)`
  new Worker(looking, { eval: true, workerData: { dir, parent: process.ppid }, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref()
}

const task = JSON.parse(process.argv[2]!) as PreparationTask
orphaned(task.dir)
try {
  say(await prepare(task, say))
} catch (error) {
  console.error(error)
  process.exitCode = isOutOfResources(error) ? OUT_OF_RESOURCES_EXIT : 1
}
process.exit()

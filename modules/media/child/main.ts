import { Worker } from 'node:worker_threads'
import { hasNoRoom, prepare } from './prepare.ts'
import { NO_ROOM, type Order, type Places, type Word } from './words.ts'

/** The process that prepares one video or voice-over. It says what it finds and ends; whoever started it watches its time and its memory. */

const say = (word: Word) => new Promise<void>(done => process.send!(word, () => done()))
const heard = <T>() => new Promise<T>(done => process.once('message', message => done(message as T)))

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

const order = await heard<Order>()
orphaned(order.dir)
try {
  const end = await prepare(order, {
    say,
    async ask(word) {
      const answer = heard<Places>()
      await say(word)
      return answer
    },
  })
  await say(end)
} catch (error) {
  console.error(error)
  process.exitCode = hasNoRoom(error) ? NO_ROOM : 1
}
process.exit()

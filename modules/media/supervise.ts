import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NO_ROOM, type Order, type Places, type Word } from './child/words.ts'
import { OUTPUT_MOST } from './policy.ts'
import { type Limit, type Limits, workMeter } from './work-meter.ts'

/** It ended itself without an answer, by a signal of its own fault or an exit code; the message says how. */
export class Crash extends Error {}
/** The machine ended it, or has no room for it; the message says how. */
export class Interrupted extends Error {}

/** These are sent from outside: by who runs the machine, or by a system that has no memory left. */
const FROM_OUTSIDE = new Set<string | null>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])

const WATCH_EVERY = 200
const CLOCK_TICKS = 100
/** How far a preparation stands back behind the server that answers people; and long work behind short work too. */
const NICE_OF_SHORT_WORK = 10
const NICE_OF_LONG_WORK = 19
const entry = join(import.meta.dirname, 'child/main.ts')

export type Supervised = ReturnType<typeof supervise>

/**
 * Prepares a video in a process of its own and watches it: its time, its memory, what it writes. Whatever happens to us, it ends.
 * @param on what it says, one after the other; what is answered to `made` is where to put it
 * @param long whether it gives way to short work
 */
export function supervise(order: Order, on: (word: Word) => Promise<Places | undefined>, limits: Partial<Limits> = {}, long = false) {
  const seconds = () => performance.now() / 1000
  const meter = workMeter(order, limits, seconds())
  const nice = long ? NICE_OF_LONG_WORK : NICE_OF_SHORT_WORK
  const node = [process.execPath, '--max-old-space-size=512', entry]
  // Where the system has no memory left, it ends this before it ends who answers people.
  const last = 'echo 1000 2>/dev/null >/proc/self/oom_score_adj'
  // Linux may share its cores out by sessions, within which alone `nice` counts, and this has a session of its own. A plain user is refused
  // where another session was changed a moment ago.
  const group = '/proc/self/autogroup'
  const back = `[ -w ${group} ] && for try in 1 2 3 4 5 6 7 8 9; do echo ${nice} 2>/dev/null >${group} && break; sleep 0.1; done`
  // In blocks of 512 bytes; and no core dump.
  const bounded = `ulimit -c 0; ulimit -f ${Math.ceil(OUTPUT_MOST / 512)}`
  const child = spawn('sh', ['-c', `${last}; ${back}; ${bounded}; exec nice -n ${nice} "$0" "$@"`, ...node], {
    // Nothing of the environment: it holds the keys of everything.
    env: { PATH: process.env.PATH, TMPDIR: order.dir },
    cwd: order.dir,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // In a group of its own, so that what it starts ends with it.
    detached: true,
  })
  let limit: Limit | undefined
  let ended: Extract<Word, { is: 'stored' | 'refused' | 'away' }> | undefined
  let wrong: unknown
  let complaint = ''
  let saying = Promise.resolve()

  // What it started itself goes when it has ended.
  const kill = () => {
    child.kill('SIGKILL')
  }

  child.stderr!.on('data', data => {
    complaint = (complaint + data).slice(-1000)
  })
  child.on('message', (word: Word) => {
    meter.hear(word, seconds())
    if (word.is === 'stored' || word.is === 'refused' || word.is === 'away') ended = word
    saying = saying
      .then(async () => {
        const places = wrong ? undefined : await on(word)
        if (places && child.connected) child.send(places, () => {})
      })
      .catch(error => {
        wrong ??= error
        kill()
      })
  })
  child.on('error', error => {
    wrong ??= new Interrupted(error.message)
  })

  const watch = setInterval(async () => {
    const passed = meter.measure(child.pid!, await usage(child), seconds())
    if (!passed) return
    limit ??= passed
    kill()
  }, WATCH_EVERY)

  // It may be gone before it hears what to do: how it ended says enough.
  child.send(order, () => {})
  const closed = new Promise(done => {
    child.once('close', done)
  })

  /** How it ended. @throws Limit, Crash, Interrupted, and what `on` threw */
  async function outcome(): Promise<Extract<Word, { is: 'stored' | 'refused' | 'away' }>> {
    await closed
    clearInterval(watch)
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // There is nothing left of it, or it never was.
    }
    await saying
    if (wrong) throw wrong
    if (limit) throw limit
    if (ended) return ended
    const how = `It ended ${child.signalCode ? `by ${child.signalCode}` : `with ${child.exitCode}`}. ${complaint}`.trim()
    throw FROM_OUTSIDE.has(child.signalCode) || child.exitCode === NO_ROOM ? new Interrupted(how) : new Crash(how)
  }
  return { pid: child.pid, kill, outcome: outcome(), cpuSeconds: meter.cpuSeconds }
}

/** Seconds of a core, and bytes of memory, that a process has used; null where the system does not tell. */
async function usage({ pid }: ChildProcess): Promise<{ cpu: number; memory: number } | null> {
  try {
    const [status, stat] = await Promise.all([readFile(`/proc/${pid}/status`, 'utf8'), readFile(`/proc/${pid}/stat`, 'utf8')])
    const after = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      memory: Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1024,
      cpu: (Number(after[11]) + Number(after[12])) / CLOCK_TICKS,
    }
  } catch {
    return null
  }
}

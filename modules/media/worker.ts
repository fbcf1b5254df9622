import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { Refusal, type RefusalCode } from './child/refusal.ts'
import { FILES, type File, MADE, type Made, type MadeVoice, type Places, type Word } from './child/words.ts'
import { Media } from './contract.ts'
import { cpuBudgetOfAllTries } from './cpu-budget.ts'
import { isLongWork, SHORT_TURN_SECONDS } from './expected-work.ts'
import { filmstripKey, heardKey, posterKey, renditionKey, tableKey, voiceOf } from './keys.ts'
import { type Objects, StoreAway } from './objects.ts'
import { CLOCK_TRIES_MOST, LOSSES_MOST, OUTPUT_MOST, TRIES_MOST } from './policy.ts'
import { findSandbox } from './sandbox.ts'
import { Crash, type Supervised, supervise } from './supervise.ts'
import { mediaWork, type Work } from './work.ts'
import { Limit, type Limits } from './work-meter.ts'

interface Log {
  info(about: object, what: string): void
  warn(about: object, what: string): void
  error(about: object, what: string): void
}
export interface Working {
  sql: Sql
  objects: Objects
  log: Log
  /** How many are prepared at once, short or long; none where this server only answers. */
  atOnce: number
  /** How many short ones beside them, for which no long work ever takes the place. */
  shortBeside: number
  ffmpeg: string | null
  /** How long after a worker's death another takes over, ms. */
  lease?: number
  limits?: Partial<Limits>
  /** After how long a short one makes room for another that waits, ms. */
  shortTurn?: number
}

/** A preparation under way here. */
interface Job {
  work: Work
  /** By performance.now(). */
  started: number
  /** Has it begin again in the lane of long work. */
  moveToLongLane(): void
  ended: Promise<void>
}

const LEASE = 10_000
/** Pause after the object store did not answer, ms. */
const AWAY = 5000
/** The queue is looked at again after this even where nothing wakes the worker, ms. */
const LONGEST_PAUSE = 60_000
const prefix = 'diamondlink-media-'
const keys = { rendition: renditionKey, poster: posterKey, filmstrip: filmstripKey }
/** Where a file that is made of this goes. */
const keyOf = ({ key, folder, video }: Work, file: File) =>
  file === 'voice' ? heardKey(voiceOf(key)!.assignment, video) : keys[file](folder, video)

/**
 * Prepares videos and voice-overs as they come: one process for each, `atOnce` at a time, and beside them `shortBeside` that are expected to be
 * short. A file that claims to be short and is not gives its place to the next short one after a while, and begins again among the long ones.
 */
export function mediaWorker(options: Working) {
  const { sql, objects, log, atOnce, shortBeside, ffmpeg, lease = LEASE, limits, shortTurn = SHORT_TURN_SECONDS * 1000 } = options
  const work = mediaWork(sql)
  const jobs = new Set<Job>()
  let loop: Promise<void> | undefined
  let wake = () => {}
  let woken = false
  const stir = () => {
    woken = true
    wake()
  }

  async function prepare(its: Work, ending: AbortSignal, moving: AbortController) {
    const { folder, video } = its
    // As often as that its worker has died of it.
    if (its.losses >= LOSSES_MOST) {
      await clear(its)
      return work.refuse(its, 'crashed', its.error)
    }
    const budget = cpuBudgetOfAllTries(its.kind, its.media)
    if (its.cpuSeconds >= budget) {
      await clear(its)
      return work.refuse(its, 'too-much', `work: ${Math.round(its.cpuSeconds)} seconds of a core over all tries. ${its.error ?? ''}`)
    }
    const dir = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
    let progress = 0
    let child: Supervised | undefined
    const on = async (word: Word): Promise<Places | undefined> => {
      if (word.is === 'progress') progress = word.part
      if (word.is === 'looked') {
        // Every look at its folder answers with it.
        const media = Media.safeParse(word.media)
        if (!media.success) throw new Refusal('damaged', media.error)
        await objects.put(tableKey(folder, video), 'application/json', Buffer.from(JSON.stringify(word.table)))
        await work.looked(its, media.data)
        if (!its.long && isLongWork({ ...its, media: media.data })) moving.abort()
      }
      if (word.is === 'made') {
        made = word.made
        return Object.fromEntries(await Promise.all(MADE[its.kind].map(async file => [file, await place(file)])))
      }
    }
    let made: Made | MadeVoice | undefined
    const sizeOf = (file: File) => (made as Partial<Record<File, { bytes: number }>> | undefined)?.[file]?.bytes ?? 0
    const place = (file: File) => {
      const bytes = sizeOf(file)
      if (!Number.isInteger(bytes) || bytes < 1 || bytes > OUTPUT_MOST) throw new Crash(`A ${file} of ${bytes} bytes`)
      return objects.signStore(keyOf(its, file), FILES[file].type, bytes)
    }
    let beating = Promise.resolve()
    const beat = () => {
      beating = work.beat(its, progress, lease, child?.cpuSeconds()).then(
        ours => (ours ? undefined : lost()),
        error => log.error({ err: error, video }, 'the lease of a preparation could not be renewed; trying again'),
      )
    }
    /** It was taken by another worker, or is not wanted any more. */
    let gone = false
    const lost = () => {
      gone = true
      child?.kill()
    }
    const refuse = async (code: RefusalCode, why?: string) => {
      log.info({ video, code, why }, 'a video is refused')
      await clear(its)
      await work.refuse(its, code, why)
    }
    const kill = () => child?.kill()
    ending.addEventListener('abort', kill)
    moving.signal.addEventListener('abort', kill)
    const hearts = setInterval(beat, Math.min(1000, lease / 3))
    try {
      const source = await objects.signFetch(its.key)
      child = supervise({ kind: its.kind, source, type: its.type, bytes: its.bytes, dir, ffmpeg }, on, limits, its.long)
      if (ending.aborted || moving.signal.aborted) child.kill()
      const end = await child.outcome
      if (gone) return
      if (end.is === 'away') throw new StoreAway('the object store does not answer')
      if (end.is === 'refused') return await refuse(end.code, end.why)
      const [main] = MADE[its.kind]
      if ((await objects.head(keyOf(its, main)))?.bytes !== sizeOf(main)) throw new Error(`The ${main} did not arrive whole`)
      if (await work.ready(its, made!)) log.info({ video, tries: its.tries }, 'a video is prepared')
    } catch (error) {
      if (gone) return
      // What this try has taken counts, however it ended.
      await work.beat(its, progress, lease, child?.cpuSeconds())
      if (ending.aborted) return await work.giveBack(its, null, 0)
      if (moving.signal.aborted) {
        log.info({ video }, 'a preparation takes longer than expected and moves to the lane of long work')
        return await work.moveToLongLane(its)
      }
      if (error instanceof Refusal) return await refuse(error.code, `${error.cause}`)
      if (error instanceof StoreAway) return await work.giveBack(its, `${error.message}`, AWAY)
      const { tries, losses } = its
      const about = error instanceof Error ? error.message : `${error}`
      log.error({ err: error, video, tries, losses }, 'a preparation failed')
      await clear(its)
      if (error instanceof Limit) await work.failed(its, about, 'too-much', error.clock ? CLOCK_TRIES_MOST : 1)
      else if (error instanceof Crash) await work.failed(its, about, 'crashed', TRIES_MOST)
      else await work.lost(its, about)
    } finally {
      clearInterval(hearts)
      await beating
      ending.removeEventListener('abort', kill)
      await rm(dir, { recursive: true, force: true })
      await forgotten(its)
    }
  }

  /** Of what failed nothing half made stays. Only while it is ours: what lies there otherwise is another worker's. */
  async function clear(its: Work) {
    if (!(await work.beat(its, 0, lease))) return
    await removeMade(its)
  }

  async function removeMade(its: Work) {
    // The browser's still is not ours to throw away.
    const [pictured] = await sql`select 1 from uploads where id = ${its.video} and poster`
    for (const file of MADE[its.kind]) if (file !== 'poster' || !pictured) await objects.remove(keyOf(its, file))
  }

  /** What was stored for a video that left meanwhile goes; where another worker has it, it is theirs. */
  async function forgotten(its: Work) {
    const { folder, video, kind } = its
    const now = (await work.of([video], kind)).get(video)
    // Refused by an administrator while it was ours: nobody else clears up.
    if (now?.code === 'by-administrator' && now.taken === its.taken) return removeMade(its)
    if (now) return
    for (const file of MADE[kind]) await objects.remove(keyOf(its, file))
    if (kind === 'rendition') await objects.remove(tableKey(folder, video))
  }

  function begin(its: Work, ending: AbortSignal) {
    const moving = new AbortController()
    const ended = prepare(its, ending, moving)
      .catch(error => log.error({ err: error, video: its.video }, 'how a preparation ended could not be written down'))
      .finally(() => {
        jobs.delete(job)
        stir()
      })
    const job: Job = { work: its, started: performance.now(), moveToLongLane: () => moving.abort(), ended }
    jobs.add(job)
  }

  /** Work that may begin now: how much of it altogether, and how much of that long. */
  function freePlaces() {
    const free = atOnce + shortBeside - jobs.size
    const long = [...jobs].filter(job => job.work.long).length
    return { free, long: Math.min(free, atOnce - long) }
  }

  /**
   * Where all places are taken and short work waits: whichever short job has had its turn moves to the long lane. @returns until there is
   * anything to look at again, ms
   */
  async function makeRoom(): Promise<number> {
    const oldest = [...jobs].find(job => !job.work.long)
    if (!oldest || !shortBeside) return LONGEST_PAUSE
    const left = oldest.started + shortTurn - performance.now()
    if (left > 0) return left
    const next = await work.untilNext('short')
    if (next !== null && next <= 0) oldest.moveToLongLane()
    return next === null || next <= 0 ? LONGEST_PAUSE : next
  }

  async function run(ending: AbortSignal) {
    while (!ending.aborted) {
      woken = false
      let pause = 1000
      try {
        const places = freePlaces()
        for (const its of places.free > 0 ? await work.take(places.free, lease, places.long) : []) begin(its, ending)
        const { free, long } = freePlaces()
        const next = free > 0 ? ((await work.untilNext(long > 0 ? 'both' : 'short')) ?? LONGEST_PAUSE) : await makeRoom()
        pause = Math.min(Math.max(next, 20), LONGEST_PAUSE)
      } catch (error) {
        log.error({ err: error }, 'the queue of media work cannot be read; trying again')
      }
      if (woken || ending.aborted) continue
      const timer = setTimeout(stir, pause)
      await new Promise<void>(resolve => {
        wake = resolve
      })
      clearTimeout(timer)
    }
  }

  return {
    /** Works until aborted; what is under way then is given back. */
    async start(ending: AbortSignal) {
      if (atOnce === 0) return
      const { warning } = await findSandbox()
      if (warning) log.warn({}, warning)
      ending.addEventListener('abort', stir)
      await sweepDirectories()
      await work.listen(stir)
      loop = run(ending)
    },
    /** After the abort: resolves when all that was under way is given back. */
    async settled() {
      await loop
      await Promise.all([...jobs].map(job => job.ended))
    },
  }
}

/** Directories of workers that died before they could clear them. */
async function sweepDirectories() {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : 0
    // A new process may have the number of the dead one: then it is ours, and nothing is under way yet.
    if (pid && (pid === process.pid || !lives(pid))) await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}
const lives = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

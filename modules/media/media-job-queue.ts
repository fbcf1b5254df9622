import type postgres from 'postgres'
import { enqueueErrands } from '../jobs/outbox.ts'
import { errand } from '../kernel/process.ts'
import { currentTraceId } from '../kernel/trace.ts'
import type { MediaJobKind, RenditionState, VideoProperties } from './contract.ts'
import { filmstripKey, frameTableKey, posterKey, renditionKey } from './object-keys.ts'
import type { ObjectStore } from './object-store.ts'
import { HDR_RENDITION_VERSION, MAX_KILLED_TRIES } from './policy.ts'
import { isLongPreparation } from './preparation-lane-choice.ts'
import { REFUSAL_MESSAGES, type RefusalCode } from './preparation-process/media-refusal.ts'
import type { PreparedFiles, PreparedRenditionFileProperties } from './preparation-process/protocol.ts'

/** A row of the table media_work. */
export interface MediaJob {
  kind: MediaJobKind
  video: string
  folder: string
  key: string
  type: string
  bytes: number
  /** Whether it is in the long lane. */
  long: boolean
  state: RenditionState
  /** Whether the job makes a newer version of an existing rendition, which people watch in the meantime. */
  remaking: boolean
  progress: number
  /** How often a worker has claimed it: the fencing token of its lease. */
  taken: number
  /** Attempts that count against the file. */
  tries: number
  /** Attempts whose worker or process was killed from outside. */
  losses: number
  /** CPU seconds of all attempts so far; in a job that `take` has returned, of those before the current one. */
  cpuSeconds: number
  code: RefusalCode | null
  error: string | null
  /** An administrator's message to the player. */
  reason: string | null
  /** When a worker last claimed it. */
  begun: string | null
  media: VideoProperties | null
  made: PreparedRenditionFileProperties | null
  asked: string
  ended: string | null
  /** The trace id of the request that caused it. */
  trace: string | null
}

/**
 * Whether there will be no rendition. If so, no instructor can see the video, because instructors never get the original: its metadata may
 * tell where it was filmed.
 */
export const isMediaJobRefused = (work: Pick<MediaJob, 'state'> | undefined) => work?.state === 'refused'

export const isMediaJobUnderWay = (work: Pick<MediaJob, 'state'> | undefined) => work?.state === 'waiting' || work?.state === 'preparing'

/** How many frames the server counted; undefined until the video is ready, so that no review is refused because of a browser's count. */
export const frameCountOfReadyMediaJob = (work: Pick<MediaJob, 'state' | 'media'> | undefined) =>
  work?.state === 'ready' ? work.media?.frames : undefined

export type MediaJobQueue = ReturnType<typeof mediaJobQueue>

/** The message to the player of a refused video: why it was refused, and what to do. */
export const refusalMessageOf = ({ code, reason }: { code: RefusalCode; reason: string | null }) =>
  reason ?? REFUSAL_MESSAGES[code] ?? REFUSAL_MESSAGES.crashed

/** Error texts can quote bytes of the file. Removes NUL and replaces halves of surrogate pairs, which Postgres cannot store. */
const storableError = (error: string | null) => error?.toWellFormed().replaceAll('\0', '') ?? null

/** Reads and changes the media jobs in the table media_work. */
export function mediaJobQueue(sql: postgres.Sql) {
  const columns = sql`kind, video, folder, key, type, bytes, long, state, remaking, progress, taken, tries, losses, cpu_seconds as "cpuSeconds", code, error, reason, begun, media, made, asked, ended, trace`
  const notifyWorkers = (db: postgres.ISql) => db`select pg_notify('media', '')`
  /** The condition that this worker still holds the job's lease. */
  const heldBy = (work: Pick<MediaJob, 'video' | 'kind' | 'taken'>) =>
    sql`where video = ${work.video} and kind = ${work.kind} and taken = ${work.taken} and state = 'preparing'`
  /**
   * How long a job waits after its worker was lost: 0 s the first time, then 1, 3, 7 s…, so that other jobs get their turn and a
   * temporary cause can go away.
   */
  const pause = sql`(2 ^ losses - 1) * interval '1 s'`
  /**
   * The time from which a worker can claim a job. An expired lease means that the worker was lost, so such a job also waits for `pause`.
   */
  const claimableAt = sql`due + case state when 'preparing' then ${pause} else interval '0' end`
  /** Refuses the unfinished jobs that `which` selects. The player gets a letter about each refusal. @returns whether there was a job */
  const refuseWhere = (which: postgres.Fragment, code: RefusalCode, error: string | null, reason: string | null) =>
    sql.begin(async tx => {
      const refused = await tx<{ video: string; folder: string; kind: MediaJobKind; ended: string }[]>`
        update media_work set state = 'refused', code = ${code}, error = ${error}, reason = coalesce(${reason}, reason), ended = now()
        ${which} returning video, folder, kind, ended`
      const videos = refused.filter(job => job.kind === 'rendition')
      const letter = 'letter.video-refused'
      const letters = videos.map(({ video, folder, ended }) => errand({ id: video }, letter, { folder, video }, { key: [letter, ended] }))
      await enqueueErrands(tx, letters)
      return refused.length > 0
    })

  return {
    /** Adds a job, unless it exists already. `media`: what the browser read from the file, used until the server has read it. */
    async add(
      its: Pick<MediaJob, 'kind' | 'video' | 'folder' | 'key' | 'type' | 'bytes'> & {
        player?: string | null
        media?: VideoProperties | undefined
      },
    ) {
      const { kind, video, folder, player = null, key, type, bytes, media } = its
      const added = await sql`
        insert into media_work (video, kind, folder, player, key, type, bytes, long, media, trace)
        values (${video}, ${kind}, ${folder}, ${player}, ${key}, ${type}, ${bytes}, ${isLongPreparation({ kind, bytes, media: media ?? null })},
          ${media ? sql.json(media) : null}, ${currentTraceId() ?? null})
        on conflict do nothing returning video`
      if (added.length) await notifyWorkers(sql)
    },

    /**
     * Claims due jobs for the length of the lease (ms). Players take turns, so that nobody waits for all videos of another player: those
     * with fewer running jobs come first, then those whose last job was claimed longest ago. A player's short jobs come before the long
     * ones, and older jobs before newer ones. Remakes come after everything else.
     * @param longCount how many of the claimed jobs may be long; all if absent
     */
    take: (count: number, lease: number, longCount = count) => sql<MediaJob[]>`
      with free as (
        select video, kind, taken, player, long, asked, remaking,
          row_number() over (partition by coalesce(player, video) order by remaking, long, asked, video) as turn
        from media_work where state in ('waiting', 'preparing') and due <= now() and ${claimableAt} <= now()
      ), players as (
        select player, (select count(*) from media_work where player = p.player and state = 'preparing' and due > now()) as busy,
          (select max(begun) from media_work where player = p.player) as served
        from (select distinct player from free) p
      ), ranked as (
        select video, kind, taken, long, row_number() over turns as place, row_number() over (partition by long order by remaking,
          turn + coalesce(busy, 0), served nulls first, asked) as place_in_lane
        from free left join players using (player) window turns as (order by remaking, turn + coalesce(busy, 0), served nulls first, asked)
      ), chosen as materialized ( -- materialized, because Postgres may run a plain subquery once for each row and so claim all work
        select w.video, w.kind from media_work w join ranked r using (video, kind, taken)
        where w.state in ('waiting', 'preparing') and w.due <= now() and (not r.long or r.place_in_lane <= ${longCount})
        order by r.place limit ${count} for update of w skip locked
      )
      update media_work set state = 'preparing', taken = taken + 1, begun = now(), progress = 0, due = now() + ${lease} * interval '1 ms',
        tries = tries + (state = 'waiting')::int, losses = losses + (state = 'preparing')::int,
        error = case state when 'preparing' then 'Its worker stopped renewing the lease.' else error end
      where (video, kind) in (select video, kind from chosen) returning ${columns}`,

    /**
     * Queues HDR renditions of an earlier version to be made again. They come last, because people can watch the old ones meanwhile.
     */
    async remakeOutdated() {
      const outdated = await sql`
        update media_work set state = 'waiting', remaking = true, long = true, progress = 0, tries = 0, losses = 0, cpu_seconds = 0, due = now()
        where kind = 'rendition' and state = 'ready' and rendition_version < ${HDR_RENDITION_VERSION} and (media->>'hdr')::boolean returning video`
      if (outdated.length) await notifyWorkers(sql)
    },

    /** Milliseconds until a job can be claimed (any, a short one, or one somebody waits for): 0 or less if now, null if there is none. */
    async untilNext(lanes: 'both' | 'short' | 'awaited' = 'both'): Promise<number | null> {
      const [row] = await sql<{ ms: number | null }[]>`
        select (extract(epoch from min(${claimableAt}) - now()) * 1000)::float8 as ms from media_work
        where state in ('waiting', 'preparing') and (not long or ${lanes !== 'short'}) and (not remaking or ${lanes === 'both'})`
      return row!.ms
    },

    /** Renews the lease. @param cpuSeconds CPU time of this attempt so far. @returns whether this worker still holds the lease */
    async renewLease(work: MediaJob, progress: number, lease: number, cpuSeconds?: number): Promise<boolean> {
      const spent = cpuSeconds === undefined ? sql`cpu_seconds` : sql`${work.cpuSeconds + cpuSeconds}`
      const renewed = await sql`
        update media_work set progress = ${progress}, cpu_seconds = ${spent}, due = now() + ${lease} * interval '1 ms' ${heldBy(work)} returning video`
      return renewed.length > 0
    },

    /** Stores what the probe found. A job whose content takes long to prepare moves to the long lane. */
    async recordProbe(work: MediaJob, media: VideoProperties) {
      await sql`update media_work set media = ${sql.json(media)}, long = long or ${isLongPreparation({ ...work, media })} ${heldBy(work)}`
    },

    /** Stores the result. @returns whether this worker still held the lease */
    async finish(work: MediaJob, made: PreparedFiles): Promise<boolean> {
      const done = await sql`
        update media_work set state = 'ready', remaking = false, rendition_version = ${HDR_RENDITION_VERSION}, progress = 1, losses = 0, cpu_seconds = 0, made = ${sql.json(made as never)}, code = null, error = null,
        ended = now() ${heldBy(work)} returning video`
      return done.length > 0
    },

    /** Refuses the file; if this is a remake, keeps the former rendition instead. */
    async refuse(work: MediaJob, code: RefusalCode, error: string | null = null) {
      if (work.remaking) return this.keepFormer(work, error)
      await refuseWhere(heldBy(work), code, storableError(error), null)
    },

    /** Keeps the former rendition. Its remake is not retried. */
    async keepFormer(work: MediaJob, error: string | null) {
      await sql`
        update media_work set state = 'ready', remaking = false, rendition_version = ${HDR_RENDITION_VERSION}, progress = 1, error = ${storableError(error)}
        ${heldBy(work)}`
    },

    /** Records that the file made the attempt fail. The job is retried after a pause, or refused with `code` after `maxTries` tries. */
    async recordFailure(work: MediaJob, error: string, code: 'crashed' | 'too-much', maxTries: number) {
      if (work.tries >= maxTries) return this.refuse(work, code, error)
      await sql`
        update media_work set state = 'waiting', error = ${storableError(error)}, due = now() + ${2 ** work.tries} * interval '1 s' ${heldBy(work)}`
    },

    /** Records that an attempt ended for a reason outside the file and so does not count. If this happens too often, the job is refused. */
    async recordLoss(work: MediaJob, error: string) {
      if (work.losses + 1 >= MAX_KILLED_TRIES) return this.refuse(work, 'crashed', error)
      await sql`
        update media_work set state = 'waiting', tries = tries - 1, losses = losses + 1, error = ${storableError(error)}, due = now() + ${pause} ${heldBy(work)}`
      await notifyWorkers(sql)
    },

    /** Requeues an unfinished job, because this server is stopping or files are unavailable. The attempt does not count. `pause`: ms. */
    async giveBack(work: MediaJob, error: string | null, pause: number) {
      await sql`
        update media_work set state = 'waiting', tries = tries - 1, error = coalesce(${error}, error), due = now() + ${pause} * interval '1 ms' ${heldBy(work)}`
      await notifyWorkers(sql)
    },

    /** Moves a job that turned out to be long to the long lane, where it starts again. The attempt does not count. */
    async moveToLongLane(work: MediaJob) {
      await sql`update media_work set state = 'waiting', long = true, tries = tries - 1, due = now() ${heldBy(work)}`
      await notifyWorkers(sql)
    },

    /** Retries a job for an administrator. @returns whether there was anything to retry */
    async retry(video: string, kind: MediaJobKind): Promise<boolean> {
      const [row] = await sql`
        update media_work set state = 'waiting', tries = 0, losses = 0, cpu_seconds = 0, progress = 0, code = null, error = null, reason = null, made = null, due = now(), ended = null
        where video = ${video} and kind = ${kind} and (state = 'refused' or state = 'waiting') and not remaking returning video`
      if (row) await notifyWorkers(sql)
      return !!row
    },

    /** Refuses an unfinished job that is not a remake; its worker notices when it renews the lease. @returns whether there was one */
    async refuseByAdministrator(video: string, kind: MediaJobKind, reason: string, administrator: string): Promise<boolean> {
      const which = sql`where video = ${video} and kind = ${kind} and state in ('waiting', 'preparing') and not remaking`
      return refuseWhere(which, 'by-administrator', `Refused by ${administrator}`, reason)
    },

    /** The jobs of these videos by id; unknown videos are left out. A rendition that is being remade counts as ready. */
    async of(videos: string[], kind: MediaJobKind = 'rendition'): Promise<Map<string, MediaJob>> {
      if (!videos.length) return new Map()
      const rows = await sql<MediaJob[]>`
        select ${columns}, case when remaking then 'ready' else state end as state
        from media_work where kind = ${kind} and video = any(${videos}::uuid[])`
      return new Map(rows.map(row => [row.video, row]))
    },

    /** Deletes the job, so that a new one can be added. The caller deletes the files. */
    async forget(video: string, kind: MediaJobKind) {
      await sql`delete from media_work where video = ${video} and kind = ${kind}`
    },

    /**
     * For administrators: running jobs, the longest-running first; waiting ones, the oldest first; refused ones, the latest first; and the
     * number of each. Finished jobs are not counted, because that would read every video that was ever uploaded.
     */
    async queue(limit: number) {
      const counts = await sql<{ state: Exclude<RenditionState, 'ready'>; count: number }[]>`
        select state, count(*)::int as count from media_work where state <> 'ready' group by state`
      const works = await sql<MediaJob[]>`
        select ${columns} from media_work where state <> 'ready'
        order by array_position(array['preparing', 'waiting', 'refused'], state), case state when 'refused' then ended end desc nulls last,
          case state when 'preparing' then begun end, asked limit ${limit}`
      return { counts: Object.fromEntries(counts.map(c => [c.state, c.count])), works }
    },
  }
}

/** Converts a media job to the `rendition` of a clip in the API. `sign` returns a signed URL for an object key. */
export async function presentRendition(work: MediaJob, sign: (key: string) => Promise<string>) {
  const { state, progress, code, reason, media, made, folder, video } = work
  const ready = state === 'ready' && made
  return {
    state,
    progress: state === 'ready' ? 1 : progress,
    reason: state === 'refused' && code ? { code, message: refusalMessageOf({ code, reason }) } : null,
    unseen: isMediaJobRefused(work),
    url: ready ? await sign(renditionKey(folder, video)) : null,
    bytes: ready ? made.rendition.bytes : null,
    width: ready ? made.rendition.width : null,
    height: ready ? made.rendition.height : null,
    table: media ? await sign(frameTableKey(folder, video)) : null,
    filmstrip: ready
      ? {
          url: await sign(filmstripKey(folder, video)),
          count: made.filmstrip.count,
          columns: made.filmstrip.columns,
          width: made.filmstrip.width,
          height: made.filmstrip.height,
        }
      : null,
  }
}

/** Deletes a video's job and the files made from it. A voice-over may have the same id, because clients choose ids; it stays. */
export async function deleteRenditionJobAndFiles(sql: postgres.Sql, objects: ObjectStore, folder: string, video: string) {
  await sql`delete from media_work where video = ${video} and kind = 'rendition'`
  for (const key of [renditionKey, frameTableKey, filmstripKey, posterKey]) await objects.remove(key(folder, video))
}

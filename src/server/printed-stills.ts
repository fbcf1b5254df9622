import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type FrameTable, type FrameTimeline, frameTimeline } from '../../modules/media/frames.ts'
import { mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { renditionKey } from '../../modules/media/object-keys.ts'
import { RENDER_INPUT_FILE_NAME } from '../../modules/media/preparation-process/protocol.ts'
import { readStoredFrameTable } from '../../modules/media/read-stored-frame-table.ts'
import { findProcessSandbox, startSandboxedProcess } from '../../modules/media/sandbox.ts'
import { createScratchDirectory } from '../../modules/media/scratch-directories.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { type PrintedStillsInput, type RequestedStill, stillFileName } from '../review-video/printed-stills-input.ts'

/** A generous limit: rendering the stills of one session takes a few seconds. */
const RENDER_TIMEOUT_MS = 120_000
/** The lowest CPU priority, so that rendering does not slow down the server. */
const LOWEST_PRIORITY_NICENESS = 19
const SOURCE_ROOT = join(import.meta.dirname, '..')
const ENTRY = join(SOURCE_ROOT, 'review-video/printed-stills-main.ts')

/** A clip whose frames can be printed. */
interface PrintableClip {
  folder: string
  table: FrameTable
  times: FrameTimeline
}

/** The prepared clips of a session, by id. `folder` is the id of the session's folder. */
export async function loadPreparedClipsWithFrameTables(
  { sql, objects }: AppDependencies,
  folder: string,
  session: ReviewedSession,
): Promise<Map<string, PrintableClip>> {
  const clips = [
    ...session.clips.map(({ id }) => ({ id, folder })),
    ...session.compared.map(({ id, folder: of }) => ({ id, folder: of.id })),
  ]
  const works = await mediaJobQueue(sql).of(clips.map(clip => clip.id))
  const printableClipsById = new Map<string, PrintableClip>()
  for (const { id, folder: of } of clips) {
    const table = works.get(id)?.state === 'ready' ? await readStoredFrameTable(objects, of, id) : null
    if (table) printableClipsById.set(id, { folder: of, table, times: frameTimeline(table) })
  }
  return printableClipsById
}

/**
 * Renders each still as a JPEG in the sandbox. An entry is undefined if its picture could not be made, for example without FFmpeg; the PDF
 * is then made without that picture.
 * @throws ObjectStoreUnavailableError
 */
export async function renderPrintedStills(
  { objects, log }: Pick<AppDependencies, 'objects' | 'log'>,
  clips: ReadonlyMap<string, PrintableClip>,
  stills: RequestedStill[],
): Promise<(ArrayBuffer | undefined)[]> {
  if (!stills.length) return []
  const dir = await createScratchDirectory()
  try {
    const input: PrintedStillsInput = { clips: [], stills }
    for (const [video, { folder, table }] of clips) {
      if (!stills.some(still => still.video === video)) continue
      const bytes = await objects.stream(renditionKey(folder, video))
      if (!bytes) continue
      const file = `clip-${input.clips.length}`
      await pipeline(Readable.fromWeb(bytes as never), createWriteStream(join(dir, file)))
      input.clips.push({ video, file, table })
    }
    await writeFile(join(dir, RENDER_INPUT_FILE_NAME), JSON.stringify(input))
    const failure = await runInSandbox(dir)
    if (failure) log.warn({ failure }, 'a review is printed without some of its pictures')
    return await Promise.all(
      stills.map((_, index) =>
        readFile(join(dir, stillFileName(index))).then(
          bytes => new Uint8Array(bytes).buffer,
          () => undefined,
        ),
      ),
    )
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Runs the renderer. @returns a description of the failure; undefined on success */
async function runInSandbox(dir: string): Promise<string | undefined> {
  const child = await startSandboxedProcess(ENTRY, [dir], {
    dir,
    nice: LOWEST_PRIORITY_NICENESS,
    sandbox: await findProcessSandbox(),
    readable: [SOURCE_ROOT],
  })
  let complaint = ''
  child.stderr!.on('data', data => {
    complaint = `${complaint}${data}`.slice(-1000)
  })
  child.stdout!.resume()
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), RENDER_TIMEOUT_MS)
  try {
    const [code] = await once(child, 'close')
    return code === 0 ? undefined : `It ended ${child.signalCode ? `by ${child.signalCode}` : `with ${code}`}. ${complaint}`.trim()
  } catch (error) {
    return `${error}`
  } finally {
    clearTimeout(timer)
  }
}

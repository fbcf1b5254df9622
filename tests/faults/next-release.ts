import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { tableOf } from '../../modules/kernel/projection.ts'
import { audit } from '../../projections/audit.ts'
import { folders } from '../../projections/folders.ts'
import { payments } from '../../projections/payments.ts'
import { story } from '../../projections/story.ts'

export const thisReleaseDirectory = resolve(import.meta.dirname, '../..')

const filesOfNewVersions = [
  ['folders', folders],
  ['payments', payments],
  ['audit', audit],
  ['story', story],
] as const
/**
 * The tables of the read models that have a new version in the next release. The tested screens also read other read models, whose tables
 * are shared by the servers of both releases.
 */
export const changedTables = filesOfNewVersions.map(([, { name, version }]) => ({
  old: tableOf({ name, version }),
  new: tableOf({ name, version: version + 1 }),
}))
/** The next release's table of folders, which has the additional column `starred`. */
export const nextFoldersTableName = tableOf({ ...folders, version: folders.version + 1 })

/**
 * The kinds of errands that the next release posts for each delivered session, whose id is `payload.assignment`. Two new processes post the
 * first two; the new version of a process that both releases have posts the third.
 */
export const NEW_ERRAND_KINDS = { fromBeginning: 'session.count', fromNow: 'session.celebrate', newVersion: 'session.applaud' }

const newProcesses = `
import { errand, eventProcess } from '../kernel/process.ts'

const postForEachDelivery = (name, startsFrom, kind) =>
  eventProcess({ name, startsFrom, on: { FeedbackGiven: e => errand(e, kind, { assignment: e.data.assignment }) } })
export const newProcesses = [
  postForEachDelivery('counting', 'beginning', '${NEW_ERRAND_KINDS.fromBeginning}'),
  postForEachDelivery('celebrating', 'now', '${NEW_ERRAND_KINDS.fromNow}'),
]
export const newErrandHandlers = Object.fromEntries(${JSON.stringify(Object.values(NEW_ERRAND_KINDS))}.map(kind => [kind, async () => {}]))
`

/**
 * Copies this release and adds what a release may add: a migration, new versions of read models (that of folders has a new column, which
 * queries select), an event type, two processes with errands of their own, and a new version of a process, which handles one more event.
 * @returns the directory of the copy
 */
export async function createNextRelease(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'diamondlink-next-'))
  for (const part of ['src', 'modules', 'projections', 'migrations', 'package.json', 'tsconfig.json'])
    cpSync(join(thisReleaseDirectory, part), join(directory, part), { recursive: true })
  symlinkSync(join(thisReleaseDirectory, 'node_modules'), join(directory, 'node_modules'))
  const change = (file: string, from: string, to: string) => {
    const text = readFileSync(join(directory, file), 'utf8')
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    writeFileSync(join(directory, file), text.replace(from, to))
  }
  for (const [name, { version }] of filesOfNewVersions) change(`projections/${name}.ts`, `version: ${version},`, `version: ${version + 1},`)
  change('projections/folders.ts', "    folder: 'uuid',\n", "    folder: 'uuid',\n    starred: 'bool?',\n")
  change('projections/folders.ts', 'select f.folder as id,', 'select f.folder as id, f.starred,')
  change(
    'projections/folders.ts',
    '    FolderRenamed:',
    '    ...{ FolderStarred: (row: object) => row && { ...row, starred: true } },\n    FolderRenamed:',
  )
  const ratings = 'modules/ratings/rating-page-refresh-process.ts'
  change(ratings, "  startsFrom: 'now',\n", "  version: 2,\n  startsFrom: 'now',\n")
  const applaud = `FeedbackGiven: e => errand(e, '${NEW_ERRAND_KINDS.newVersion}', { assignment: e.data.assignment }),`
  change(ratings, '  on: {\n', `  on: {\n    ${applaud}\n`)
  const registry = 'src/server/module-registry.ts'
  writeFileSync(join(directory, 'modules/folders/new-processes.ts'), newProcesses)
  change(registry, 'import ', "import { newErrandHandlers, newProcesses } from '../../modules/folders/new-processes.ts'\nimport ")
  change(registry, '  ratingPageRefreshProcess,\n', '  ratingPageRefreshProcess,\n  ...newProcesses,\n')
  change(registry, '  ...modelClipCleanupErrandHandlers(deps),\n', '  ...modelClipCleanupErrandHandlers(deps),\n  ...newErrandHandlers,\n')
  const last = readdirSync(join(directory, 'migrations')).toSorted().at(-1)!
  const number = String(Number.parseInt(last, 10) + 1).padStart(4, '0')
  writeFileSync(join(directory, `migrations/${number}_expand_stars.sql`), 'alter table users add column stars int not null default 0;')
  return directory
}

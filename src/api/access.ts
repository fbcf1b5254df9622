import { type Child, childrenOf } from '../../modules/accounts/guardian-tables.ts'
import { type FolderSession, type FolderState, folderDecider, folderSessionOfInstructor } from '../../modules/folders/folder.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { type ModelLibrary, modelLibraryDecider } from '../../modules/model-clips/model-library.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { assertFound, notFound } from './problem.ts'
import type { RequestContext } from './routing.ts'

type AccessContext = Pick<RequestContext, 'user'> & { deps: Pick<AppDependencies, 'store'> }
type Account = { id: string; role: string }

/** Who is viewing a folder: its player, the player's guardian, and so on. A guest has a private link to one of its reviews. */
export type FolderViewerRole = 'player' | 'guardian' | 'instructor' | 'admin' | 'guest'

/**
 * The sessions of a folder that a person may read: all of them for its player and for admins, only their own for an instructor. Anybody
 * else gets the same 404 as for a folder that does not exist.
 * @throws Problem 404
 */
export function readableSessions<S extends { instructor: { id: string } }>(
  user: Account,
  of: { player: { id: string } } | undefined,
  sessions: S[],
): { viewer: FolderViewerRole; sessions: S[] } {
  if (of?.player.id === user.id) return { viewer: 'player', sessions }
  if (of && user.role === 'admin') return { viewer: 'admin', sessions }
  const ownSessions = sessions.filter(s => s.instructor.id === user.id)
  if (!of || !ownSessions.length) throw notFound()
  return { viewer: 'instructor', sessions: ownSessions }
}

const stateOf = ({ deps: { store } }: AccessContext, id: string): Promise<FolderState> => loadState(store, folderDecider, id)

/** The current state of a folder that belongs to the calling player. @throws Problem 404 */
export async function loadOwnFolder(ctx: AccessContext, id: string): Promise<FolderState> {
  const state = await stateOf(ctx, id)
  if (state.player !== ctx.user!.id) throw notFound()
  return state
}

/**
 * The calling instructor's library of model clips. A library has the same id as its instructor, so any other id gets a 404. Players and
 * other instructors see a model clip only in a review that shows it.
 * @throws Problem 404
 */
export async function loadOwnModelLibrary(ctx: AccessContext, id: string): Promise<ModelLibrary> {
  if (ctx.user!.role !== 'instructor' || ctx.user!.id !== id) throw notFound()
  return loadState(ctx.deps.store, modelLibraryDecider, id)
}

/** A folder and one of the calling instructor's sessions in it: the named one, or the latest if none is named. @throws Problem 404 */
export async function loadFolderAndInstructorSession(
  ctx: AccessContext,
  id: string,
  session?: string,
): Promise<{ state: FolderState; session: FolderSession }> {
  const state = await stateOf(ctx, id)
  return { state, session: assertFound(folderSessionOfInstructor(state, ctx.user!.id, session)) }
}
/** Like `loadFolderAndInstructorSession`, but returns only the session. */
export const loadAssignedSession = async (ctx: AccessContext, id: string, session?: string): Promise<FolderSession> =>
  (await loadFolderAndInstructorSession(ctx, id, session)).session

/** Turns the folder's refusal `not-assigned` into a 404, so that nobody learns of a session that is not theirs. Rethrows other errors. */
export const rethrowNotAssignedAsNotFound = (error: unknown): never => {
  throw error instanceof CommandRefused && error.code === 'not-assigned' ? notFound() : error
}

/**
 * The videos of the calling instructor's sessions in this folder. Withdrawn and declined sessions do not count.
 * @throws Problem 404 if no other session exists
 */
export async function loadVideosOfOwnSessionsInFolder(ctx: AccessContext, id: string): Promise<Pick<FolderSession, 'videos'>> {
  const { sessions } = await stateOf(ctx, id)
  const ownSessions = sessions.filter(s => s.instructor === ctx.user!.id && s.status !== 'ended')
  if (!ownSessions.length) throw notFound()
  return { videos: ownSessions.flatMap(s => s.videos) }
}

type GuardianContext = { deps: Pick<AppDependencies, 'sql' | 'clock'>; guardian: { id: string } }

/** A player under 18 whose guardian is calling, whether or not the guardian has consented. @throws Problem 404 for anybody else */
export async function childOfGuardian({ deps, guardian }: GuardianContext, child: string): Promise<Child> {
  return assertFound((await childrenOf(deps.sql, guardian.id, deps.clock())).find(c => c.id === child))
}

/** Like `childOfGuardian`, but also a 404 if the guardian has never consented and so may not read the child's data. @throws Problem 404 */
export async function childWithPastConsent(ctx: GuardianContext, child: string): Promise<Child> {
  const found = await childOfGuardian(ctx, child)
  return assertFound(found.agreed && found)
}

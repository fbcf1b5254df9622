import { isUserMinor } from '../../modules/accounts/account-registration-and-authentication.ts'
import type { SignedInUser } from '../../modules/accounts/login-sessions.ts'
import { utcDayOf } from '../../modules/dates.ts'
import {
  instructorIdByInviteCode,
  isConnectedOrFollowing,
  isConnectedWithInstructor,
  isInviteCodeOfInstructor,
} from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { loadAccountPrivacyState } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { type InstructorReachability, instructorReachabilityOf, vettingDecider } from '../../modules/vetting/vetting.ts'
import type { ProfileViewer } from '../../projections/instructor-queries.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { notFound } from './problem.ts'

type Needed = Pick<AppDependencies, 'sql' | 'store' | 'clock'>
type Player = { id: string; isMinor: boolean }

/** The facts about the caller that decide which instructors they may see. */
export async function profileViewerOf(
  { sql, clock }: Pick<AppDependencies, 'sql' | 'clock'>,
  user: SignedInUser | null,
): Promise<ProfileViewer> {
  return {
    id: user?.id ?? null,
    isMinor: user?.role === 'player' && (await isUserMinor(sql, user.id, clock())),
    isAdmin: user?.role === 'admin',
  }
}

/** The facts about a signed-in player that decide which instructors they may see, connect with and send folders to. */
export async function playerWithMinorStatus(deps: Pick<AppDependencies, 'sql' | 'clock'>, user: SignedInUser): Promise<Player> {
  const { isMinor } = await profileViewerOf(deps, user)
  return { id: user.id, isMinor }
}

/** Whether players (minors if `isMinor`) can reach an instructor. Reads the event log, because a read model may lag behind a suspension. */
async function reachabilityOf({ store, clock }: Needed, instructor: string, isMinor: boolean): Promise<InstructorReachability> {
  if ((await loadAccountPrivacyState(store, instructor)).deletion !== 'none') return 'closed'
  return instructorReachabilityOf(await loadState(store, vettingDecider, instructor), utcDayOf(clock()), isMinor)
}

/** The id of the instructor with this invitation code; null if no instructor has it or if nobody may connect with that instructor. */
export async function connectableInstructorIdByInviteCode(deps: Needed, code: string): Promise<string | null> {
  const instructor = await instructorIdByInviteCode(deps.sql, code)
  return instructor && (await reachabilityOf(deps, instructor, false)) !== 'closed' ? instructor : null
}

/**
 * Passes if a player may connect with or follow an instructor. Instructors who are open to this player allow it; a pending instructor does
 * if the player has their invitation or is already connected with them.
 * @throws CommandRefused `instructor-unchecked` if the instructor is open to adults and the player is a minor
 * @throws Problem 404 for any other instructor
 */
export async function assertMayConnectOrFollow(deps: Needed, player: Player, instructor: string, invite?: string) {
  const reachability = await reachabilityOf(deps, instructor, player.isMinor)
  if (reachability === 'open') return
  const invited =
    reachability === 'invited' &&
    ((await isConnectedWithInstructor(deps.sql, player.id, instructor)) || (await isInviteCodeOfInstructor(deps.sql, invite, instructor)))
  if (invited) return
  // Only the profiles of instructors who are open to adults are public, so only those may be named.
  if (!player.isMinor || (await reachabilityOf(deps, instructor, false)) !== 'open') throw notFound()
  throw new CommandRefused(
    'We have not finished checking this instructor, and players under 18 can connect only with instructors we have checked. Choose another, or try again once the check is done.',
    'instructor-unchecked',
  )
}

/** Whether an administrator has suspended or declined this instructor, or closed the account, so that no player can reach them. */
const isClosedToPlayers = async ({ store, clock }: Pick<AppDependencies, 'store' | 'clock'>, instructor: string) =>
  (await loadAccountPrivacyState(store, instructor)).closingReason !== null ||
  instructorReachabilityOf(await loadState(store, vettingDecider, instructor), utcDayOf(clock()), false) === 'closed'

/** Passes if an instructor may write to players. @throws CommandRefused `closed-to-players` if the instructor is closed to players */
export async function assertMayWriteToPlayers(deps: Pick<AppDependencies, 'store' | 'clock'>, instructor: string) {
  if (!(await isClosedToPlayers(deps, instructor))) return
  throw new CommandRefused(
    'Your account is closed to players right now, so nothing was sent. Contact support if you think this is a mistake.',
    'closed-to-players',
  )
}

/** Passes if players may ask an instructor about feedback. @throws CommandRefused `no-instructor` if the instructor is closed to players */
export async function assertInstructorTakesQuestions(deps: Pick<AppDependencies, 'store' | 'clock'>, instructor: string) {
  if (!(await isClosedToPlayers(deps, instructor))) return
  throw new CommandRefused('This instructor cannot answer questions right now. You still have your one free question.', 'no-instructor')
}

/**
 * Passes if a player may assign a folder to an instructor. Instructors who are open to this player allow it; a pending instructor does if
 * the player is an adult and is connected with them or follows them.
 * @throws CommandRefused `no-instructor`, `instructor-unchecked`
 */
export async function assertInstructorTakesFolders(deps: Needed, player: Player, instructor: string) {
  const reachability = await reachabilityOf(deps, instructor, player.isMinor)
  if (reachability === 'open') return
  const acceptsPlayer = reachability === 'invited' && (await isConnectedOrFollowing(deps.sql, player.id, instructor))
  if (!acceptsPlayer)
    throw new CommandRefused('This instructor is not taking folders right now. Choose another.', 'no-instructor', 'instructor')
  if (!player.isMinor) return
  throw new CommandRefused(
    'We have not finished checking this instructor, and players under 18 can send folders only to instructors we have checked. Choose another, or try again once the check is done.',
    'instructor-unchecked',
    'instructor',
  )
}

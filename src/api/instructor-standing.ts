import { userOf } from '../../modules/accounts/people.ts'
import type { SignedInUser } from '../../modules/accounts/sessions.ts'
import { codeBelongsTo, instructorOfCode, isConnected, isRelated } from '../../modules/instructors/profiles.ts'
import { load } from '../../modules/kernel/decider.ts'
import { Refused } from '../../modules/kernel/store.ts'
import { accountOf } from '../../modules/privacy/account.ts'
import { dayOf } from '../../modules/vetting/policy.ts'
import { type Standing, standingOf, vetting } from '../../modules/vetting/vetting.ts'
import type { Viewer } from '../../projections/instructors.ts'
import type { Deps } from './deps.ts'
import { notFound } from './problem.ts'

type Needed = Pick<Deps, 'sql' | 'store' | 'clock'>
type Player = { id: string; isMinor: boolean }

/** Who asks, as far as it matters for the instructors that they meet. */
export async function viewerOf({ sql, clock }: Pick<Deps, 'sql' | 'clock'>, user: SignedInUser | null): Promise<Viewer> {
  const isPlayer = user?.role === 'player'
  // Only minors have a guardian to ask.
  const isMinor = isPlayer && ((await userOf(sql, user.id, clock()))?.guardian ?? null) !== null
  return { id: user?.id ?? null, isMinor, isAdmin: user?.role === 'admin' }
}

/** A signed-in player, as far as it matters for the instructors that they meet. */
export async function playerOf(deps: Pick<Deps, 'sql' | 'clock'>, user: SignedInUser): Promise<Player> {
  const { isMinor } = await viewerOf(deps, user)
  return { id: user.id, isMinor }
}

/** What an instructor is to a player, by the log, as a read model may lag behind a suspension. */
async function standing({ store, clock }: Needed, instructor: string, isMinor: boolean): Promise<Standing> {
  if ((await accountOf(store, instructor)).deletion !== 'none') return 'closed'
  return standingOf(await load(store, vetting, instructor), dayOf(clock()), isMinor)
}

/** The instructor whom a new player is connected with by this code; null where it is nobody's, or where nobody may connect with them. */
export async function instructorInviting(deps: Needed, code: string): Promise<string | null> {
  const instructor = await instructorOfCode(deps.sql, code)
  return instructor && (await standing(deps, instructor, false)) !== 'closed' ? instructor : null
}

/**
 * Lets a player connect with, or follow, an instructor who is open to them; with one who is not, only who has the instructor's own
 * invitation or is connected already. To everybody else there is no such instructor. @throws Problem 404
 */
export async function assertMayConnect(deps: Needed, player: Player, instructor: string, invite?: string) {
  const is = await standing(deps, instructor, player.isMinor)
  if (is === 'open') return
  const invited =
    is === 'invited' && ((await isConnected(deps.sql, player.id, instructor)) || (await codeBelongsTo(deps.sql, invite, instructor)))
  if (!invited) throw notFound()
}

/**
 * Lets a player assign to an instructor who is open to them; to one who is not, only an adult who is connected or follows.
 * @throws Refused `no-instructor`, `instructor-unchecked`
 */
export async function assertTakesFolders(deps: Needed, player: Player, instructor: string) {
  const is = await standing(deps, instructor, player.isMinor)
  if (is === 'open') return
  const theirs = is === 'invited' && (await isRelated(deps.sql, player.id, instructor))
  if (!theirs) throw new Refused('This instructor does not take folders right now. Choose another.', 'no-instructor', 'instructor')
  if (!player.isMinor) return
  throw new Refused(
    'We have not finished checking this instructor, and players under 18 can send folders only to instructors we have checked. Choose another, or try again once the check is done.',
    'instructor-unchecked',
    'instructor',
  )
}

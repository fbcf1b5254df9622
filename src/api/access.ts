import { type Folder, folder } from '../../modules/folders/folder.ts'
import { fold } from '../../modules/kernel/decider.ts'
import type { Recorded } from '../../modules/kernel/store.ts'
import type { Deps } from './deps.ts'
import { notFound } from './problem.ts'
import type { Context } from './route.ts'

type Asking = Pick<Context, 'user' | 'by'> & { deps: Pick<Deps, 'store'> }
type Reader = { id: string; role: string }

/** As what somebody may look at a folder. For everybody else there is no such folder. @throws Problem 404 */
export function readerOf(
  user: Reader,
  of: { player: string | null; instructor: string | null } | undefined,
): 'player' | 'instructor' | 'admin' {
  if (of && of.player === user.id) return 'player'
  if (of && of.instructor === user.id) return 'instructor'
  if (of && user.role === 'admin') return 'admin'
  throw notFound()
}

async function stateOf({ store }: Pick<Deps, 'store'>, id: string): Promise<{ events: Recorded[]; state: Folder }> {
  const events = await store.read(`folder-${id}`)
  return { events, state: fold(folder, events) }
}

/** A folder of the player who asks, as it is now. @throws Problem 404 */
export async function owned({ deps, user }: Omit<Asking, 'by'>, id: string): Promise<Folder> {
  const { state } = await stateOf(deps, id)
  if (state.player !== user!.id) throw notFound()
  return state
}

/** A folder that is with the instructor who asks, or was until this very command. @throws Problem 404 */
export async function reviewed({ deps, user, by }: Asking, id: string): Promise<Folder> {
  const { events, state } = await stateOf(deps, id)
  const again = events.some(e => e.meta.command === by.command && e.meta.actor === user!.id)
  if (!again && state.assignment?.instructor !== user!.id) throw notFound()
  return state
}

import { useMemo } from 'react'
import { callApi, type Reply } from '../client/api.ts'
import { $user } from '../client/login-session.ts'
import { refetchQueries, useQuery } from '../client/query.ts'
import { errorMessage } from '../client/use-command.ts'
import { toast } from '../ui/toast.ts'

const refreshConnections = () => refetchQueries('GET /api/my/instructors')

/** The instructors whom the player is connected with or follows, and the commands for both. `ask = false` postpones the query. */
export function useMyInstructorsWithActions(ask = true) {
  const { data } = useQuery('GET /api/my/instructors', ask ? {} : false)
  return useMemo(() => connectionsOf(data?.instructors), [data])
}

const isConnected = (instructor: { connected: boolean } | undefined) => instructor?.connected ?? false
const isMinor = () => ($user.get()?.guardian ?? null) !== null

export type ConnectedAndFollowedInstructors = ReturnType<typeof connectionsOf>
async function runWithToast(act: () => Promise<unknown>, title: string, description?: string): Promise<boolean> {
  try {
    await act()
    refreshConnections()
    toast({ title, ...(description && { description }) })
    return true
  } catch (error) {
    toast({ title: 'That did not work', description: errorMessage(error), variant: 'destructive' })
    return false
  }
}

/** Disconnects the player from an instructor, unfollows the instructor, and says so in a toast. */
export const disconnectAndUnfollow = (instructor: string, name: string) =>
  runWithToast(async () => {
    await callApi('DELETE /api/instructors/{instructor}/connection', { params: { instructor } })
    await callApi('DELETE /api/instructors/{instructor}/follow', { params: { instructor } })
  }, `Removed ${name}`)

function connectionsOf(mine: Reply<'GET /api/my/instructors'>['instructors'] | undefined) {
  const of = (instructor: string) => mine?.find(i => i.id === instructor)
  return {
    known: mine !== undefined,
    mine: mine ?? [],
    connected: (instructor: string) => of(instructor)?.connected ?? false,
    followed: (instructor: string) => of(instructor)?.followed ?? false,
    /** Whether the player can assign a folder to the instructor: they are connected, and the instructor takes this player's folders. */
    canAssign: (instructor: string) =>
      isConnected(of(instructor)) && (of(instructor)?.standing === 'open' || (of(instructor)?.standing === 'invited' && !isMinor())),
    /** `invite`: the instructor's invite code, required to connect with or follow an instructor who is still pending. */
    connect: (instructor: string, name: string, invite?: string) =>
      runWithToast(
        () => callApi('PUT /api/instructors/{instructor}/connection', { params: { instructor }, query: invite ? { invite } : {} }),
        `Connected with ${name}`,
      ),
    disconnect: (instructor: string, name: string) =>
      runWithToast(
        () => callApi('DELETE /api/instructors/{instructor}/connection', { params: { instructor } }),
        `No longer connected with ${name}`,
        of(instructor)?.standing === 'invited' ? 'To connect again, open their invitation.' : undefined,
      ),
    follow: (instructor: string, name: string, invite?: string) =>
      runWithToast(
        () => callApi('PUT /api/instructors/{instructor}/follow', { params: { instructor }, query: invite ? { invite } : {} }),
        `You follow ${name}`,
        'They come first when you assign a folder.',
      ),
    unfollow: (instructor: string, name: string) =>
      runWithToast(
        () => callApi('DELETE /api/instructors/{instructor}/follow', { params: { instructor } }),
        `You no longer follow ${name}`,
      ),
  }
}

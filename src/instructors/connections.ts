import { useMemo } from 'react'
import { call, type Reply } from '../client/api.ts'
import { errorMessage } from '../client/command.ts'
import { refetchQueries, useQuery } from '../client/query.ts'
import { toast } from '../ui/toast.ts'

const refreshConnections = () => refetchQueries('GET /api/my/instructors')

/** With whom the player is connected and whom they follow, and the commands for both. `false`: the query is not sent yet. */
export function useConnections(ask = true) {
  const { data } = useQuery('GET /api/my/instructors', ask ? {} : false)
  return useMemo(() => connectionsOf(data?.instructors), [data])
}

export type Connections = ReturnType<typeof connectionsOf>
function connectionsOf(mine: Reply<'GET /api/my/instructors'>['instructors'] | undefined) {
  const of = (instructor: string) => mine?.find(i => i.id === instructor)
  const run = async (act: () => Promise<unknown>, title: string, description?: string) => {
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
  return {
    known: mine !== undefined,
    mine: mine ?? [],
    connected: (instructor: string) => of(instructor)?.connected ?? false,
    followed: (instructor: string) => of(instructor)?.followed ?? false,
    connect: (instructor: string, name: string) =>
      run(() => call('PUT /api/instructors/{instructor}/connection', { params: { instructor } }), `Connected with ${name}`),
    disconnect: (instructor: string, name: string) =>
      run(() => call('DELETE /api/instructors/{instructor}/connection', { params: { instructor } }), `No longer connected with ${name}`),
    follow: (instructor: string, name: string) =>
      run(
        () => call('PUT /api/instructors/{instructor}/follow', { params: { instructor } }),
        `You follow ${name}`,
        'They come first when you assign a folder.',
      ),
    unfollow: (instructor: string, name: string) =>
      run(() => call('DELETE /api/instructors/{instructor}/follow', { params: { instructor } }), `You no longer follow ${name}`),
  }
}

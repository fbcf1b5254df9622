import { useStore } from '@nanostores/react'
import { useAlive } from '../../client/alive.ts'
import { $user } from '../../client/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConnectButtons } from './ConnectButtons.tsx'
import { useConnections } from './connection.ts'
import { keepWanted } from './wanted.ts'

/** Connect and Follow on a public profile; visitors register first. */
export default function ProfileActions({ id, name }: { id: string; name: string }) {
  const root = useAlive<HTMLDivElement>()
  const user = useStore($user)
  const player = user?.role === 'player'
  const connections = useConnections(player)
  const register = () => {
    keepWanted(id)
    location.assign('/auth?role=player')
  }
  return (
    <div ref={root} className="min-h-11">
      {player ? (
        <ConnectButtons id={id} name={name} connections={connections} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={register}>
            Follow
          </Button>
          <Button onClick={register}>Connect</Button>
        </div>
      )}
    </div>
  )
}

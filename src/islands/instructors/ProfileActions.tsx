import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { useAlive } from '../../client/alive.ts'
import { $user } from '../../client/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConnectButtons } from './ConnectButtons.tsx'
import { useConnections } from './connection.ts'
import { keepWanted } from './wanted.ts'

/** Whose page this is. */
const shown = () => {
  const { instructor = '', name = '' } = document.querySelector<HTMLElement>('[data-instructor]')?.dataset ?? {}
  return { id: instructor, name }
}

/** Connect and Follow on a public profile, whose id stands in the page; visitors register first. */
export default function ProfileActions() {
  const root = useAlive<HTMLDivElement>()
  const user = useStore($user)
  const [who, setWho] = useState({ id: '', name: '' })
  useEffect(() => setWho(shown()), [])
  const player = user?.role === 'player'
  const connections = useConnections(player)
  const register = () => {
    // A click from before this woke comes before the state does.
    keepWanted(shown().id)
    location.assign('/auth?role=player')
  }
  return (
    <div ref={root} className="min-h-11">
      {player ? (
        <ConnectButtons {...who} connections={connections} />
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

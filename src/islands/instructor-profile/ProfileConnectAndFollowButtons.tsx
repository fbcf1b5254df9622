import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { $user, loadSignedInUser } from '../../client/login-session.ts'
import { errorMessage } from '../../client/use-command.ts'
import { ConnectAndFollowButtons } from '../../instructors/ConnectAndFollowButtons.tsx'
import { useMyInstructorsWithActions } from '../../instructors/connect-and-follow-instructors.ts'
import { storeInstructorToConnect } from '../../instructors/stored-instructor-to-connect.ts'
import { useSignalHydration } from '../../page-load/signal-hydration.ts'
import { toast } from '../../ui/toast.ts'

/**
 * The Connect and Follow buttons on a public profile. Everybody gets the same buttons, so that a press before hydration can be replayed on
 * them. The role is checked after the press: visitors are sent to registration; instructors and administrators are told that only players
 * can connect.
 */
export default function ProfileConnectAndFollowButtons({ id, name }: { id: string; name: string }) {
  const root = useSignalHydration<HTMLDivElement>()
  const user = useStore($user, { ssr: 'initial' })
  const [why, setWhy] = useState<string>()
  const connections = useMyInstructorsWithActions(user?.role === 'player')
  async function isAllowed() {
    try {
      const user = $user.get() ?? (await loadSignedInUser())
      if (user?.role === 'player') return true
      if (user) {
        setWhy(
          user.id === id
            ? 'This is your own page, as players see it.'
            : `Players connect with and follow instructors. You are here as an ${user.role}.`,
        )
        return false
      }
    } catch (error) {
      toast({ title: 'That did not work', description: errorMessage(error), variant: 'destructive' })
      return false
    }
    storeInstructorToConnect(id)
    location.assign('/auth?role=player')
    return false
  }
  return (
    <div ref={root} className="flex flex-col gap-2">
      <ConnectAndFollowButtons id={id} name={name} connections={connections} isAllowed={isAllowed} />
      <p role="status" className="max-w-64 text-14 text-ink-2 empty:hidden">
        {why}
      </p>
    </div>
  )
}

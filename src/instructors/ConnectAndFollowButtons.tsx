import { Check, Heart } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import type { ConnectedAndFollowedInstructors } from './connect-and-follow-instructors.ts'

/** The Connect and Follow buttons for an instructor, which reflect whether the player is already connected or following. */
export function ConnectAndFollowButtons({
  id,
  name,
  connections,
  invite,
  isAllowed,
  onConnected,
  wide,
}: {
  id: string
  name: string
  connections: ConnectedAndFollowedInstructors
  /** The instructor's invite code, if the player was invited with it. */
  invite?: string
  /** Called before a command is sent; resolves to true if it may be sent. If not, tells the person why or opens the registration page. */
  isAllowed?: () => Promise<boolean>
  onConnected?: () => void
  wide?: boolean
}) {
  const [busy, setBusy] = useState<'connect' | 'follow'>()
  const connected = connections.connected(id)
  const followed = connections.followed(id)
  const act = async (which: 'connect' | 'follow', run: () => Promise<boolean>) => {
    setBusy(which)
    const ok = (!isAllowed || (await isAllowed())) && (await run())
    setBusy(undefined)
    return ok
  }
  return (
    <div className={wide ? 'grid grid-cols-2 gap-2' : 'flex flex-wrap gap-2'}>
      <Button
        variant="secondary"
        busy={busy === 'follow'}
        aria-pressed={followed}
        aria-label={followed ? `Unfollow ${name}` : `Follow ${name}`}
        icon={<Heart aria-hidden="true" size={18} strokeWidth={1.75} className={followed ? 'fill-clay text-clay' : undefined} />}
        onClick={() => act('follow', () => (followed ? connections.unfollow(id, name) : connections.follow(id, name, invite)))}
      >
        {followed ? 'Following' : 'Follow'}
      </Button>
      {connected ? (
        <Button
          variant="secondary"
          busy={busy === 'connect'}
          aria-pressed
          aria-label={`Disconnect from ${name}`}
          icon={<Check aria-hidden="true" size={18} strokeWidth={2.25} className="text-field" />}
          onClick={() => act('connect', () => connections.disconnect(id, name))}
        >
          Connected
        </Button>
      ) : (
        <Button
          busy={busy === 'connect'}
          aria-label={`Connect with ${name}`}
          onClick={async () => {
            if (await act('connect', () => connections.connect(id, name, invite))) onConnected?.()
          }}
        >
          Connect
        </Button>
      )}
    </div>
  )
}

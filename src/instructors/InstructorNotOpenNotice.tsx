import { useStore } from '@nanostores/react'
import { ShieldQuestionMark } from 'lucide-react'
import { useState } from 'react'
import type { ConnectedOrFollowedInstructor } from '../../modules/instructors/contract.ts'
import { $user } from '../client/login-session.ts'
import { site } from '../site.ts'
import { Button } from '../ui/button.tsx'
import { disconnectAndUnfollow } from './connect-and-follow-instructors.ts'
import { instructorName } from './InstructorCard.tsx'

/**
 * Tells a player that an instructor's vetting is not finished, or that the instructor takes no folders; otherwise renders nothing. If the
 * player cannot assign to the instructor, a button removes the instructor from the player's list.
 */
export function InstructorNotOpenNotice({
  instructor,
}: {
  instructor: Pick<ConnectedOrFollowedInstructor, 'id' | 'user' | 'standing'> | undefined
}) {
  const isMinor = (useStore($user)?.guardian ?? null) !== null
  const [busy, setBusy] = useState(false)
  if (!instructor || instructor.standing === 'open') return null
  const { firstName } = instructor.user
  async function remove(name: string, id: string) {
    setBusy(true)
    await disconnectAndUnfollow(id, name)
    setBusy(false)
  }
  return (
    <div className="mt-4 flex items-start gap-2 rounded-card bg-clay-wash px-4 py-3 text-clay">
      <ShieldQuestionMark aria-hidden="true" size={20} strokeWidth={1.75} className="mt-0.5 shrink-0" />
      <p className="min-w-0 flex-1 wrap-anywhere">
        {instructor.standing === 'closed'
          ? `${firstName} is not taking folders on ${site.name} right now. Choose another instructor.`
          : isMinor
            ? `${site.name} has not finished checking ${firstName}, and players under 18 send folders only to instructors we have checked. Once the check is done, you can assign to ${firstName} right here; you do not have to do anything. Until then, choose another instructor.`
            : `${site.name} has not finished checking ${firstName} yet. You are connected by ${firstName}'s own invitation, so you can assign folders already.`}
      </p>
      {(isMinor || instructor.standing === 'closed') && (
        <Button
          variant="quiet"
          size="sm"
          busy={busy}
          aria-label={`Remove ${firstName} from your instructors`}
          onClick={() => remove(instructorName(instructor), instructor.id)}
        >
          Remove
        </Button>
      )}
    </div>
  )
}

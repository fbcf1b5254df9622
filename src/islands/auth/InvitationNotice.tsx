import { useEffect, useState } from 'react'
import { callApi } from '../../client/api.ts'
import { isNotFound } from '../../client/is-not-found.ts'
import { Badge } from '../../ui/badge.tsx'

/** Tells an invited visitor that they will be connected to their instructor, or that the invitation is no longer valid. */
export function InvitationNotice({ code }: { code: string }) {
  const [isDead, setDead] = useState(false)
  useEffect(() => {
    callApi('GET /api/instructors/by-invite/{inviteCode}', { params: { inviteCode: code } }).then(
      () => setDead(false),
      error => setDead(isNotFound(error)),
    )
  }, [code])
  return (
    // Both texts get the height of the longer one, so that the form below does not move.
    <p role="status" className="min-h-18">
      {isDead ? (
        <>
          <Badge tone="clay" dot className="max-sm:whitespace-normal">
            This invitation is no longer valid
          </Badge>{' '}
          Register anyway and find your instructor by name, or ask them for a new link.
        </>
      ) : (
        <>
          <Badge tone="field" dot>
            Invited
          </Badge>{' '}
          You will be connected to your instructor as soon as you have an account.
        </>
      )}
    </p>
  )
}

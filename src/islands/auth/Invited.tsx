import { useEffect, useState } from 'react'
import { call } from '../../client/api.ts'
import { isNotFound } from '../../client/not-found.ts'
import { Badge } from '../../ui/badge.tsx'

/** What an invitation brings whoever registers with it; where it is dead it promises nothing. */
export function Invited({ code }: { code: string }) {
  const [dead, setDead] = useState(false)
  useEffect(() => {
    call('GET /api/instructors/by-invite/{inviteCode}', { params: { inviteCode: code } }).then(
      () => setDead(false),
      error => setDead(isNotFound(error)),
    )
  }, [code])
  return (
    // As high as the longer of the two, so that the form stays where it is.
    <p role="status" className="min-h-18">
      {dead ? (
        <>
          <Badge tone="clay" dot className="max-sm:whitespace-normal">
            Invitation no longer valid
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

import type { ReactNode } from 'react'
import type { AuthFormValues } from '../../accounts/keep-typed-auth-values.ts'
import type { AuthUrlParams } from '../../accounts/parse-auth-page-query.ts'
import { Choice, ChoiceGroup } from '../../ui/choices.tsx'
import { InstructorRegistrationForm } from './InstructorRegistrationForm.tsx'
import { InvitationNotice } from './InvitationNotice.tsx'
import { PlayerRegistrationForm } from './PlayerRegistrationForm.tsx'

/** The register tab: a choice between player and instructor, or for an invited player the invitation; below it the form for that role. */
export function RegisterTab({
  query,
  typed,
  onRole,
}: {
  query: AuthUrlParams
  typed: AuthFormValues
  onRole: (role: AuthUrlParams['role']) => void
}): ReactNode {
  return (
    <div className="flex flex-col gap-6">
      {query.invite ? (
        <InvitationNotice code={query.invite} />
      ) : (
        <ChoiceGroup legend="I am">
          <Choice
            type="radio"
            name="kind"
            label="A player"
            detail="I want feedback"
            checked={query.role === 'player'}
            onChange={() => onRole('player')}
          />
          <Choice
            type="radio"
            name="kind"
            label="An instructor"
            detail="I give feedback"
            checked={query.role === 'instructor'}
            onChange={() => onRole('instructor')}
          />
        </ChoiceGroup>
      )}
      {query.role === 'player' ? (
        <PlayerRegistrationForm query={query} typed={typed} />
      ) : (
        <InstructorRegistrationForm query={query} typed={typed} />
      )}
    </div>
  )
}

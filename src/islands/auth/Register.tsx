import type { ReactNode } from 'react'
import type { Typed } from '../../accounts/typed.ts'
import type { Way } from '../../accounts/way.ts'
import { Choice, Choices } from '../../ui/choices.tsx'
import { InstructorForm } from './InstructorForm.tsx'
import { Invited } from './Invited.tsx'
import { PlayerForm } from './PlayerForm.tsx'

/** The register tab: which kind of account, then its form. */
export function Register({ way, typed, onRole }: { way: Way; typed: Typed; onRole: (role: Way['role']) => void }): ReactNode {
  return (
    <div className="flex flex-col gap-6">
      {way.invite ? (
        <Invited code={way.invite} />
      ) : (
        <Choices legend="I am">
          <Choice
            type="radio"
            name="kind"
            label="A player"
            detail="I want feedback"
            checked={way.role === 'player'}
            onChange={() => onRole('player')}
          />
          <Choice
            type="radio"
            name="kind"
            label="An instructor"
            detail="I give feedback"
            checked={way.role === 'instructor'}
            onChange={() => onRole('instructor')}
          />
        </Choices>
      )}
      {way.role === 'player' ? <PlayerForm way={way} typed={typed} /> : <InstructorForm way={way} typed={typed} />}
    </div>
  )
}

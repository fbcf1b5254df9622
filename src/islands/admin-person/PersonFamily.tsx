import { Suspense, useState } from 'react'
import { ADULT_AGE, ageOn } from '../../../modules/accounts/policy.ts'
import type { AdminPerson } from '../../../modules/admin-person/contract.ts'
import { personPagePath } from '../../administration/admin-urls.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

type Relative = AdminPerson['guardians'][number]

const ReplaceGuardianDialog = lazyWithRetry(() => import('./ReplaceGuardianDialog.tsx').then(m => ({ default: m.ReplaceGuardianDialog })))
const date = dateFormatter({ dateStyle: 'medium' })
const answers: Record<NonNullable<Relative['consent']>, [label: string, tone: BadgeTone]> = {
  given: ['Consent given', 'field'],
  refused: ['Consent refused', 'red'],
  withdrawn: ['Consent withdrawn', 'clay'],
}

function RelativeRow({ relative }: { relative: Relative }) {
  const [label, tone] = relative.consent ? answers[relative.consent] : (['No answer yet', 'ink'] as const)
  return (
    <li className="py-2">
      <a className="link inline-flex min-h-11 items-center font-medium wrap-anywhere" href={personPagePath(relative.id)}>
        {relative.name}
      </a>
      <p className="text-14 wrap-anywhere text-ink-2">{relative.email}</p>
      <p className="mt-1 flex flex-wrap items-center gap-2 text-13 text-ink-2">
        <Badge dot tone={tone}>
          {label}
        </Badge>
        {relative.until
          ? `${date(new Date(relative.since))} to ${date(new Date(relative.until))}`
          : `since ${date(new Date(relative.since))}`}
      </p>
    </li>
  )
}

/** A player's guardians or a guardian's children, each with the consent status; renders nothing for everybody else. */
export function PersonFamily({ person }: { person: AdminPerson }) {
  const { guardians, children, kind, born } = person
  const [isChanging, setChanging] = useState(false)
  if (!guardians.length && !children.length) return null
  const relatives = guardians.length ? guardians : children
  return (
    <Card>
      <h2 className="text-18">{guardians.length ? 'Guardian and consent' : 'Children'}</h2>
      <ul className="mt-1 divide-y divide-line">
        {relatives.map(relative => (
          <RelativeRow key={`${relative.id} ${relative.since}`} relative={relative} />
        ))}
      </ul>
      {kind === 'player' && born !== null && ageOn(born, new Date()) < ADULT_AGE && (
        <Button variant="secondary" className="mt-3" onClick={() => setChanging(true)}>
          Change the guardian
        </Button>
      )}
      <Suspense fallback={null}>{isChanging && <ReplaceGuardianDialog person={person} onClose={() => setChanging(false)} />}</Suspense>
    </Card>
  )
}

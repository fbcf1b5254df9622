import type { AdminPerson } from '../../../modules/admin-person/contract.ts'
import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import { CHECK_NAMES } from '../../../modules/vetting/event-sentences.ts'
import { LabeledFact } from '../../administration/LabeledFact.tsx'
import { responseTimeInWords } from '../../instructors/statistics-and-rating-labels.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { capitalize } from '../../ui/capitalize.ts'
import { Card } from '../../ui/card.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { CloseOrReopenAccountButton } from './CloseOrReopenAccountButton.tsx'

const date = dateFormatter({ dateStyle: 'medium' })
/** Formatted in UTC, because a calendar day must not shift with the viewer's time zone. */
const day = dateFormatter({ dateStyle: 'medium', timeZone: 'UTC' })

const link = 'link inline-flex min-h-11 items-center wrap-anywhere'

function InstructorFacts({ instructor: i }: { instructor: NonNullable<AdminPerson['instructor']> }) {
  return (
    <>
      <LabeledFact label="Standing">
        <a className={link} href={`/admin/instructors?instructor=${i.id}`}>
          {capitalize(i.status)}
        </a>
      </LabeledFact>
      <LabeledFact label="Checks">
        {i.checks.length ? (
          <ul className="flex flex-col gap-1">
            {i.checks.map(check => (
              <li key={check.kind}>
                {capitalize(CHECK_NAMES[check.kind])}, {day(new Date(check.checked))}
                {check.validity !== 'valid' && (
                  <Badge tone={check.validity === 'expired' ? 'red' : 'clay'} className="ml-2">
                    {check.validity === 'expired' ? 'Expired' : 'Expires soon'}
                  </Badge>
                )}
              </li>
            ))}
          </ul>
        ) : (
          'None recorded'
        )}
      </LabeledFact>
      <LabeledFact label="Sessions">
        {i.sessions.delivered} delivered, {i.sessions.open} open
      </LabeledFact>
      <LabeledFact label="Turnaround time">{responseTimeInWords(i.responseHours) ?? 'Not enough reviews yet'}</LabeledFact>
      <LabeledFact label="Earned">{formatCents(i.earned)}</LabeledFact>
    </>
  )
}

/**
 * A card with a person's contact details and account dates, a player's points and sessions left, and an instructor's debt, vetting status,
 * checks, sessions and earnings. The accounts of players and instructors can be closed and reopened here.
 */
export const PersonFacts = ({ person, onWaive }: { person: AdminPerson; onWaive: () => void }) => (
  <Card>
    <h2 className="mb-3 text-18">Details</h2>
    <dl className="flex flex-col gap-3">
      <LabeledFact label="Email">
        <a className={link} href={`mailto:${person.email}`}>
          {person.email}
        </a>
      </LabeledFact>
      {person.phone && (
        <LabeledFact label="Phone">
          <a className={link} href={`tel:${person.phone.replace(/[^+\d]/g, '')}`}>
            {person.phone}
          </a>
        </LabeledFact>
      )}
      {person.born && <LabeledFact label="Born">{day(new Date(person.born))}</LabeledFact>}
      <LabeledFact label={person.kind === 'guardian' ? 'Named' : 'Registered'}>{date(new Date(person.registered))}</LabeledFact>
      {person.deletionDue && <LabeledFact label="Will be deleted">{date(new Date(person.deletionDue))}</LabeledFact>}
      {person.deletionWaitsFor && <LabeledFact label="Deletion on hold">{person.deletionWaitsFor}</LabeledFact>}
      {person.closingReason !== null && <LabeledFact label="Closed because">“{person.closingReason}”</LabeledFact>}
      {person.rewards && (
        <LabeledFact label="Points and sessions left">
          {person.rewards.points} points, {person.rewards.sessions} {person.rewards.sessions === 1 ? 'session' : 'sessions'}
        </LabeledFact>
      )}
      {!!person.debt && (
        <LabeledFact label="Owes the platform">
          {formatCents(person.debt)}, deducted from the next shares
          <span className="mt-1 block">
            <Button variant="secondary" size="sm" onClick={onWaive}>
              Waive the debt
            </Button>
          </span>
        </LabeledFact>
      )}
      {person.waivers.length > 0 && (
        <LabeledFact label="Waived">
          <ul className="flex flex-col gap-1">
            {person.waivers.map(({ at, amount, reason }) => (
              <li key={at}>
                {formatCents(amount)} on {date(new Date(at))}: “{reason}”
              </li>
            ))}
          </ul>
        </LabeledFact>
      )}
      {person.instructor && <InstructorFacts instructor={person.instructor} />}
      <LabeledFact label="ID">
        <span className="text-13">{person.id}</span>
      </LabeledFact>
    </dl>
    {(person.kind === 'player' || person.kind === 'instructor') && (
      <div className="mt-4 border-line border-t pt-4">
        <CloseOrReopenAccountButton person={person} />
      </div>
    )}
  </Card>
)

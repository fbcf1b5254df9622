import { Mail, Phone } from 'lucide-react'
import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import type { VettingStatus } from '../../../modules/instructors/contract.ts'
import type { InstructorVetting } from '../../../modules/vetting/contract.ts'
import { personPagePath } from '../../administration/admin-urls.ts'
import { LabeledFact } from '../../administration/LabeledFact.tsx'
import { instructorTitleForSports, skillName } from '../../instructors/sport-and-skill-labels.ts'
import { responseTimeInWords } from '../../instructors/statistics-and-rating-labels.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { InstructorChecks } from './InstructorChecks.tsx'
import { InstructorRatings } from './InstructorRatings.tsx'
import { VettingDecisionButtons } from './VettingDecisionButtons.tsx'

const statuses: Record<VettingStatus, [label: string, tone: BadgeTone]> = {
  pending: ['Pending', 'clay'],
  approved: ['Approved', 'field'],
  suspended: ['Suspended', 'red'],
  declined: ['Declined', 'ink'],
}
const day = dateFormatter({ dateStyle: 'medium' })
const birthday = dateFormatter({ dateStyle: 'medium', timeZone: 'UTC' })
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

function Entered({ instructor: i }: { instructor: InstructorVetting }) {
  return (
    <details className="group">
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-medium text-field">
        What they wrote about themselves
      </summary>
      <div className="flex max-w-measure flex-col gap-3 pb-2">
        <p className="wrap-anywhere whitespace-pre-line">{i.about || 'They have not written about themselves yet.'}</p>
        <p className="wrap-anywhere whitespace-pre-line">{i.experience || 'No experience entered yet.'}</p>
      </div>
    </details>
  )
}

/** Everything known about one instructor, the recorded checks, and the decisions an administrator can make. */
export function InstructorVettingDetails({ instructor: i }: { instructor: InstructorVetting }) {
  const name = `${i.firstName} ${i.lastName}`
  const [status, tone] = statuses[i.status]
  return (
    <Card className="p-0!" id={i.id}>
      <article aria-label={name}>
        <header className="flex flex-wrap items-center gap-4 p-4 sm:p-6">
          <Avatar name={name} picture={i.profilePicture} instructor={i.id} size="lg" />
          <div className="min-w-0 flex-1">
            <h2 className="text-18 wrap-anywhere">
              <a className="inline-flex min-h-11 items-center hover:underline" href={personPagePath(i.id)}>
                {name}
              </a>
            </h2>
            <p className="text-14 text-ink-2">
              {[instructorTitleForSports(i.type), i.skills.map(skillName).join(', ')].filter(Boolean).join(' · ')}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            {i.featuredUntil && <Badge tone="gold">Featured until {day(new Date(i.featuredUntil))}</Badge>}
            {!i.emailConfirmed && <Badge tone="clay">Email not confirmed</Badge>}
            <Badge dot tone={tone}>
              {status}
            </Badge>
          </div>
        </header>
        <div className="flex flex-col gap-5 border-t border-line p-4 sm:p-6">
          {i.reason && <p className="max-w-measure border-l-2 border-red pl-4 wrap-anywhere whitespace-pre-line">{i.reason}</p>}
          <div className="flex flex-wrap gap-x-6 text-14">
            <a className="link inline-flex min-h-11 items-center gap-2 wrap-anywhere" href={`mailto:${i.email}`}>
              <Mail {...icon} className="shrink-0" />
              {i.email}
            </a>
            {i.phone && (
              <a className="link inline-flex min-h-11 items-center gap-2" href={`tel:${i.phone.replace(/[^+\d]/g, '')}`}>
                <Phone {...icon} />
                {i.phone}
              </a>
            )}
          </div>
          <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
            <LabeledFact label="Registered">
              <RelativeTime at={i.registered} />
            </LabeledFact>
            <LabeledFact label="Born">{i.born ? birthday(new Date(i.born)) : 'Not entered'}</LabeledFact>
            <LabeledFact label="Connected players">{i.players}</LabeledFact>
            <LabeledFact label="Sessions">
              {i.sessions.delivered} delivered, {i.sessions.open} open
            </LabeledFact>
            <LabeledFact label="Turnaround time">{responseTimeInWords(i.responseHours) ?? 'Not enough reviews yet'}</LabeledFact>
            <LabeledFact label="Earned">{formatCents(i.earned)}</LabeledFact>
            <LabeledFact label="Refunds">{i.refunds.count ? `${i.refunds.count}, ${formatCents(i.refunds.cents)}` : 'None'}</LabeledFact>
            <LabeledFact label="Support requests">{i.requests || 'None'}</LabeledFact>
            <LabeledFact label="Issues their players reported">{i.complaints || 'None'}</LabeledFact>
          </dl>
          <Entered instructor={i} />
          <InstructorRatings instructor={i.id} />
          <InstructorChecks instructor={i} name={name} />
        </div>
        <VettingDecisionButtons instructor={i} name={name} />
      </article>
    </Card>
  )
}

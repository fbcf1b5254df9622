import type { ReactNode } from 'react'
import type { AdminPerson } from '../../../modules/admin-person/contract.ts'
import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import { supportRequestPagePath } from '../../administration/admin-urls.ts'
import type { PaymentOrPackageReference } from '../../administration/EventLogEntry.tsx'
import { supportRequestStatusBadges } from '../../administration/support-request-status-badges.ts'
import { FolderStatusBadge } from '../../folders/folder-status.tsx'
import { PackageBadge, PaymentBadge } from '../../payments/status-badges.tsx'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { DisclosureChevron } from '../../ui/disclosure-chevron.tsx'
import { letterName } from './letter-name.ts'

const date = dateFormatter({ dateStyle: 'medium' })
const moment = dateFormatter({ dateStyle: 'medium', timeStyle: 'short' })
/** Longer lists start collapsed. */
const MAX_OPEN_LIST_LENGTH = 8

/** A collapsible list, or the text `none` if there are no items. */
function PersonList({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  if (!children.length) {
    return (
      <Card className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-18">{title}</h2>
        <p className="text-14 text-ink-2">{none}</p>
      </Card>
    )
  }
  return (
    <Card flush>
      <details open={children.length <= MAX_OPEN_LIST_LENGTH} className="group">
        <summary className="flex min-h-14 cursor-pointer items-center justify-between gap-4 px-4 sm:px-6">
          <h2 className="text-18">
            {title} <span className="font-normal text-ink-2">{children.length}</span>
          </h2>
          <DisclosureChevron />
        </summary>
        <ul className="divide-y divide-line border-t border-line">{children}</ul>
      </details>
    </Card>
  )
}

const rowClasses = 'flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 text-left sm:px-6'

const RowText = ({ title, about }: { title: string; about: string }) => (
  <span className="min-w-[min(12rem,100%)] flex-1">
    <span className="block font-medium wrap-anywhere">{title}</span>
    <span className="block text-13 wrap-anywhere text-ink-2">{about}</span>
  </span>
)

const fates: Record<AdminPerson['letters'][number]['fate'], [label: string, tone: BadgeTone]> = {
  sent: ['Sent', 'field'],
  waiting: ['Waiting', 'sky'],
  failed: ['Failed', 'red'],
  delivered: ['Delivered', 'field'],
  bounced: ['Bounced', 'red'],
  complained: ['Marked as spam', 'red'],
  suppressed: ['Not sent: bounced before', 'red'],
}

function LetterRow({ letter }: { letter: AdminPerson['letters'][number] }) {
  const [label, tone] = letter.obsolete ? (['Not needed', undefined] as const) : fates[letter.fate]
  return (
    <li className={rowClasses}>
      <RowText title={letterName(letter.kind)} about={moment(new Date(letter.at ?? letter.asked))} />
      <Badge dot tone={tone}>
        {label}
      </Badge>
      {letter.error && <p className="w-full text-13 wrap-anywhere text-red">{letter.error}</p>}
    </li>
  )
}

/**
 * A person's folders, payments, packages, support requests, emails and devices, one list per kind. Folders and support requests link to
 * their pages; payments and packages open a dialog.
 */
export function PersonRecords({ person, onMoney }: { person: AdminPerson; onMoney: (of: PaymentOrPackageReference) => void }) {
  const isInstructor = person.kind === 'instructor'
  const row = `${rowClasses} hover:bg-ink-wash`
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <PersonList title="Folders" none="None yet">
        {person.folders.map(folder => (
          <li key={folder.id}>
            <a className={row} href={`/admin/folder/${folder.id}`}>
              <RowText
                title={folder.name}
                about={[folder.with && `${isInstructor ? 'from' : 'with'} ${folder.with}`, date(new Date(folder.updated))]
                  .filter(Boolean)
                  .join(' · ')}
              />
              <FolderStatusBadge status={folder.status} viewer="admin" />
            </a>
          </li>
        ))}
      </PersonList>
      <PersonList title="Payments" none="None yet">
        {person.payments.map(payment => (
          <li key={payment.id}>
            <button type="button" className={row} onClick={() => onMoney({ noun: 'payment', id: payment.id })}>
              <RowText
                title={`${formatCents(payment.total + payment.tip)} · ${payment.folderName}`}
                about={`${payment.playerName} to ${payment.instructorName} · ${date(new Date(payment.opened))}`}
              />
              <PaymentBadge payment={payment} />
            </button>
          </li>
        ))}
      </PersonList>
      {!isInstructor && (
        <PersonList title="Packages" none="None bought">
          {person.purchases.map(purchase => (
            <li key={purchase.id}>
              <button type="button" className={row} onClick={() => onMoney({ noun: 'purchase', id: purchase.id })}>
                <RowText
                  title={`${formatCents(purchase.cents)} · ${purchase.label}`}
                  about={`${purchase.playerName} · ${date(new Date(purchase.bought))}`}
                />
                <PackageBadge purchase={purchase} />
              </button>
            </li>
          ))}
        </PersonList>
      )}
      <PersonList title="Support requests" none="None">
        {person.requests.map(request => {
          const [label, tone] = supportRequestStatusBadges[request.status]
          return (
            <li key={request.id}>
              <a className={row} href={supportRequestPagePath(request.id)}>
                <RowText title={request.content} about={date(new Date(request.asked))} />
                <Badge dot tone={tone}>
                  {label}
                </Badge>
              </a>
            </li>
          )
        })}
      </PersonList>
      <PersonList title="Emails" none="None sent">
        {person.letters.map(letter => (
          <LetterRow key={letter.id} letter={letter} />
        ))}
      </PersonList>
      <PersonList title="Logged in on" none="No devices">
        {person.signIns.map(({ id, device, started, lastUsed }) => (
          <li key={id} className={rowClasses}>
            <RowText title={device} about={`since ${moment(new Date(started))}, last used ${moment(new Date(lastUsed))}`} />
          </li>
        ))}
      </PersonList>
    </div>
  )
}

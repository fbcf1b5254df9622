import { Braces, FolderOpen, Receipt } from 'lucide-react'
import { useState } from 'react'
import type { AdminEventLogEntry } from '../../modules/audit/contract.ts'
import { useHydrationSafeTimeZone } from '../page-load/preloaded-page-data-context.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { dateFormatter } from '../ui/date-formatter.ts'
import { personPagePath } from './admin-urls.ts'
import { eventSentence } from './event-sentences.ts'

const formatTime = dateFormatter({ hour: 'numeric', minute: '2-digit', second: '2-digit' })
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The color of an event's marker: red for problems, clay for other events about money, green for the rest. */
const markerColor = (type: string) =>
  /Failed|Refused|Chargeback|Disputed?|Doubled/.test(type)
    ? 'bg-red'
    : /Payment|Transfer|Refund|Package|Share|Payout/.test(type)
      ? 'bg-clay'
      : 'bg-field'

/** A payment or purchase that a dialog can show. */
export interface PaymentOrPackageReference {
  noun: 'payment' | 'purchase'
  id: string
}
const labels: Record<string, string> = { payment: 'Payment', purchase: 'Package' }

type Narrow = (to: { actor: string } | { stream: string }) => void

function SubjectName({ subject, onNarrow }: { subject: ReturnType<typeof eventSentence>['subject']; onNarrow?: Narrow }) {
  if (!subject) return null
  const { id, name } = subject
  if (!id) return <span className="font-medium">{name}</span>
  if (!onNarrow) {
    return (
      <a className="font-medium hover:underline" href={personPagePath(id)}>
        {name}
      </a>
    )
  }
  return (
    <button
      type="button"
      className="inline text-left font-medium hover:underline"
      title={`Everything that ${name} did`}
      onClick={() => onNarrow({ actor: id })}
    >
      {name}
    </button>
  )
}

/** An event in readable form: who did what, when, and by which command. A button shows the raw event. */
export function EventLogEntry({
  entry,
  onNarrow,
  onMoney,
}: {
  entry: AdminEventLogEntry
  /** Called to filter the log by a person or a stream. Without it, a person's name links to their page. */
  onNarrow?: Narrow
  onMoney: (of: PaymentOrPackageReference) => void
}) {
  const [raw, setRaw] = useState(false)
  const timeZone = useHydrationSafeTimeZone()
  const [, noun, id] = /^(payment|purchase|folder)-(.+)$/.exec(entry.stream) ?? []
  const { subject, rest } = eventSentence(entry)
  const stream = entry.stream.slice(0, entry.stream.indexOf('-') + 9)
  return (
    // The browser does not render entries outside the viewport; it assumes their typical height until they come into view.
    <li className="px-4 py-3 [contain-intrinsic-size:auto_5.5rem] [content-visibility:auto] sm:[contain-intrinsic-size:auto_2.72rem]">
      <div className="flex gap-3">
        <span aria-hidden="true" className={cx('mt-2 size-2.5 shrink-0 rotate-45 rounded-base', markerColor(entry.type))} />
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere">
            <SubjectName subject={subject} onNarrow={onNarrow} /> {rest}
          </p>
          <p className="flex flex-wrap gap-x-3 text-13 text-ink-2">
            <time dateTime={entry.at} title={entry.at}>
              {formatTime(new Date(entry.at), timeZone)}
            </time>
            <span>{entry.command}</span>
            {onNarrow ? (
              <button
                type="button"
                className="text-left wrap-anywhere hover:underline"
                title="Only this stream"
                onClick={() => onNarrow({ stream: entry.stream })}
              >
                {stream}
              </button>
            ) : (
              <span className="wrap-anywhere">{stream}</span>
            )}
            <span>#{entry.position}</span>
          </p>
        </div>
        <div className="-my-1 flex shrink-0 items-start max-sm:-mr-2">
          {noun === 'folder' && (
            <ButtonLink
              variant="quiet"
              size="sm"
              icon={<FolderOpen {...icon} />}
              aria-label={`Folder of event ${entry.position}`}
              href={`/admin/folder/${id}`}
            >
              <span className="max-sm:sr-only">Folder</span>
            </ButtonLink>
          )}
          {noun && noun !== 'folder' && id && (
            <Button
              variant="quiet"
              size="sm"
              icon={<Receipt {...icon} />}
              aria-label={`${labels[noun]} of event ${entry.position}`}
              onClick={() => onMoney({ noun: noun as 'payment', id })}
            >
              <span className="max-sm:sr-only">{labels[noun]}</span>
            </Button>
          )}
          <Button
            variant="quiet"
            size="sm"
            aria-expanded={raw}
            aria-label={`Raw event ${entry.position}`}
            icon={<Braces {...icon} />}
            onClick={() => setRaw(!raw)}
          >
            <span className="max-sm:sr-only">Raw</span>
          </Button>
        </div>
      </div>
      {raw && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
        <pre tabIndex={0} className="mt-2 max-h-96 overflow-auto rounded-field bg-ink-wash p-3 text-13">
          {JSON.stringify(entry, null, 2)}
        </pre>
      )}
    </li>
  )
}

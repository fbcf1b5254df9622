import { Plus, ShieldCheck } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { InstructorVetting, RecordedCheck } from '../../../modules/vetting/contract.ts'
import { CHECK_NAMES } from '../../../modules/vetting/event-sentences.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { capitalize } from '../../ui/capitalize.ts'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { LazyDecisionWithReasonDialog, LazyNewCheckDialog } from './lazy-dialogs.ts'

/** Formatted in UTC, because a calendar day must not shift with the viewer's time zone. */
const day = dateFormatter({ dateStyle: 'medium', timeZone: 'UTC' })

function Check({ check, onWithdraw }: { check: RecordedCheck; onWithdraw: () => void }) {
  const name = CHECK_NAMES[check.kind]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <ShieldCheck aria-hidden="true" size={20} strokeWidth={1.75} className={check.validity === 'expired' ? 'text-red' : 'text-field'} />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          <span className="font-medium">{capitalize(name)}</span> on {day(new Date(check.checked))} · {check.reference}
        </p>
        <p className="text-13 text-ink-2">
          Recorded by {check.by ?? 'a former administrator'}
          {check.expires ? `, valid through ${day(new Date(check.expires))}` : ', does not expire'}
        </p>
      </div>
      {check.validity === 'expiring' && (
        <Badge dot tone="clay">
          Expires soon
        </Badge>
      )}
      {check.validity === 'expired' && (
        <Badge dot tone="red">
          Expired: not open to minors
        </Badge>
      )}
      <Button variant="quiet" size="sm" aria-label={`Withdraw the ${name}`} onClick={onWithdraw}>
        Withdraw
      </Button>
    </li>
  )
}

/** The recorded checks of an instructor, each with its expiry date and the administrator who recorded it. */
export function InstructorChecks({ instructor, name }: { instructor: InstructorVetting; name: string }) {
  const [recording, setRecording] = useState(false)
  const [withdrawing, setWithdrawing] = useState<RecordedCheck['kind']>()
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-16">Checks</h3>
        <Button
          variant="secondary"
          size="sm"
          icon={<Plus aria-hidden="true" size={18} strokeWidth={1.75} />}
          aria-label={`Record a check for ${name}`}
          onClick={() => setRecording(true)}
        >
          Record a check
        </Button>
      </div>
      {instructor.checks.length ? (
        <ul className="mt-2 divide-y divide-line">
          {instructor.checks.map(check => (
            <Check key={check.kind} check={check} onWithdraw={() => setWithdrawing(check.kind)} />
          ))}
        </ul>
      ) : (
        <p className="mt-2 text-14 text-ink-2">No checks recorded yet, so players see none.</p>
      )}
      <Suspense fallback={null}>
        {recording && <LazyNewCheckDialog instructor={instructor.id} name={name} onClose={() => setRecording(false)} />}
        {withdrawing && (
          <LazyDecisionWithReasonDialog
            command={{ what: 'withdraw', instructor: instructor.id, check: withdrawing }}
            title={`Withdraw the ${CHECK_NAMES[withdrawing]} of ${name}?`}
            about="Players will no longer see it."
            hint="It stays in the log."
            action="Withdraw"
            onClose={() => setWithdrawing(undefined)}
          />
        )}
      </Suspense>
    </div>
  )
}

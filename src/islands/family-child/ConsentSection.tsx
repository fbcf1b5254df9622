import { Suspense, useState } from 'react'
import { consentEventSentences } from '../../../modules/consent/event-sentences.ts'
import { COVERED_THIRD_PARTIES, OPTIONAL_CONSENT_PURPOSES } from '../../../modules/consent/third-parties-and-purposes.ts'
import type { Reply } from '../../client/api.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import type { FamilyData } from '../../family/RequireGuardianLogin.tsx'
import { Button } from '../../ui/button.tsx'
import { capitalize } from '../../ui/capitalize.ts'
import { Card } from '../../ui/card.tsx'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { FormError } from '../../ui/field.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const WithdrawConsentDialog = lazyWithRetry(() => import('./WithdrawConsentDialog.tsx').then(m => ({ default: m.WithdrawConsentDialog })))

type Child = FamilyData['children'][number]
type Consent = Reply<'GET /api/family/children/{child}/consent'>
type Optional = Consent['optional']

const refetch = () => refetchQueries('GET /api/family', 'GET /api/family/children/{child}/consent')

/** The folders are refetched this long after consent is withdrawn: by then the server has usually taken them back from instructors. */
const HANDED_BACK_AFTER_MS = 3000
async function refetchAfterWithdrawal() {
  await refetch()
  setTimeout(() => refetchQueries('GET /api/family/children/{child}/folders'), HANDED_BACK_AFTER_MS)
}

/**
 * The consent form: a checkbox for each optional purpose, and buttons for the answer. The buttons are yes and no at first, only yes after a
 * refusal or a withdrawal, and “Save” once consent is given.
 */
function AnswerForm({ child, consent }: { child: Child; consent: Consent }) {
  const command = useCommand()
  const [optional, setOptional] = useState<Optional>(consent.optional)
  const isGiven = consent.status === 'given'
  const [sentAnswer, setSentAnswer] = useState<'yes' | 'no'>()
  const answer = (answer: 'yes' | 'no') => {
    setSentAnswer(answer)
    return command.run(async () => {
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
      const body = { answer, optional: answer === 'yes' ? optional : [], timeZone }
      await sendCommand('POST /api/family/children/{child}/consent', { params: { child: child.id }, body })
      await refetch()
    })
  }
  return (
    <div className="flex flex-col gap-3">
      {OPTIONAL_CONSENT_PURPOSES.map(({ id, label, hint }) => (
        <label key={id} className="flex min-h-11 items-start gap-3">
          <input
            type="checkbox"
            className="mt-1 size-5 shrink-0 accent-field"
            checked={optional.includes(id)}
            onChange={e => setOptional(e.currentTarget.checked ? [...optional, id] : optional.filter(one => one !== id))}
          />
          <span>
            {label} <span className="text-ink-2">(optional) {hint}</span>
          </span>
        </label>
      ))}
      <div className="flex flex-wrap gap-2">
        {isGiven ? (
          <Button variant="secondary" busy={command.busy} onClick={() => answer('yes')}>
            Save
          </Button>
        ) : (
          <>
            <Button busy={command.busy && sentAnswer === 'yes'} onClick={() => answer('yes')}>
              Yes, I agree
            </Button>
            {consent.status !== 'refused' && consent.status !== 'withdrawn' && (
              <Button variant="secondary" busy={command.busy && sentAnswer === 'no'} onClick={() => answer('no')}>
                No
              </Button>
            )}
          </>
        )}
      </div>
      <FormError>{command.message}</FormError>
    </div>
  )
}

const History = ({ steps }: { steps: Consent['history'] }) => (
  <ol className="divide-y divide-line border-t border-line">
    {steps.map(({ id, at, who, type, data }) => (
      <li key={id} className="py-3">
        <p>
          {who ?? 'We'} {consentEventSentences[type as keyof typeof consentEventSentences]?.audit(data) ?? 'changed this'}
        </p>
        <p className="text-14 text-ink-2">
          <RelativeTime at={at} />
        </p>
      </li>
    ))}
  </ol>
)

/** What the guardian's consent covers, the current answer, and the history of the consent. */
export function ConsentSection({ child }: { child: Child }) {
  const { data, error, retry } = useQuery('GET /api/family/children/{child}/consent', { params: { child: child.id } })
  const [withdrawing, setWithdrawing] = useState(false)
  return (
    <section aria-labelledby="consent">
      <h2 id="consent" className="mb-3 text-22">
        Your consent
      </h2>
      <Card className="flex flex-col gap-4">
        {error && !data && <CardError error={errorMessage(error)} retry={retry} />}
        {!data && !error && (
          <LoadingRegion className="flex flex-col gap-3">
            <Skeleton className="h-24" />
            <Skeleton className="h-12 w-40" />
          </LoadingRegion>
        )}
        {data && (
          <>
            <p className="text-ink-2">
              With your consent, {child.firstName} can send videos to instructors and get feedback. Only {child.firstName}, you, the
              instructor of each session and our support team can see them, unless you share a private link. Your consent also covers what
              the service needs to run:
            </p>
            <ul className="list-disc space-y-1 pl-5 text-ink-2">
              {COVERED_THIRD_PARTIES.map(({ id, name, purpose }) => (
                <li key={id}>
                  <strong className="font-medium text-ink">{capitalize(name)}</strong> {purpose}.
                </li>
              ))}
            </ul>
            <AnswerForm key={data.status} child={child} consent={data} />
            {data.status === 'given' && (
              <div className="border-t border-line pt-4">
                <Button variant="quiet" className="-ml-4 text-red!" onClick={() => setWithdrawing(true)}>
                  Withdraw consent
                </Button>
              </div>
            )}
            {data.history.length > 0 && <History steps={data.history} />}
          </>
        )}
      </Card>
      <Suspense>
        {withdrawing && <WithdrawConsentDialog child={child} onClose={() => setWithdrawing(false)} onWithdrawn={refetchAfterWithdrawal} />}
      </Suspense>
    </section>
  )
}

import type { OwnAccount } from '../../../modules/accounts/contract.ts'
import { SupportLink, UndeliverableEmailNotice } from '../../accounts/UndeliverableEmailNotice.tsx'
import type { User } from '../../client/login-session.ts'
import { useScrollToHash } from '../../ui/use-scroll-to-hash.ts'

interface Props {
  guardian: NonNullable<OwnAccount['guardian']>
  /** The guardian's answer to our request for consent. Until they consent, the player can correct the guardian's email address. */
  consent: User['guardian']
}

/** Shows a minor who their guardian is, and what to do if our emails do not reach the guardian. */
export function GuardianContactInfo({ guardian, consent }: Props) {
  const place = useScrollToHash<HTMLElement>('guardian')
  return (
    <section ref={place} aria-labelledby="guardian" className="scroll-mt-24">
      <h2 id="guardian" className="mb-1 text-22">
        Your parent or guardian
      </h2>
      <p className="max-w-measure wrap-anywhere">
        {guardian.name} · {guardian.email}
      </p>
      <p className="max-w-measure text-ink-2">They give consent for you and pay for your sessions until you turn 18.</p>
      {guardian.undeliverable && (
        <UndeliverableEmailNotice title="Our emails are not reaching this address" className="mt-4">
          Check it with them.{' '}
          {consent === 'waiting' || consent === 'refused' ? (
            <>
              Then send the email again from{' '}
              <a href="/player/dashboard" className="link">
                your dashboard
              </a>
              .
            </>
          ) : (
            <>
              If they use another one now, <SupportLink />.
            </>
          )}
        </UndeliverableEmailNotice>
      )}
    </section>
  )
}

import { useStore } from '@nanostores/react'
import { Check } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { v7 } from 'uuid'
import type { Folder } from '../../../modules/folders/contract.ts'
import { MAX_SESSION_TEXT_LENGTH } from '../../../modules/folders/policy.ts'
import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import { AUTOMATIC_CHARGE_NOTICE, FEE_PER_EXTRA_NOTE_CENTS, NOTES_INCLUDED_IN_BASE_PRICE } from '../../../modules/payments/policy.ts'
import { ApiError, callApi, type Reply } from '../../client/api.ts'
import { $user } from '../../client/login-session.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import { useMorePages } from '../../client/use-more-pages.ts'
import { CompletedChecksLine } from '../../instructors/CompletedChecksLine.tsx'
import { InstructorNotOpenNotice } from '../../instructors/InstructorNotOpenNotice.tsx'
import { useAddCard } from '../../payments/add-card-on-stripe-page.ts'
import { cardExpiryMonth, cardName, isCardExpired, preferredCard } from '../../payments/card-names-and-expiry.ts'
import { PriceLine, PriceLines } from '../../payments/PriceLines.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { capitalize } from '../../ui/capitalize.ts'
import { ChoiceGroup } from '../../ui/choices.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { FormError, TextArea } from '../../ui/field.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { LoadMoreFooter } from '../../ui/load-more-footer.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { $uploadsUnderWayCountByFolder } from '../../upload/upload-item.ts'

const MissingConsentCard = lazyWithRetry(() =>
  import('../../accounts/MissingConsentCard.tsx').then(m => ({ default: m.MissingConsentCard })),
)

const SEARCH = 'GET /api/instructor-search'
const pageOf = ({ instructors, next }: Reply<typeof SEARCH>) => ({ rows: instructors, next })

/**
 * The instructors to choose from: the player's own come first, then public ones, page by page.
 *
 * @param earlier the id of the instructor who was chosen before the page was reloaded, for example after saving a card; empty if there is
 * none. They may be on a later page, so they are listed right after the player's own
 */
function useInstructors(earlier: string) {
  const all = useQuery(SEARCH)
  const { rows, ...paging } = useMorePages({
    first: all.data && pageOf(all.data),
    load: async after => pageOf(await callApi(SEARCH, { query: { after } })),
    keyOf: instructor => instructor.id,
  })
  const ownInstructors = useQuery('GET /api/my/instructors')
  const known = new Set(ownInstructors.data?.instructors.map(i => i.id))
  const isListLoaded = rows && (ownInstructors.data || ownInstructors.error)
  const isMissing = isListLoaded && earlier && !known.has(earlier) && !rows.some(i => i.id === earlier)
  const missing = useQuery('GET /api/instructors/{slug}', isMissing ? { params: { slug: earlier } } : false)
  const isMinor = (useStore($user)?.guardian ?? null) !== null
  /**
   * The player's own instructors who cannot be chosen: those who are suspended, declined or leaving and, for a minor, those whom we have
   * not finished checking.
   */
  const unavailable = ownInstructors.data?.instructors.filter(i => i.standing === 'closed' || (isMinor && i.standing === 'invited')) ?? []
  const own = ownInstructors.data?.instructors.filter(i => i.standing === 'open' || (!isMinor && i.standing === 'invited')) ?? []
  // The list appears only when all responses have arrived, so that it does not reorder while somebody is tapping.
  const first = [...own, ...(missing.data ? [missing.data] : [])]
  const isLoaded = isListLoaded && (!isMissing || missing.data || missing.error)
  const list = isLoaded ? [...new Map([...first, ...rows].map(i => [i.id, i])).values()] : undefined
  return { list, known, unavailable, total: all.data?.total ?? 0, found: rows?.length ?? 0, paging, error: all.error, retry: all.retry }
}

/** Assigns a folder: the player chooses an instructor, writes a message, and sees the estimate, the maximum and the card to charge. */
export function AssignDialog({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const [assignment] = useState(() => v7())
  const form = usePersistentForm(`assign:${folder.id}`, { instructor: '', message: '' })
  const [earlier] = useState(() => form.getValues('instructor'))
  const instructors = useInstructors(earlier)
  const quote = useQuery('GET /api/folders/{folder}/quote', { params: { folder: folder.id } })
  const billing = useQuery('GET /api/billing')
  const assign = useCommand()
  const uploading = useStore($uploadsUnderWayCountByFolder)[folder.id] ?? 0
  const guardian = useStore($user)?.guardian ?? null
  const isMinor = guardian !== null
  const isUnanswered = isMinor && guardian !== 'confirmed'
  // If the page was loaded before consent became required, only the server's refusal shows that consent is missing.
  const needsConsent = isUnanswered || (assign.error instanceof ApiError && assign.error.code === 'guardian-needed')
  const back = `/player/folder/${folder.id}?assign=1`
  const chosen = form.watch('instructor')
  const instructor = instructors.list?.find(i => i.id === chosen)
  const card = billing.data && preferredCard(billing.data.cards)
  const add = useAddCard(back)

  // If only one instructor is listed, or the player has only one, that one is preselected until the player chooses another.
  const own = instructors.list?.filter(i => instructors.known.has(i.id))
  const only = [instructors.list, own].find(list => list?.length === 1)?.[0]?.id
  const { setValue, getValues } = form
  useEffect(() => {
    if (only && !getValues('instructor')) setValue('instructor', only)
  }, [only, setValue, getValues])

  // The guardian may consent while the dialog is open. A refusal because of missing consent is then cleared, so that the player can try
  // again.
  const { clear } = assign
  useEffect(() => {
    if (guardian === 'confirmed') clear()
  }, [guardian, clear])

  const submit = form.handleSubmit(async ({ instructor, message }) => {
    const quotedPrice = { total: quote.data!.total, atMost: quote.data!.atMost }
    const body = { assignment, instructor, seen: quotedPrice, ...(message.trim() && { message: message.trim() }) }
    const done = await assign.run(async () => {
      await sendCommand('POST /api/folders/{folder}/assign', { params: { folder: folder.id }, body })
      await refetchQueries('GET /api/folders/{folder}')
    })
    // The card, the price or the videos may have changed in another tab, so they are refetched.
    if (!done) return refetchQueries('GET /api/billing', 'GET /api/folders/{folder}', 'GET /api/folders/{folder}/quote')
    form.forget()
    onClose()
  })

  return (
    <Dialog
      open
      wide
      onOpenChange={open => open || onClose()}
      title="Assign to an instructor"
      footer={
        billing.data && !card && !isMinor ? (
          <Button size="lg" busy={add.busy} onClick={add.go}>
            Add a card to continue
          </Button>
        ) : (
          <>
            {quote.data && (
              <p aria-hidden="true" className="text-14 text-ink-2 max-sm:text-center sm:mr-auto sm:self-center">
                Estimate {formatCents(quote.data.total)}, never more than {formatCents(quote.data.atMost)}
              </p>
            )}
            <Button
              type="submit"
              form="assign"
              size="lg"
              busy={assign.busy}
              disabled={!quote.data || !(card || isMinor) || !instructors.list?.length || uploading > 0}
            >
              {isMinor ? 'Ask for approval' : instructor ? `Assign to ${instructor.user.firstName}` : 'Assign'}
            </Button>
          </>
        )
      }
    >
      {/* Consent has to come first. Its card is outside the form below, because it has its own form, and HTML forbids nested forms. */}
      {needsConsent && (
        <Suspense fallback={<Skeleton className="mb-8 h-32" />}>
          <MissingConsentCard />
        </Suspense>
      )}
      <form id="assign" onSubmit={submit} noValidate className="flex flex-col gap-7">
        {instructors.error && !instructors.list ? (
          <ErrorState title="The instructors did not load" error={errorMessage(instructors.error)} retry={instructors.retry} />
        ) : !instructors.list ? (
          <LoadingRegion label="Loading instructors" className="grid grid-cols-1 gap-2 sm:grid-cols-2">
            <Skeleton className="h-18" />
            <Skeleton className="h-18" />
          </LoadingRegion>
        ) : instructors.list.length === 0 && instructors.unavailable.length > 0 ? null : instructors.list.length === 0 ? (
          <p className="text-ink-2">There are no instructors yet. Ask yours for an invite link; it connects you in one tap.</p>
        ) : (
          <ChoiceGroup
            legend="Who should review it?"
            error={form.formState.errors.instructor?.message}
            className="grid grid-cols-1 gap-2 sm:grid-cols-2"
          >
            {instructors.list.map(i => (
              <label
                key={i.id}
                className="relative flex min-h-18 cursor-pointer items-center gap-3 rounded-field border border-edge p-3 transition-[background-color,border-color] hover:border-ink-2 has-checked:border-field has-checked:bg-field-wash has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-sky"
              >
                <input
                  type="radio"
                  value={i.id}
                  className="absolute inset-0 size-full cursor-pointer opacity-0"
                  {...form.register('instructor', { required: 'Choose who should review it' })}
                />
                <span aria-hidden="true">
                  <Avatar name={`${i.user.firstName} ${i.user.lastName}`} picture={i.profilePicture} instructor={i.id} />
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">
                    {i.user.firstName} {i.user.lastName}
                  </span>
                  <span className="block text-13 text-ink-2">
                    {instructors.known.has(i.id) && 'Yours · '}
                    {i.skills.map(capitalize).join(', ')}
                  </span>
                  <CompletedChecksLine checks={i.checks} className="mt-1" />
                </span>
                <Check aria-hidden="true" size={20} strokeWidth={2.5} className={cx('text-field', i.id !== chosen && 'invisible')} />
              </label>
            ))}
          </ChoiceGroup>
        )}
        {instructors.list && (
          <LoadMoreFooter shown={instructors.found} total={instructors.total} {...instructors.paging} label="Show more instructors" />
        )}
        {instructors.list && instructors.unavailable.map(i => <InstructorNotOpenNotice key={i.id} instructor={i} />)}
        <TextArea
          label="Anything they should know?"
          optional
          hint="What you are working on, what feels off, when your next game is."
          rows={3}
          error={form.formState.errors.message?.message}
          {...form.register('message', {
            maxLength: { value: MAX_SESSION_TEXT_LENGTH, message: `At most ${MAX_SESSION_TEXT_LENGTH} characters` },
          })}
        />
        <section aria-labelledby="quote">
          <h3 id="quote" className="mb-2 text-16">
            What it costs
          </h3>
          {quote.data ? (
            <>
              <PriceLines items={quote.data.items}>
                <PriceLine strong label="Estimate" cents={quote.data.total} />
              </PriceLines>
              <p className="mt-3 text-14 text-ink-2">
                {isMinor ? 'Your parent or guardian pays' : 'You pay'} after the feedback, and never more than{' '}
                <strong className="font-medium text-ink">{formatCents(quote.data.atMost)}</strong>: each note after the first{' '}
                {NOTES_INCLUDED_IN_BASE_PRICE} adds {formatCents(FEE_PER_EXTRA_NOTE_CENTS)} to the Media Service Fee.{' '}
                {isMinor ? 'A tip is up to them.' : `${AUTOMATIC_CHARGE_NOTICE} A tip is up to you.`}
              </p>
            </>
          ) : quote.error ? (
            <ErrorState title="No price yet" error={errorMessage(quote.error)} retry={quote.retry} />
          ) : (
            <Skeleton className="h-32" />
          )}
        </section>
        <section aria-labelledby="card">
          <h3 id="card" className="mb-2 text-16">
            {isMinor ? 'Your parent or guardian' : 'Card'}
          </h3>
          {isMinor ? (
            <p className="text-14 text-ink-2">
              We will ask them to approve this price. Once they do, or right away if it fits within your monthly limit, the folder goes to
              your instructor.
            </p>
          ) : billing.error && !billing.data ? (
            <ErrorState title="Your cards did not load" error={errorMessage(billing.error)} retry={billing.retry} />
          ) : !billing.data ? (
            <Skeleton className="h-11" />
          ) : card ? (
            <p className="flex flex-wrap items-center justify-between gap-2">
              {cardName(card)}
              {isCardExpired(card) && <Badge tone="red">Expired {cardExpiryMonth(card)}</Badge>}
              <ButtonLink variant="quiet" size="sm" href="/player/payment">
                Manage cards
              </ButtonLink>
            </p>
          ) : (
            <p className="text-14 text-ink-2">
              Nothing is charged now. We need a saved card before an instructor starts. What you have entered here is kept while you add it.
            </p>
          )}
        </section>
        <p role="status" className="text-14 text-clay empty:hidden">
          {uploading > 0 &&
            `${uploading === 1 ? 'A video is' : `${uploading} videos are`} still uploading. Wait for ${uploading === 1 ? 'it' : 'them'}, or cancel the upload in the folder. Only videos that have finished uploading are reviewed.`}
        </p>
        <FormError>{assign.message ?? add.message}</FormError>
      </form>
    </Dialog>
  )
}

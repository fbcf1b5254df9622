import { Copy } from 'lucide-react'
import { useState } from 'react'
import { v7 } from 'uuid'
import type { ListedReviewLink } from '../../../modules/sharing/contract.ts'
import { MAX_REVIEW_LINK_NAME_LENGTH, REVIEW_LINK_DAYS } from '../../../modules/sharing/policy.ts'
import { copyWithToast } from '../../client/copy-with-toast.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { FormError, TextField } from '../../ui/field.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ShareSheetButton } from '../../ui/share-sheet-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { makeReviewLink, type ReviewSharer, revokeReviewLink, useReviewLinksQuery } from './review-links.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const
const day = dateFormatter({ month: 'short', day: 'numeric' })

/** A link that was just created. Its URL can be shown only now, because the server keeps only a hash of its secret. */
function NewLink({ url }: { url: string }) {
  return (
    <div role="status" className="flex flex-col gap-2 rounded-field bg-field-wash p-3">
      <p className="font-medium">Here is the link. Copy it now: we show it only once.</p>
      <p className="text-14 wrap-anywhere select-all">{url}</p>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Copy {...icon} />} onClick={() => copyWithToast('link', url, 'Send it to the person it is for.')}>
          Copy link
        </Button>
        <ShareSheetButton url={url} label="Send" />
      </div>
    </div>
  )
}

function LinkRow({ link, sharer }: { link: ListedReviewLink; sharer: ReviewSharer }) {
  const revoke = useCommand()
  const name = link.name || 'Private link'
  return (
    <li className="flex flex-wrap items-center gap-x-3 py-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block text-13 text-ink-2">
          {link.opened ? (
            <>
              Opened {link.opens === 1 ? 'once' : `${link.opens} times`}, last <RelativeTime at={link.opened} />
            </>
          ) : (
            'Not opened yet'
          )}
          . Works until {day(new Date(link.expires))}.
        </span>
      </span>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Revoke ${name}`}
        busy={revoke.busy}
        onClick={() => revoke.run(() => revokeReviewLink(sharer, link.id))}
      >
        Revoke
      </Button>
      <FormError>{revoke.message}</FormError>
    </li>
  )
}

/** Creates private links to a review, and lists and revokes the existing ones. */
export function ReviewLinksDialog({ sharer, onClose }: { sharer: ReviewSharer; onClose: () => void }) {
  const { data, error, retry } = useReviewLinksQuery(sharer)
  const making = useCommand()
  const [name, setName] = useState('')
  const [id, setId] = useState(() => v7())
  const [url, setUrl] = useState<string>()
  const make = () =>
    making.run(async () => {
      setUrl(await makeReviewLink(sharer, { id, name }))
      setName('')
      setId(v7())
    })
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Share this review"
      about={`Anyone with a link can watch this review for ${REVIEW_LINK_DAYS} days, without an account. It shows only first names and no bill.`}
    >
      <div className="flex flex-col gap-4">
        <form
          noValidate
          className="flex flex-wrap items-end gap-2"
          onSubmit={e => {
            e.preventDefault()
            void make()
          }}
        >
          <TextField
            label="Who is it for?"
            optional
            placeholder="Grandma"
            maxLength={MAX_REVIEW_LINK_NAME_LENGTH}
            value={name}
            onChange={e => setName(e.currentTarget.value)}
            className="min-w-48 flex-1"
          />
          <Button type="submit" busy={making.busy}>
            Create link
          </Button>
        </form>
        <FormError>{making.message}</FormError>
        {url && <NewLink url={url} />}
        {data ? (
          data.links.length > 0 && (
            <ul aria-label="Private links" className="divide-y divide-line border-t border-line">
              {data.links.map(link => (
                <LinkRow key={link.id} {...{ link, sharer }} />
              ))}
            </ul>
          )
        ) : error ? (
          <CardError error={errorMessage(error)} retry={retry} />
        ) : (
          <Skeleton className="h-14" />
        )}
      </div>
    </Dialog>
  )
}

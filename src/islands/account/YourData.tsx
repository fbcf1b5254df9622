import { useEffect } from 'react'
import type { PersonalExport } from '../../../modules/privacy/contract.ts'
import { EXPORT_DAYS } from '../../../modules/privacy/policy.ts'
import { errorMessage, useCommand } from '../../client/command.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { FormError } from '../../ui/field.tsx'
import { formatBytes } from '../../ui/format.ts'
import { useScrollToHash } from '../../ui/scroll-to-hash.ts'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const EXPORT_QUERY = 'GET /api/account/export'
const REFETCH_MS = 5000
const longDate = dateFormatter({ dateStyle: 'long' })

/** Downloads all that we hold of the account, as one file that is made in the background. */
export function YourData() {
  const { data, error, retry } = useQuery(EXPORT_QUERY)
  const section = useScrollToHash<HTMLElement>('your-data')
  return (
    <section ref={section} aria-labelledby="your-data" className="scroll-mt-24">
      <h2 id="your-data" className="mb-1 text-22">
        Your data
      </h2>
      {error ? (
        <CardError error={errorMessage(error)} retry={retry} />
      ) : !data ? (
        <LoadingRegion>
          <Skeleton className="h-24 w-full" />
        </LoadingRegion>
      ) : (
        <ExportState latest={data.export} />
      )}
    </section>
  )
}

function ExportState({ latest }: { latest: PersonalExport | null }) {
  const command = useCommand()
  const isBeingMade = latest !== null && latest.made === null
  useEffect(() => {
    if (!isBeingMade) return
    const timer = setInterval(() => refetchQueries(EXPORT_QUERY), REFETCH_MS)
    return () => clearInterval(timer)
  }, [isBeingMade])
  const request = async () => {
    if (await command.run(() => sendCommand('POST /api/account/export', {}))) await refetchQueries(EXPORT_QUERY)
  }
  return (
    <>
      <p className="mb-4 max-w-measure text-ink-2" role="status">
        {isBeingMade
          ? 'We are making your file. That can take a few minutes; we email you when it is ready, and you can leave this page.'
          : latest?.made
            ? `Your file is ready: ${formatBytes(latest.made.bytes)}. You can download it until ${longDate(new Date(latest.made.until))}.`
            : `All that we hold of you, as one zip file: profile, folders, original videos, feedback, receipts, emails and sign-ins. We email you when it is ready, and keep it for ${EXPORT_DAYS} days.`}
      </p>
      <div className="flex flex-wrap gap-3">
        {latest?.made && <ButtonLink href={`/api/account/exports/${latest.id}`}>Download the file</ButtonLink>}
        {!isBeingMade && (
          <Button variant={latest?.made ? 'quiet' : 'secondary'} busy={command.busy} onClick={request}>
            {latest?.made ? 'Make a new one' : 'Download everything'}
          </Button>
        )}
      </div>
      <FormError>{command.message}</FormError>
    </>
  )
}

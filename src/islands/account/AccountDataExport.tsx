import { DATA_EXPORT_DAYS } from '../../../modules/privacy/policy.ts'
import { DataExport } from '../../accounts/DataExport.tsx'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useScrollToHash } from '../../ui/use-scroll-to-hash.ts'

const EXPORT_QUERY = 'GET /api/account/export'

/** Offers everything we store about the account for download. */
export function AccountDataExport() {
  const query = useQuery(EXPORT_QUERY)
  const section = useScrollToHash<HTMLElement>('your-data')
  return (
    <section ref={section} aria-labelledby="your-data" className="scroll-mt-24">
      <h2 id="your-data" className="mb-1 text-22">
        Your data
      </h2>
      <DataExport
        about={`Everything we store about you, in one zip file: profile, folders, original videos, feedback, receipts, emails and logins. We will email you when it is ready, and keep it for ${DATA_EXPORT_DAYS} days.`}
        query={query}
        href={id => `/api/account/exports/${id}`}
        request={() => sendCommand('POST /api/account/export', {})}
        refetch={() => refetchQueries(EXPORT_QUERY)}
      />
    </section>
  )
}

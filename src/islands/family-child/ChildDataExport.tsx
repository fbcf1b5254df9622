import { DATA_EXPORT_DAYS } from '../../../modules/privacy/policy.ts'
import { DataExport } from '../../accounts/DataExport.tsx'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'

const EXPORT_QUERY = 'GET /api/family/children/{child}/export'

/** Lets a guardian request and download everything we store about a child. */
export function ChildDataExport({ child: { id, firstName } }: { child: { id: string; firstName: string } }) {
  const params = { child: id }
  const query = useQuery(EXPORT_QUERY, { params })
  return (
    <section aria-labelledby="child-data">
      <h2 id="child-data" className="mb-1 text-22">
        {firstName}'s data
      </h2>
      <DataExport
        about={`Everything we store about ${firstName}, in one zip file: profile, folders, original videos, feedback, receipts, emails and logins. We will email you when it is ready, and keep it for ${DATA_EXPORT_DAYS} days. Only you can download it.`}
        query={query}
        href={file => `/api/family/children/${id}/exports/${file}`}
        request={() => sendCommand('POST /api/family/children/{child}/export', { params })}
        refetch={() => refetchQueries(EXPORT_QUERY)}
      />
    </section>
  )
}

import { DevicesSection } from '../../accounts/DevicesSection.tsx'
import { callApi } from '../../client/api.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { toast } from '../../ui/toast.ts'

const SESSIONS_QUERY = 'GET /api/sessions'

function showSignedOut(title: string) {
  refetchQueries(SESSIONS_QUERY)
  toast({ title })
}

/** The devices on which this account is signed in, each with a button to sign it out. */
export function SignedInDevices() {
  const query = useQuery(SESSIONS_QUERY)
  const others = query.data?.sessions.filter(s => !s.current) ?? []
  const endOthers = () => callApi('DELETE /api/sessions').then(() => showSignedOut('Logged out everywhere else'))
  return (
    <DevicesSection
      about="Log out any device you do not recognize, then change your password."
      query={query}
      onEnd={session => callApi('DELETE /api/sessions/{session}', { params: { session } }).then(() => showSignedOut('Device logged out'))}
      actions={others.length > 1 ? [{ label: 'Log out everywhere else', end: endOthers }] : []}
    />
  )
}

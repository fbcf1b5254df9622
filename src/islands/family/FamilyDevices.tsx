import { DevicesSection } from '../../accounts/DevicesSection.tsx'
import { callApi } from '../../client/api.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'

const SESSIONS_QUERY = 'GET /api/family/sessions'
const leave = () => location.assign('/family')

/** The guardian's signed-in devices, with buttons to sign out one or all of them. */
export function FamilyDevices() {
  const query = useQuery(SESSIONS_QUERY)
  return (
    <DevicesSection
      about="Log out any device you do not recognize. A new link from us logs you back in."
      query={query}
      onEnd={async session => {
        await callApi('DELETE /api/family/sessions/{session}', { params: { session } })
        await refetchQueries(SESSIONS_QUERY)
      }}
      actions={[
        { label: 'Log out here', end: () => callApi('POST /api/family/logout').then(leave) },
        { label: 'Log out everywhere', end: () => callApi('DELETE /api/family/sessions').then(leave) },
      ]}
    />
  )
}

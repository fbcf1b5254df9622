import { MINORS_QUIET_HOURS_END, MINORS_QUIET_HOURS_START } from '../../../modules/accounts/policy.ts'
import { AutosavingTimeZoneSelect } from '../../accounts/AutosavingTimeZoneSelect.tsx'
import { callApi } from '../../client/api.ts'
import { refetchQueries } from '../../client/query.ts'

/** The time zone for dates in emails to this person, and for a minor's quiet hours if the guardian has set none. */
export function TimeZoneSetting({ timeZone, isMinor }: { timeZone: string; isMinor: boolean }) {
  const save = async (zone: string) => {
    await callApi('PUT /api/account/time-zone', { body: { timeZone: zone } })
    await refetchQueries('GET /api/account')
  }
  return (
    <section aria-labelledby="time-zone">
      <h2 id="time-zone" className="mb-1 text-22">
        Time zone
      </h2>
      <p className="mb-4 max-w-measure text-ink-2">
        {isMinor
          ? `We hold emails to you between ${MINORS_QUIET_HOURS_START - 12} pm and ${MINORS_QUIET_HOURS_END} am. If your parent or guardian has set a time zone, we use theirs.`
          : 'Dates in our emails to you are in this time zone. Our pages show the time of your device.'}
      </p>
      <AutosavingTimeZoneSelect timeZone={timeZone} save={save} />
    </section>
  )
}

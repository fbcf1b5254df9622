import { MINORS_QUIET_HOURS_END, MINORS_QUIET_HOURS_START } from '../../../modules/accounts/policy.ts'
import { AutosavingTimeZoneSelect } from '../../accounts/AutosavingTimeZoneSelect.tsx'
import { callApi } from '../../client/api.ts'
import { refetchQueries } from '../../client/query.ts'

/** The family's time zone, which determines the quiet hours for letters to the children and the dates in letters. */
export function GuardianTimeZoneSetting({ timeZone }: { timeZone: string }) {
  const save = async (zone: string) => {
    await callApi('PUT /api/family/time-zone', { body: { timeZone: zone } })
    await refetchQueries('GET /api/family')
  }
  return (
    <section aria-labelledby="quiet-hours">
      <h2 id="quiet-hours" className="mb-1 text-22">
        Quiet hours
      </h2>
      <p className="mb-4 text-ink-2">
        We hold emails to your children between {MINORS_QUIET_HOURS_START - 12} pm and {MINORS_QUIET_HOURS_END} am. Emails to you come at
        any time, with dates in the same time zone.
      </p>
      <AutosavingTimeZoneSelect timeZone={timeZone} save={save} />
    </section>
  )
}

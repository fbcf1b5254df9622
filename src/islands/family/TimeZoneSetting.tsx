import { useState } from 'react'
import { QUIET_FROM_HOUR, QUIET_UNTIL_HOUR } from '../../../modules/accounts/policy.ts'
import { call } from '../../client/api.ts'
import { errorMessage } from '../../client/command.ts'
import { refetchQueries } from '../../client/query.ts'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'

/** Zones that most families choose, before all others. */
const COMMON_ZONES: [zone: string, name: string][] = [
  ['America/New_York', 'Eastern'],
  ['America/Chicago', 'Central'],
  ['America/Denver', 'Mountain'],
  ['America/Phoenix', 'Arizona'],
  ['America/Los_Angeles', 'Pacific'],
  ['America/Anchorage', 'Alaska'],
  ['Pacific/Honolulu', 'Hawaii'],
]

function zoneOptions(chosen: string): [string, string][] {
  const common = COMMON_ZONES.map(([zone]) => zone)
  const others = new Set([chosen, ...Intl.supportedValuesOf('timeZone')])
  const named = [...others].filter(zone => !common.includes(zone)).sort()
  return [...COMMON_ZONES, ...named.map((zone): [string, string] => [zone, zone.replaceAll('_', ' ')])]
}

/** Where the children sleep: letters to them wait for the morning there. */
export function TimeZoneSetting({ timeZone }: { timeZone: string }) {
  const [chosen, setChosen] = useState(timeZone)
  async function choose(zone: string) {
    setChosen(zone)
    try {
      await call('PUT /api/family/time-zone', { body: { timeZone: zone } })
      toast({ title: 'Time zone saved' })
      await refetchQueries('GET /api/family')
    } catch (error) {
      setChosen(timeZone)
      toast({ title: 'Time zone not saved', description: errorMessage(error), variant: 'destructive' })
    }
  }
  return (
    <section aria-labelledby="quiet-hours">
      <h2 id="quiet-hours" className="mb-1 text-22">
        Quiet hours
      </h2>
      <p className="mb-4 text-ink-2">
        Our emails to your children wait between {QUIET_FROM_HOUR - 12} pm and {QUIET_UNTIL_HOUR} am. Emails to you come at any time.
      </p>
      <Select label="Time zone" framed value={chosen} options={zoneOptions(chosen)} onChange={choose} className="max-w-full" />
    </section>
  )
}

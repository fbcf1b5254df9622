import { useState } from 'react'
import { errorMessage } from '../client/use-command.ts'
import { CompactSelect } from '../ui/compact-select.tsx'
import { toast } from '../ui/toast.ts'

/** The main US time zones, listed before all others. */
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

/** A time zone select that saves each choice immediately; if saving fails, it reverts to the previous zone. */
export function AutosavingTimeZoneSelect({ timeZone, save }: { timeZone: string; save: (zone: string) => Promise<unknown> }) {
  const [chosen, setChosen] = useState(timeZone)
  async function choose(zone: string) {
    setChosen(zone)
    try {
      await save(zone)
      toast({ title: 'Time zone saved' })
    } catch (error) {
      setChosen(timeZone)
      toast({ title: 'Time zone not saved', description: errorMessage(error), variant: 'destructive' })
    }
  }
  return <CompactSelect label="Time zone" framed value={chosen} options={zoneOptions(chosen)} onChange={choose} className="max-w-full" />
}

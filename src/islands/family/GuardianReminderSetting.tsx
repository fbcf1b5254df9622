import { RemindersSwitch } from '../../accounts/RemindersSwitch.tsx'
import { setQueryData, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'

/** Turns reminders about unpaid bills on or off. */
export function GuardianReminderSetting() {
  const query = useQuery('GET /api/family/letters')
  const save = (reminders: boolean) => {
    setQueryData('GET /api/family/letters', undefined, { reminders })
    return sendCommand('PUT /api/family/letters', { body: { reminders } })
  }
  return <RemindersSwitch query={query} save={save} />
}

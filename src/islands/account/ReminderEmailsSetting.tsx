import { RemindersSwitch } from '../../accounts/RemindersSwitch.tsx'
import { setQueryData, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'

export function ReminderEmailsSetting() {
  const query = useQuery('GET /api/account/letters')
  const save = (reminders: boolean) => {
    setQueryData('GET /api/account/letters', undefined, { reminders })
    return sendCommand('PUT /api/account/letters', { body: { reminders } })
  }
  return <RemindersSwitch query={query} save={save} />
}

import { useConnections } from '../../instructors/connections.ts'
import { UncheckedNotice } from '../../instructors/UncheckedNotice.tsx'

/** Tells a player under 18 which of their own instructors cannot get this folder yet, why, and what happens next. */
export function UnavailableInstructors() {
  const { mine } = useConnections()
  return mine.filter(i => i.standing !== 'open').map(i => <UncheckedNotice key={i.id} instructor={i} />)
}

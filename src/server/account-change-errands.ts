import { derivedId, handleCommand } from '../../modules/kernel/decider.ts'
import { accountDecider, type ChangeableAccountField } from '../../modules/privacy/account.ts'
import { vettingDecider } from '../../modules/vetting/vetting.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'

/**
 * Errand handlers that record changes of an account in the event log. The account itself is a table row, whose changes leave no history.
 */
export const accountChangeErrandHandlers = ({ sql, store }: Pick<AppDependencies, 'sql' | 'store'>) => ({
  'account.record-changes': ({
    person,
    command,
    ...changes
  }: {
    person: string
    command: string
    fields: ChangeableAccountField[]
    at: string
  }) =>
    handleCommand(store, accountDecider, person, 'recordChanges', changes, {
      command: derivedId(command, 'record-changes'),
      actor: person,
    }),

  /** An instructor has proved that letters reach the new address, which counts as confirmation just as for their first address. */
  'account.email-confirmed': async ({ person }: { person: string }, { id }: { id: string }) => {
    const [instructor] = await sql`select 1 from instructors where id = ${person}`
    if (instructor)
      await handleCommand(store, vettingDecider, person, 'confirmEmail', {}, { command: derivedId(id, 'confirm'), actor: person })
  },
})

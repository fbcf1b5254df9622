import { derivedId, handle } from '../../modules/kernel/decider.ts'
import { type AccountField, account } from '../../modules/privacy/account.ts'
import { vetting } from '../../modules/vetting/vetting.ts'
import type { Deps } from '../api/deps.ts'

/** What follows in the log when somebody has changed their account, which is a row of a table. */
export const accountErrands = ({ sql, store }: Pick<Deps, 'sql' | 'store'>) => ({
  'account.record-changes': ({ person, command, ...changes }: { person: string; command: string; fields: AccountField[]; at: string }) =>
    handle(store, account, person, 'recordChanges', changes, { command: derivedId(command, 'record-changes'), actor: person }),

  /** An instructor has shown that letters to the new address arrive, as the confirmation of the first address does. */
  'account.email-confirmed': async ({ person }: { person: string }, { id }: { id: string }) => {
    const [instructor] = await sql`select 1 from instructors where id = ${person}`
    if (instructor) await handle(store, vetting, person, 'confirmEmail', {}, { command: derivedId(id, 'confirm'), actor: person })
  },
})

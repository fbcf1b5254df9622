import { utcDayOf } from '../../modules/dates.ts'
import { derivedId, handleCommand, loadState, systemCommandSource } from '../../modules/kernel/decider.ts'
import { accountDecider, type ChangeableAccountField } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { checksEndedByNameChange, vettingDecider } from '../../modules/vetting/vetting.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { openAutomaticSupportRequest } from './automatic-support-request.ts'

/** The text of the support request that asks administrators to check an instructor again. The instructor can read it, too. */
const CHECK_AGAIN =
  'Sent automatically: this instructor has changed their name, so the identity and background checks made under the previous name are no longer shown. Check again, and record the checks on the Instructors page.'

/**
 * Withdraws the checks that were made under an instructor's former name, and asks administrators to repeat them. Parents read the checks
 * next to the instructor's name, so the checks must not vouch for a name that nobody has checked.
 */
async function withdrawChecksOfFormerName({ store, clock }: Pick<AppDependencies, 'store' | 'clock'>, instructor: string, command: string) {
  const withdrawn = checksEndedByNameChange(await loadState(store, vettingDecider, instructor), utcDayOf(clock()))
  if (!withdrawn.length) return
  // Send the request before withdrawing the checks: if the errand were interrupted after withdrawing them all, its next run would find none
  // and would not send the request.
  await openAutomaticSupportRequest(store, {
    id: derivedId(command, 'check-again'),
    person: instructor,
    content: CHECK_AGAIN,
    command: derivedId(command, 'ask-to-check-again'),
  })
  for (const check of withdrawn) {
    const withdrawal = { check, reason: 'The instructor has changed the name.' }
    const source = systemCommandSource(derivedId(command, 'withdraw', check))
    await handleCommand(store, vettingDecider, instructor, 'withdrawCheck', withdrawal, source)
  }
}

/**
 * Errand handlers that record changes to an account in the event log. The account itself is a table row, whose changes leave no history.
 */
export const accountChangeRecordingHandlers = ({ sql, store, clock }: Pick<AppDependencies, 'sql' | 'store' | 'clock'>) => ({
  'account.record-changes': async ({
    person,
    command,
    ...changes
  }: {
    person: string
    command: string
    fields: ChangeableAccountField[]
    at: string
  }) => {
    await handleCommand(store, accountDecider, person, 'recordChanges', changes, {
      command: derivedId(command, 'record-changes'),
      actor: person,
    })
    if (changes.fields.includes('name')) await withdrawChecksOfFormerName({ store, clock }, person, command)
  },

  /** Records that an instructor has opened the link emailed to their address, to confirm it or to change to it. Others are ignored. */
  'account.email-confirmed': async ({ person }: { person: string }, { id }: { id: string }) => {
    const [instructor] = await sql`select 1 from instructors where id = ${person}`
    if (instructor)
      await handleCommand(store, vettingDecider, person, 'confirmEmail', {}, { command: derivedId(id, 'confirm'), actor: person })
  },
})

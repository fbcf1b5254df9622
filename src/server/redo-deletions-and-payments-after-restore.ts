import { existingAccountIds } from '../../modules/accounts/account-registration-and-authentication.ts'
import { derivedId, handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { recordMissingCharge, unreconciledCharges } from '../../modules/payments/find-and-record-missing-charges.ts'
import { recordMissingPackageSale, unreconciledPackages } from '../../modules/payments/unreconciled-packages.ts'
import { accountDecider } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { destroyKeyPermanently } from '../../modules/privacy/destroyed-keys.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'

/**
 * After a restore from a backup, repeats the deletions made since the backup: destroys each owner's key immediately, and has errands delete
 * the accounts and guardians. Idempotent.
 * @param owners ids of the people and support requests whose keys were ever destroyed
 * @returns the number of keys that the backup had brought back
 */
export async function repeatAccountDeletions(deps: AppDependencies, owners: readonly string[]): Promise<number> {
  const { sql, store, clock } = deps
  const restoredPeople = await sql<{ person: string; isUser: boolean; isGuardian: boolean; hasKey: boolean }[]>`
    select o.person, u.id is not null as "isUser", g.id is not null as "isGuardian", k.key is not null as "hasKey"
    from unnest(${owners as string[]}::uuid[]) as o(person)
    left join users u on u.id = o.person left join guardians g on g.id = o.person left join person_keys k on k.person = o.person`
  for (const { person, isUser, isGuardian } of restoredPeople) {
    await destroyKeyPermanently(deps, person, clock())
    if (isUser) {
      await deps.sessions.endAll(person)
      const due = clock().toISOString()
      await handleCommand(store, accountDecider, person, 'deleteAgain', { due }, systemCommandSource(derivedId(person, 'deleteAgain', due)))
    }
    if (isGuardian)
      await deps.post(sql, [
        errand({ id: person }, 'guardian.delete', { guardian: person, position: '0' }, { key: ['again', clock().toISOString()] }),
      ])
  }
  return restoredPeople.filter(o => o.hasKey).length
}

/**
 * Records payments that Stripe received but that are missing from a restored log, so that nobody is charged twice. This works if the log
 * has the bill; administrators see the other payments in a list.
 * @returns the number of recorded charges, and of those that could not be recorded
 */
export async function recordMissingCharges(deps: AppDependencies): Promise<{ recorded: number; left: number }> {
  const missing = (await unreconciledCharges(deps)).filter(charge => charge.difference !== 'refund-differs')
  let recorded = 0
  for (const charge of missing) {
    try {
      if (await recordMissingCharge(deps, charge)) recorded++
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error
    }
  }
  return { recorded, left: missing.length - recorded }
}

/**
 * Records packages that players bought through Stripe but that are missing from a restored log, with their credits.
 * @returns the number of recorded packages
 */
export async function recordMissingPackages(deps: AppDependencies): Promise<number> {
  let recorded = 0
  for (const sale of await unreconciledPackages(deps, existingAccountIds(deps.sql)))
    if (await recordMissingPackageSale(deps, sale)) recorded++
  return recorded
}

import { bySystem, derivedId, handle } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'
import { Refused } from '../../modules/kernel/store.ts'
import { missedCharges, recordMissedCharge } from '../../modules/payments/missed-charges.ts'
import { account } from '../../modules/privacy/account.ts'
import { destroyKeyForGood } from '../../modules/privacy/destroyed-keys.ts'
import type { Deps } from '../api/deps.ts'

/**
 * Deletes again, from a database that was restored from a backup, everybody whose key was destroyed since that backup was made: the key at once,
 * the rest by the errand that deletes accounts. Twice is like once. @returns how many keys were destroyed
 */
export async function deleteAgain(deps: Deps, owners: readonly string[]): Promise<number> {
  const { sql, store, clock } = deps
  const here = await sql<{ person: string; isUser: boolean; isGuardian: boolean; hasKey: boolean }[]>`
    select o.person, u.id is not null as "isUser", g.id is not null as "isGuardian", k.key is not null as "hasKey"
    from unnest(${owners as string[]}::uuid[]) as o(person)
    left join users u on u.id = o.person left join guardians g on g.id = o.person left join person_keys k on k.person = o.person`
  for (const { person, isUser, isGuardian } of here) {
    await destroyKeyForGood(deps, person, clock())
    if (isUser) {
      await deps.sessions.endAll(person)
      const due = clock().toISOString()
      await handle(store, account, person, 'deleteAgain', { due }, bySystem(derivedId(person, 'deleteAgain', due)))
    }
    if (isGuardian)
      await deps.post(sql, [
        errand({ id: person }, 'guardian.delete', { guardian: person, position: '0' }, { key: ['again', clock().toISOString()] }),
      ])
  }
  return here.filter(o => o.hasKey).length
}

/**
 * Records what Stripe has been paid and a restored log does not know, as far as the log knows the bill: nobody is charged twice. Administrators see
 * what is left. @returns how many payments were recorded
 */
export async function recordMissedCharges(deps: Deps): Promise<number> {
  let recorded = 0
  for (const missed of await missedCharges(deps)) {
    try {
      if (await recordMissedCharge(deps, missed)) recorded++
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
  }
  return recorded
}

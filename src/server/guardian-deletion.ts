import type { TransactionSql } from 'postgres'
import { guardianById, hasChildren } from '../../modules/accounts/guardian-tables.ts'
import { escapeLikePattern } from '../../modules/escape-like-pattern.ts'
import { deleteLetterPreferences } from '../../modules/letters/letter-preferences-table.ts'
import { deleteCardsAndAddressAtStripe } from '../../modules/payments/delete-cards-and-address-at-stripe.ts'
import { destroyKeyPermanently } from '../../modules/privacy/destroyed-keys.ts'
import { furthestReaderPosition } from '../../modules/readers/furthest-reader-position.ts'
import { hasGuardianObligations } from '../../projections/deletion-obstacles.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { assertReadModelsReachedPosition } from './assert-read-models-reached-position.ts'
import { errandPostponedByADay } from './errand-postponed-by-a-day.ts'

/** Deletes everything stored about an email address outside the tables of accounts and guardians. */
export async function deleteTracesOfEmailAddress(tx: TransactionSql, email: string): Promise<void> {
  await tx`delete from leads where email = ${email}`
  // The same person may be somebody's guardian, with a link that waits for their answer.
  await tx`
    delete from links where lower(email) = ${email}
      and not (kind = 'guardian' and exists (select 1 from guardians g where g.email = ${email}))`
  await tx`delete from recoveries where lower(asked ->> 'email') = ${email}`
  // Keys of rate limits end in the email address, after the name of the limit and a colon.
  await tx`delete from limits where key like ${`%:${escapeLikePattern(email)}`}`
}

/** The read models that `hasGuardianObligations` queries. */
const OBLIGATION_READ_MODELS = ['payments', 'assignments']

/** Errand handler that deletes a guardian who has no child left. Idempotent. */
export const childlessGuardianDeletionErrandHandlers = ({
  sql,
  store,
  post,
  objects,
  gateway,
  clock,
  readModels,
  sessions,
}: AppDependencies) => ({
  'guardian.delete': async ({ guardian, position }: { guardian: string; position: string }, { id }: { id: string }) => {
    const person = await guardianById(sql, guardian)
    await assertReadModelsReachedPosition(readModels, OBLIGATION_READ_MODELS, position)
    // Read models that are still being filled, as after a restore, may have reached that position and lack what happened since.
    await assertReadModelsReachedPosition(readModels, OBLIGATION_READ_MODELS, await furthestReaderPosition(sql))
    // A child may have named this guardian in the meantime.
    if (await hasChildren(sql, guardian, clock())) return
    // Try again every day until the bill, refund, dispute or session that they pay for is settled.
    if (await hasGuardianObligations(sql, guardian))
      return post(sql, [errandPostponedByADay({ id, kind: 'guardian.delete', payload: { guardian, position } }, clock())])
    await sessions.endAll(guardian)
    const isDeleted = await sql.begin(async tx => {
      // The request of a child who is naming this guardian right now locks the row. Check again after waiting for the lock, because the
      // deletion would also delete the new guardianship.
      await tx`select 1 from guardians where id = ${guardian} for update`
      if (await hasChildren(tx, guardian, clock())) return false
      await tx`delete from guardians where id = ${guardian}`
      await deleteLetterPreferences(tx, guardian)
      if (person) await deleteTracesOfEmailAddress(tx, person.email)
      return true
    })
    if (!isDeleted) return
    // The row is deleted first, because calls to the payment provider take seconds, during which a child may name this person again. If
    // the calls fail, the next run of this errand repeats them.
    await deleteCardsAndAddressAtStripe({ store, gateway }, guardian)
    await destroyKeyPermanently({ sql, objects }, guardian, clock())
  },
})

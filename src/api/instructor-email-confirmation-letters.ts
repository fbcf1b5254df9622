import type { TransactionSql } from 'postgres'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { errand } from '../../modules/kernel/process.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { vettings } from '../../projections/vetting.ts'
import type { AppDependencies } from './app-dependencies.ts'

/**
 * Within the transaction, queues a letter to an instructor with a one-time link that confirms the email address. Earlier links stop
 * working.
 */
export async function requestInstructorEmailConfirmation(
  tx: TransactionSql,
  { post, clock }: Pick<AppDependencies, 'post' | 'clock'>,
  instructor: string,
) {
  const link = await createEmailedLinkToken(tx, clock(), 'confirm-email', { owner: instructor })
  await post(tx, [errand(link, 'letter.confirm-email', { user: instructor, link: link.id })])
}

/** Sends a confirmation letter to every instructor who never got one, because they registered before confirmation was introduced. */
export async function requestMissingEmailConfirmations(deps: Pick<AppDependencies, 'sql' | 'post' | 'clock'>, ending: AbortSignal) {
  const instructors = await deps.sql<{ id: string }[]>`
    select i.id from instructors i left join ${deps.sql(tableOf(vettings))} v on v.instructor = i.id
    where not coalesce(v.email_confirmed, false)
      and not exists (select 1 from errands e where e.kind = 'letter.confirm-email' and e.payload ->> 'user' = i.id::text)`
  for (const { id } of instructors) {
    ending.throwIfAborted()
    await deps.sql.begin(tx => requestInstructorEmailConfirmation(tx, deps, id))
  }
}

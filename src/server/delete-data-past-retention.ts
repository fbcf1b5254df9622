import { playerIdsWithInitialRefusalBefore } from '../../modules/accounts/guardian-tables.ts'
import { addDays, addMonthsWithOverflow } from '../../modules/dates.ts'
import { folderDecider } from '../../modules/folders/folder.ts'
import { derivedId, handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { streamOf } from '../../modules/kernel/store.ts'
import { deleteOldLeads } from '../../modules/leads/lead-table.ts'
import { accountDecider } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { destroyKeyPermanently } from '../../modules/privacy/destroyed-keys.ts'
import {
  ACCOUNT_DAYS_AFTER_REFUSAL,
  LEAD_RETENTION_MONTHS,
  SUPPORT_REQUEST_RETENTION_YEARS,
  UNASSIGNED_VIDEO_RETENTION_MONTHS,
} from '../../modules/privacy/policy.ts'
import { supportRequestDecider } from '../../modules/support/support-request.ts'
import { oldSupportRequestIds, unassignedVideos } from '../../projections/data-retention-queries.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'

/** Deletes data whose retention period in the privacy policy has passed. May run in several processes at once, and again after a crash. */
export async function deleteDataPastRetention(
  { sql, store, objects, clock }: Pick<AppDependencies, 'sql' | 'store' | 'objects' | 'clock'>,
  ending: AbortSignal,
): Promise<void> {
  const now = clock()
  await deleteOldLeads(sql, addMonthsWithOverflow(now, -LEAD_RETENTION_MONTHS))
  // The file cleanup process (`clearing`) then deletes the files of each expired video.
  for (const { folder: of, video } of await unassignedVideos(sql, {
    before: addMonthsWithOverflow(now, -UNASSIGNED_VIDEO_RETENTION_MONTHS),
  })) {
    ending.throwIfAborted()
    await handleCommand(store, folderDecider, of, 'expireVideo', { video }, systemCommandSource(derivedId(video, 'expire')))
  }
  // The account deletion process (`deleting`) then deletes the account.
  for (const player of await playerIdsWithInitialRefusalBefore(sql, addDays(now, -ACCOUNT_DAYS_AFTER_REFUSAL), now)) {
    ending.throwIfAborted()
    await handleCommand(store, accountDecider, player, 'expire', { due: now.toISOString() }, systemCommandSource())
  }
  for (const id of await oldSupportRequestIds(sql, addMonthsWithOverflow(now, -12 * SUPPORT_REQUEST_RETENTION_YEARS))) {
    ending.throwIfAborted()
    const events = (await store.read(streamOf(supportRequestDecider.stream, id))).map(e => e.id)
    await destroyKeyPermanently({ sql, objects }, id, now)
    await handleCommand(store, supportRequestDecider, id, 'expire', { events }, systemCommandSource(derivedId(id, 'expire')))
  }
}

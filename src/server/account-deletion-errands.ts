import { invalidateProfilePagesOf } from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { derivedId, handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'
import { deleteLetterPreferences } from '../../modules/letters/letter-preferences-table.ts'
import { deleteFilesOfPerson } from '../../modules/media/delete-files-of-person.ts'
import { deleteCardsAndAddressAtStripe } from '../../modules/payments/delete-cards-and-address-at-stripe.ts'
import {
  accountDecider,
  loadAccountPrivacyState,
  type RecordIdsOfPerson,
} from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { destroyKeyPermanently } from '../../modules/privacy/destroyed-keys.ts'
import { furthestReaderPosition } from '../../modules/readers/furthest-reader-position.ts'
import { openSessionsOf } from '../../projections/assignments.ts'
import { personalTextEventTypesAndStreams } from '../../projections/personal-text-fields.ts'
import { recordIdsOfPerson } from '../../projections/record-ids-of-person.ts'
import { DELETION_OBSTACLE_READ_MODELS, deletionObstacle } from '../api/account-deletion.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { site } from '../site.ts'
import { assertReadModelsReachedPosition } from './assert-read-models-reached-position.ts'
import { deleteModelClipsKeptForPlayer, deleteModelClipsOfLeavingInstructor } from './delete-unneeded-model-clips.ts'
import { endOpenFolderSessions } from './end-open-folder-sessions.ts'
import { endPendingApprovalsOfPlayerOrInstructor } from './end-pending-approvals-of-player-or-instructor.ts'
import { errandPostponedByADay } from './errand-postponed-by-a-day.ts'
import { deleteTracesOfEmailAddress } from './guardian-deletion.ts'

const READ_MODELS = ['folders', 'assignments', 'approvals', 'requests', 'payments', 'purchases', 'audit']

/** The reason shown to the player next to a returned folder. */
const HANDED_BACK = `This instructor is leaving ${site.name}, so we returned your folder.`

/** The reason next to a folder that was returned because its player's account was closed. The player sees it if the account is reopened. */
const HANDED_BACK_ON_CLOSING = 'We returned this folder when we closed your account.'

/** Errand handlers for closing and deleting an account. Each is idempotent, because it may run again after a crash. */
export function accountDeletionErrandHandlers(deps: AppDependencies) {
  const { sql, store, objects, gateway, clock, readModels, sessions } = deps

  /**
   * Deletes the account with everything that depends on it, and what other tables hold about the email address and the phone number. From
   * here on, the person cannot sign in.
   */
  async function deleteIdentity(person: string, position: bigint) {
    await sessions.endAll(person)
    await sql.begin(async tx => {
      await invalidateProfilePagesOf(tx, person)
      const guardians = await tx<{ guardian: string }[]>`select distinct guardian from guardianships where player = ${person}`
      const [user] = await tx<
        { username: string; phone: string | null }[]
      >`delete from users where id = ${person} returning username, phone`
      if (!user) return
      // A guardian exists only through their children, so if this was the last child, the guardian may have to be deleted, too.
      await deps.post(
        tx,
        guardians.map(({ guardian }) =>
          errand({ id: person }, 'guardian.delete', { guardian, position: `${position}` }, { key: ['guardian.delete', guardian] }),
        ),
      )
      const { username, phone } = user
      await deleteTracesOfEmailAddress(tx, username)
      await deleteLetterPreferences(tx, person)
      await tx`
        delete from recoveries where
          right(regexp_replace(asked ->> 'phone', '\\D', '', 'g'), 10) = right(regexp_replace(${phone}, '\\D', '', 'g'), 10)`
    })
  }

  /**
   * Deletes drafts and held deliveries by or about the person, and overwrites stored error messages that may quote their data. Read models
   * and account tables are handled elsewhere.
   */
  async function deleteQuotes(person: string, { assignments, events }: RecordIdsOfPerson) {
    await sql`delete from held_deliveries where instructor = ${person} or assignment = any(${assignments}::uuid[])`
    await sql`delete from drafts where instructor = ${person} or assignment = any(${assignments}::uuid[])`
    await sql`update parked set error = 'deleted with its account' where event = any(${events}::text[])`
    await sql`
      update errands set error = null where error is not null
        and (payload ->> 'user' = ${person} or payload ->> 'person' = ${person} or payload ->> 'assignment' = any(${assignments}::text[]))`
  }

  return {
    'account.hand-back': async ({ person, position }: { person: string; position: string }) => {
      // If the instructor has decided to stay in the meantime, the folders stay assigned.
      if ((await loadAccountPrivacyState(store, person)).deletion === 'none') return
      await assertReadModelsReachedPosition(readModels, READ_MODELS, position)
      await endOpenFolderSessions(
        store,
        await openSessionsOf(sql, 'instructor', person),
        ({ status }) => (status === 'assigned' ? { kind: 'hand-back', reason: HANDED_BACK } : null),
        'account.hand-back',
      )
      await endPendingApprovalsOfPlayerOrInstructor({ sql, store }, 'instructor', person, 'instructor')
    },

    'account.close': async ({ person, position }: { person: string; position: string }) => {
      // The account may have been reopened in the meantime.
      if ((await loadAccountPrivacyState(store, person)).closingReason === null) return
      await sessions.endAll(person)
      await assertReadModelsReachedPosition(readModels, READ_MODELS, position)
      await endOpenFolderSessions(
        store,
        await openSessionsOf(sql, 'player', person),
        ({ status }) =>
          status === 'assigned' ? { kind: 'withdraw' } : { kind: 'hand-back', reason: HANDED_BACK_ON_CLOSING, cause: 'account-closed' },
        'account.close',
      )
      await endOpenFolderSessions(
        store,
        await openSessionsOf(sql, 'instructor', person),
        () => ({ kind: 'hand-back', reason: HANDED_BACK }),
        'account.close',
      )
      await endPendingApprovalsOfPlayerOrInstructor({ sql, store }, 'instructor', person, 'instructor')
      await endPendingApprovalsOfPlayerOrInstructor({ sql, store }, 'player', person, 'account-closed')
    },

    'account.delete': async ({ person, due }: { person: string; due: string }, { id }: { id: string }) => {
      const before = await loadAccountPrivacyState(store, person)
      if (before.due !== due || before.deletion === 'none' || before.deletion === 'done') return
      if (before.deletion === 'scheduled' && !before.isDeletedAgain) {
        // Read models that are still being filled, as after a restore, show no obstacle.
        await assertReadModelsReachedPosition(readModels, DELETION_OBSTACLE_READ_MODELS, await furthestReaderPosition(sql))
        // An obstacle is, for example, an unpaid bill or an undelivered session.
        if (await deletionObstacle(deps, person, before))
          return deps.post(sql, [errandPostponedByADay({ id, kind: 'account.delete', payload: { person, due } }, clock())])
      }
      const by = (what: string) => systemCommandSource(derivedId(person, due, what))
      const { position } = await handleCommand(store, accountDecider, person, 'startDeletion', { due }, by('start'))
      if ((await loadAccountPrivacyState(store, person)).deletion !== 'started') return
      await deleteIdentity(person, position)
      await assertReadModelsReachedPosition(readModels, READ_MODELS, position)
      const records = await recordIdsOfPerson(sql, person, personalTextEventTypesAndStreams)
      await deleteCardsAndAddressAtStripe({ store, gateway }, person)
      const keptClips = await deleteModelClipsOfLeavingInstructor(deps, person)
      await deleteModelClipsKeptForPlayer(deps, person)
      await deleteFilesOfPerson({ sql, objects }, { player: person, ...records, kept: keptClips })
      await deleteQuotes(person, records)
      for (const owner of [person, ...records.requests]) await destroyKeyPermanently(deps, owner, clock())
      await handleCommand(store, accountDecider, person, 'forget', records, by('forget'))
    },

    'account.delete-late-files': async ({ person, ...records }: { person: string; folders: string[]; assignments: string[] }) => {
      const keptClips = await deleteModelClipsOfLeavingInstructor(deps, person)
      await deleteFilesOfPerson({ sql, objects }, { player: person, ...records, kept: keptClips })
    },
  }
}

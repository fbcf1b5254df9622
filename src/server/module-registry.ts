import { recordAdminJoinedErrandHandlers } from '../../modules/accounts/admin-invitation-decider.ts'
import { currentAndFormerPayersOf, payerOf } from '../../modules/accounts/payer.ts'
import { scheduleAccountRecoveryLetters } from '../../modules/accounts/recovery.ts'
import { copyConsentAndReturnSessionsProcess } from '../../modules/consent/copy-consent-and-return-sessions-process.ts'
import { draftAndSessionPaymentErrandHandlers } from '../../modules/folders/draft-and-session-payment-errand-handlers.ts'
import { draftDeletionProcess } from '../../modules/folders/draft-deletion-process.ts'
import { folderDecider } from '../../modules/folders/folder.ts'
import { claimDailyJob } from '../../modules/jobs/claim-daily-job.ts'
import { type ErrandHandler, wasErrandEnqueued } from '../../modules/jobs/outbox.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import type { Process } from '../../modules/kernel/process.ts'
import type { Projection } from '../../modules/kernel/projection.ts'
import { letterErrandHandlers } from '../../modules/letters/lazy-letter-errand-handlers.ts'
import { letterProcess } from '../../modules/letters/letter-process.ts'
import { resendMailer } from '../../modules/letters/resend-mailer.ts'
import { recordSentLetters } from '../../modules/letters/sent-letters.ts'
import { cleanupErrandHandlers, fileCleanupProcess } from '../../modules/media/file-cleanup-process.ts'
import { videoUploads } from '../../modules/media/multipart-video-uploads.ts'
import { preparationErrandHandlers, preparationSchedulingProcess } from '../../modules/media/preparation-scheduling-process.ts'
import { storageSweeper } from '../../modules/media/storage-sweeper.ts'
import { modelLibraryDecider } from '../../modules/model-clips/model-library.ts'
import { paymentErrandHandlers } from '../../modules/payments/errand-handlers.ts'
import { paymentProcess } from '../../modules/payments/payment-process.ts'
import { resumeStuckPayment } from '../../modules/payments/resume-charge-refunds-and-transfer.ts'
import { accountDeletionProcess } from '../../modules/privacy/account-deletion-process.ts'
import { hasDeletionStarted, loadAccountPrivacyState } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { dataExportProcess } from '../../modules/privacy/data-export-process.ts'
import { recordRegistrationErrandHandlers } from '../../modules/privacy/record-registration-errand.ts'
import { ratingPageRefreshProcess } from '../../modules/ratings/rating-page-refresh-process.ts'
import { adjustCreditsToRefunds, creditsAndPointsProcess, rewardErrandHandlers } from '../../modules/rewards/credits-and-points-process.ts'
import { publishPagesAndReturnFoldersProcess } from '../../modules/vetting/publish-pages-and-return-folders-process.ts'
import { approvals } from '../../projections/approvals.ts'
import { assignments, folderIdOfAssignment } from '../../projections/assignments.ts'
import { audit } from '../../projections/audit.ts'
import { folders } from '../../projections/folders.ts'
import { modelLibraries } from '../../projections/model-libraries.ts'
import { purchases } from '../../projections/package-purchases.ts'
import { payments, stuckPaymentIds } from '../../projections/payments.ts'
import { instructorIdOfPayoutAccount, payoutAccountOwners } from '../../projections/payout-account-owners.ts'
import { progress } from '../../projections/progress.ts'
import { ratings } from '../../projections/ratings.ts'
import { responseTimes } from '../../projections/response-times.ts'
import { story } from '../../projections/story.ts'
import { supportRequests } from '../../projections/support-requests.ts'
import { vettings } from '../../projections/vetting.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { feedbackDeliveryErrandHandlers } from '../api/feedback-deliveries.ts'
import { requestMissingEmailConfirmations } from '../api/instructor-email-confirmation-letters.ts'
import { site } from '../site.ts'
import { accountChangeRecordingHandlers } from './account-change-recording-errands.ts'
import { accountDeletionErrandHandlers } from './account-deletion-errands.ts'
import { endGuardianships, sendComingOfAgeNotices } from './coming-of-age.ts'
import { backfillConsentEvents, consentErrandHandlers } from './consent-answer-and-folder-return-errands.ts'
import { dataExportErrandHandlers } from './data-export-errands.ts'
import { deleteDataPastRetention } from './delete-data-past-retention.ts'
import { deleteExpiredRows } from './delete-expired-rows.ts'
import { outdatedReviewVideoErrandHandlers } from './delete-review-videos-with-old-timing.ts'
import { isModelClipNeeded, modelClipCleanupErrandHandlers } from './delete-unneeded-model-clips.ts'
import { childlessGuardianDeletionErrandHandlers } from './guardian-deletion.ts'
import { letterDataSource } from './letter-data.ts'
import { profilePageRefreshAndFolderReturnHandlers } from './profile-refresh-and-folder-return-errands.ts'
import { pruneProcessedRows } from './prune-processed-rows.ts'

// The parts of all modules that run in a server. When you add a module, list its parts here, and its routes in `src/api/index.ts`.

// biome-ignore lint/suspicious/noExplicitAny: a list of projections of different events
export const projections: Projection<any, any>[] = [
  ...[folders, assignments, approvals, progress, story, audit],
  ...[payments, payoutAccountOwners, purchases, supportRequests, responseTimes, vettings, ratings, modelLibraries],
]

// biome-ignore lint/suspicious/noExplicitAny: a list of processes over different events
export const processes: Process<any>[] = [
  fileCleanupProcess,
  draftDeletionProcess,
  preparationSchedulingProcess,
  paymentProcess,
  creditsAndPointsProcess,
  letterProcess,
  publishPagesAndReturnFoldersProcess,
  accountDeletionProcess,
  dataExportProcess,
  copyConsentAndReturnSessionsProcess,
  ratingPageRefreshProcess,
]

/** The handlers of all errands, by kind. */
export const errandHandlers = (deps: AppDependencies): Record<string, ErrandHandler> => ({
  'account.recover': (p: { recovery: string }) => scheduleAccountRecoveryLetters(deps.sql, deps.post, p.recovery, deps.clock()),
  ...recordAdminJoinedErrandHandlers(deps.store),
  ...draftAndSessionPaymentErrandHandlers(deps),
  ...feedbackDeliveryErrandHandlers(deps),
  ...profilePageRefreshAndFolderReturnHandlers(deps),
  ...accountChangeRecordingHandlers(deps),
  ...dataExportErrandHandlers(deps),
  ...recordRegistrationErrandHandlers(deps.store),
  ...accountDeletionErrandHandlers(deps),
  ...childlessGuardianDeletionErrandHandlers(deps),
  ...consentErrandHandlers(deps),
  ...paymentErrandHandlers(deps, {
    payerOf: async player => (await payerOf(deps.sql, player, deps.clock()))?.id ?? null,
    currentAndFormerPayersOf: player => currentAndFormerPayersOf(deps.sql, player),
    instructorOf: account => instructorIdOfPayoutAccount(deps.sql, account),
    revokeRefundedFolders: purchase => adjustCreditsToRefunds(deps.store, purchase),
  }),
  ...rewardErrandHandlers(deps.store),
  ...letterErrandHandlers({
    sql: deps.sql,
    facts: letterDataSource(deps),
    mail: resendMailer(deps.config.resend, deps.config.mailFrom, deps.log),
    schedule: errand => deps.post(deps.sql, [errand]),
    isScheduled: errand => wasErrandEnqueued(deps.sql, errand),
    recordSent: (errand, letters) => recordSentLetters(deps.sql, errand, letters),
    sender: { name: site.name, tagline: site.tagline, supportEmail: site.supportEmail, origin: deps.config.origin },
  }),
  ...cleanupErrandHandlers(deps, videoUploads(deps.sql, deps.objects, deps.clock)),
  ...preparationErrandHandlers({
    ...deps,
    uploads: videoUploads(deps.sql, deps.objects, deps.clock),
    folderOf: of => folderState(deps, of),
    libraryOf: instructor => loadState(deps.store, modelLibraryDecider, instructor),
  }),
  ...modelClipCleanupErrandHandlers(deps),
  ...outdatedReviewVideoErrandHandlers(deps),
})

const folderState = ({ store }: Pick<AppDependencies, 'store'>, of: string) => loadState(store, folderDecider, of)

/**
 * Whether a voice-over must be kept. An open review needs all of its voice-overs, because its draft may exist only on a device and may be
 * delivered at any moment; afterward, only the `delivered` copies of those in the review are kept. True if the session is unknown. Reads
 * the event log, because a read model may lag.
 */
async function isInReview({ sql, store }: AppDependencies, assignment: string, voice: string, delivered: boolean) {
  const of = await folderIdOfAssignment(sql, assignment)
  const session = of && (await folderState({ store }, of)).sessions.find(s => s.id === assignment)
  if (!session || (!session.review && session.status !== 'ended')) return true
  return (delivered && session.review?.voices?.some(v => v.id === voice)) ?? false
}

/** Whether a video is in this folder of a player whose account is not being deleted. The stream of a deleted player still has the video. */
async function isInFolder({ store }: AppDependencies, of: string, video: string) {
  const { player, videos } = await folderState({ store }, of)
  return player !== null && videos.some(v => v.id === video) && !hasDeletionStarted(await loadAccountPrivacyState(store, player))
}

const sweeper = (deps: AppDependencies) =>
  storageSweeper({
    ...deps,
    uploads: videoUploads(deps.sql, deps.objects, deps.clock),
    inFolder: async (of, video) => (await isInFolder(deps, of, video)) || (await isModelClipNeeded(deps, of, video)),
    inReview: (assignment, voice, delivered) => isInReview(deps, assignment, voice, delivered),
  })

/** Jobs that every server runs on a schedule; `every` is in ms. A long run stops early when the server shuts down. */
export const scheduledJobs = (deps: AppDependencies): { name: string; every: number; run(ending: AbortSignal): Promise<unknown> }[] => [
  { name: 'backfilling consent events', every: 3600_000, run: ending => backfillConsentEvents(deps, ending) },
  { name: 'deleting expired rows', every: 3600_000, run: () => deleteExpiredRows(deps) },
  { name: 'dropping unused read models', every: 3600_000, run: () => deps.readModels.dropUnusedTables() },
  { name: 'advancing unused versions of processes', every: 3600_000, run: () => deps.processes.advanceUnusedVersions() },
  {
    name: 'resuming stuck payments',
    every: 6 * 3600_000,
    run: async ending => {
      for (const payment of await stuckPaymentIds(deps.sql, deps.clock())) {
        ending.throwIfAborted()
        await resumeStuckPayment(deps, payment).catch(error =>
          deps.log.error({ err: error, payment }, 'a stuck payment could not be resumed'),
        )
      }
    },
  },
  { name: 'asking instructors to confirm their email', every: 3600_000, run: ending => requestMissingEmailConfirmations(deps, ending) },
  {
    name: 'ending the guardianships of players who turn 18',
    every: 3600_000,
    run: async ending => {
      await sendComingOfAgeNotices(deps)
      await endGuardianships(deps, ending)
    },
  },
  { name: 'deleting data past its retention period', every: 6 * 3600_000, run: ending => deleteDataPastRetention(deps, ending) },
  { name: 'sweeping unfinished uploads', every: 3600_000, run: ending => sweeper(deps).sweep(false, ending) },
  {
    name: 'pruning tables',
    every: 3600_000,
    run: async ending => (await claimDailyJob(deps.sql, 'pruning tables')) && pruneProcessedRows(deps.sql, deps.clock(), ending),
  },
  {
    // Only one server does this, once a day, because it lists the whole bucket.
    name: 'sweeping everything',
    every: 3600_000,
    run: async ending => (await claimDailyJob(deps.sql, 'sweeping everything')) && sweeper(deps).sweep(true, ending),
  },
]

import { deliveriesContract as contract, type Review } from '../../modules/folders/contract.ts'
import { type FolderSession, type FolderState, folderDecider } from '../../modules/folders/folder.ts'
import {
  deleteHeldDelivery,
  endUndoAndGetDueDelivery,
  type HeldDeliveryErrandPayload,
  heldDeliveriesByAssignment,
  holdDelivery,
  recordHeldDeliveryRefusal,
  undoDelivery,
} from '../../modules/folders/held-deliveries.ts'
import { type CommandSource, derivedId, handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { deliveredSessionsOfSamePlayerAndInstructor } from '../../projections/progress.ts'
import { loadAssignedSession, loadFolderAndInstructorSession, rethrowNotAssignedAsNotFound } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { permittedComparedClips, retainComparedVideos } from './check-and-retain-compared-clips.ts'
import { assertMayWriteToPlayers } from './instructor-reachability.ts'
import { preparationResultsOf } from './preparation-results.ts'
import { commandReply, routesOfContract, withCaughtUpReadModels } from './routing.ts'
import { retainVoicesOrRefuseDelivery } from './voice-over-upload-and-playback-urls.ts'

interface Delivery {
  folder: string
  state: FolderState
  session: FolderSession
  instructor: string
  review: Review
  /** Ids of the videos that could be watched when the instructor pressed Deliver; absent if that is now, or was not recorded. */
  watchable?: string[] | undefined
}

/**
 * Builds the payload of the folder decider's `deliver` command, and retains the review's voice-overs.
 * @throws CommandRefused if a voice-over has not been uploaded completely
 */
async function deliverPayload(deps: AppDependencies, { state, session, instructor, review, watchable }: Delivery) {
  await retainVoicesOrRefuseDelivery(deps, session, review)
  const [{ refusedVideos, frames, ...now }, before] = await Promise.all([
    preparationResultsOf(deps, session.videos),
    deliveredSessionsOfSamePlayerAndInstructor(deps.sql, session.id),
  ])
  const isUnprepared = (video: string) => now.unpreparedVideos.includes(video) || (watchable !== undefined && !watchable.includes(video))
  const unpreparedVideos = session.videos.map(v => v.id).filter(isUnprepared)
  const goals = before.flatMap(s => s.goals.map(g => g.id))
  const payload = { review, instructor, session: session.id, refusedVideos, unpreparedVideos, frames, goals }
  const { comparisons } = review
  if (!comparisons?.length) return payload
  return { ...payload, comparable: await permittedComparedClips(deps, { player: state.player!, instructor, comparisons }) }
}

async function deliver(deps: AppDependencies, delivery: Delivery, by: CommandSource) {
  const payload = await deliverPayload(deps, delivery)
  const { folder: id, state, session, instructor, review } = delivery
  if (review.comparisons?.length) {
    // Run the decider's checks first, so that no video is retained for a delivery that is refused.
    folderDecider.decide.deliver(state, payload)
    const compared = { folder: id, assignment: session.id, player: state.player!, instructor, comparisons: review.comparisons }
    await retainComparedVideos(deps, compared, by)
  }
  return handleCommand(deps.store, folderDecider, id, 'deliver', payload, by)
}

export const feedbackDeliveryRoutes = routesOfContract(contract, {
  'POST /api/folders/{folder}/feedback': withCaughtUpReadModels(['progress'], async ctx => {
    const { deps, user, by, params, body: review } = ctx
    const of = await loadFolderAndInstructorSession(ctx, params.folder, ctx.query.session)
    await assertMayWriteToPlayers(deps, user.id)
    const { position } = await deliver(deps, { ...of, folder: params.folder, instructor: user.id, review }, by).catch(
      rethrowNotAssignedAsNotFound,
    )
    return commandReply(position)
  }),

  'POST /api/folders/{folder}/delivery': withCaughtUpReadModels(['progress'], async ctx => {
    const { deps, user, by, params, body: review } = ctx
    const of = await loadFolderAndInstructorSession(ctx, params.folder, ctx.query.session)
    await assertMayWriteToPlayers(deps, user.id)
    const delivery = { ...of, folder: params.folder, instructor: user.id, review }
    const undoMs = deps.config.deliveryUndoSeconds * 1000
    const payload = await deliverPayload(deps, delivery)
    // Run all checks now, so that a refusal appears next to the review instead of after the undo period. A delivery that is already held
    // has passed them, so that sending it again succeeds.
    const isHeld = !of.session.review && Boolean((await heldDeliveriesByAssignment(deps.sql, [of.session.id])).get(of.session.id)?.until)
    const isNew = isHeld || [folderDecider.decide.deliver(of.state, payload)].flat().length > 0
    if (!isNew || !undoMs) {
      const { position } = await deliver(deps, delivery, by).catch(rethrowNotAssignedAsNotFound)
      return commandReply(position, { undoMs: 0 })
    }
    // Start the review, so that the player can no longer take the folder back, just as after a delivery.
    const session = of.session.id
    const { position } = await handleCommand(deps.store, folderDecider, params.folder, 'startReview', { instructor: user.id, session }, by)
    const unwatchable = [...payload.refusedVideos, ...payload.unpreparedVideos]
    const watchable = of.session.videos.map(v => v.id).filter(id => !unwatchable.includes(id))
    const held = { assignment: session, folder: params.folder, instructor: user.id, review }
    return commandReply(position, { undoMs: await holdDelivery(deps.sql, held, undoMs, watchable) })
  }),

  'DELETE /api/folders/{folder}/delivery': async ctx => {
    const requestedSession = () => loadAssignedSession(ctx, ctx.params.folder, ctx.query.session)
    const { id } = await requestedSession()
    if (await undoDelivery(ctx.deps.sql, id)) return
    // The row of a held delivery is deleted only after the review is in the log, so one of the two checks below always finds the delivery.
    const isUnderWay = (await heldDeliveriesByAssignment(ctx.deps.sql, [id])).get(id)?.until
    if (isUnderWay || (await requestedSession()).review) {
      throw new CommandRefused('Your player already has this feedback, so the delivery can no longer be undone.', 'delivered')
    }
  },
})

/** Errand handlers that perform deliveries when their undo period is over. */
export const feedbackDeliveryErrandHandlers = (deps: AppDependencies) => ({
  async 'feedback.deliver'({ delivery, assignment, watchable }: HeldDeliveryErrandPayload) {
    const due = await endUndoAndGetDueDelivery(deps.sql, delivery)
    // The delivery was undone, or a worker delivered it but crashed before it could report success.
    if (!due) return
    const { folder: id, instructor, review } = due
    try {
      const state = await loadState(deps.store, folderDecider, id)
      const session = state.sessions.find(s => s.id === assignment && s.status !== 'ended')
      if (session) {
        // An administrator may have suspended the instructor, or closed the account, since the instructor pressed Deliver.
        await assertMayWriteToPlayers(deps, instructor)
        const by = { command: derivedId(delivery, 'feedback.deliver'), actor: instructor }
        await deliver(deps, { folder: id, state, session, instructor, review, watchable }, by)
      }
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error
      deps.log.warn({ assignment, code: error.code }, 'a delivery was refused when it was due')
      await recordHeldDeliveryRefusal(deps.sql, delivery, error.message)
      return
    }
    await deleteHeldDelivery(deps.sql, assignment)
  },
})

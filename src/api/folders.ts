import { payerOf } from '../../modules/accounts/payer.ts'
import { foldersContract as contract } from '../../modules/folders/contract.ts'
import { folderDecider, hasOrHadVideo, isNewAssignmentOrThrow, nextSessionVideos } from '../../modules/folders/folder.ts'
import { heldDeliveriesByAssignment } from '../../modules/folders/held-deliveries.ts'
import { draftOf, saveDraft } from '../../modules/folders/review-drafts.ts'
import { isProfileComplete } from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { type CommandPayload, derivedId, handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { CommandRefused, RevisionConflict } from '../../modules/kernel/store.ts'
import { modelLibraryDecider } from '../../modules/model-clips/model-library.ts'
import { isAssignmentInEffect } from '../../modules/payments/is-assignment-in-effect.ts'
import { quotePriceBeforeReview } from '../../modules/payments/pricing.ts'
import { unblockLastCardRemoval } from '../../modules/payments/stripe-customer-and-saved-cards.ts'
import { carriedOverGoals } from '../../modules/progress/goals.ts'
import { sessionsOfFolderOrPlayer, techniquePositionsOfSessions } from '../../projections/assignments.ts'
import { folderOf, foldersWithIds } from '../../projections/folders.ts'
import { deliveredSessionsOfSamePlayerAndInstructor } from '../../projections/progress.ts'
import {
  loadAssignedSession,
  loadFolderAndInstructorSession,
  loadOwnFolder,
  loadVideosOfOwnSessionsInFolder,
  readableSessions,
  rethrowNotAssignedAsNotFound,
} from './access.ts'
import { nextPriceTerms, reserveForAssignment } from './assignment-payment-reservation.ts'
import { assertConsent } from './family-consent.ts'
import { folderList, laterFoldersThatMayNeedAction } from './folder-list.ts'
import { folderPresenter } from './folder-presenter.ts'
import { folderReplyWithSession } from './folder-reply-with-session.ts'
import { instructorQueue, pageOfDeliveredSessions, pageOfWaitingSessions } from './instructor-queue.ts'
import {
  assertInstructorTakesFolders,
  assertInstructorTakesQuestions,
  assertMayWriteToPlayers,
  playerWithMinorStatus,
} from './instructor-reachability.ts'
import { latestTechniquePositionsBySkill } from './latest-technique-positions.ts'
import { preparationResultsOf } from './preparation-results.ts'
import { assertFound, Problem } from './problem.ts'
import { commandReply, type RequestContext, routesOfContract, withCaughtUpReadModels } from './routing.ts'

type Commands = typeof folderDecider.decide
type CallContext = Pick<RequestContext, 'deps' | 'by'> & { params: { folder: string } }

/** Runs a command on the folder; the reply carries the position of its events. */
async function decide<C extends keyof Commands>({ deps, by, params }: CallContext, what: C, payload: CommandPayload<Commands, C>) {
  const { position } = await handleCommand(deps.store, folderDecider, params.folder, what, payload, by)
  return commandReply(position)
}

/** Runs a player's command about a folder itself, not about a session in it. */
async function change<C extends 'rename' | 'archive' | 'restore'>(
  ctx: CallContext & { user: NonNullable<RequestContext['user']> },
  what: C,
  payload: CommandPayload<Commands, C>,
) {
  await loadOwnFolder(ctx, ctx.params.folder)
  await ctx.deps.limits.take('change', '', ctx.user.id)
  return decide(ctx, what, payload)
}

/**
 * Refuses a new folder whose id is that of a user, or of a library that has or had model clips. The files of a folder are stored under its
 * id, and those of a library of model clips under its instructor's id. If both ids were equal, deleting the folder's player would delete
 * the instructor's clips.
 * @throws CommandRefused `exists`
 */
async function assertUnusedByLibrary({ sql, store }: Pick<RequestContext, 'deps'>['deps'], id: string) {
  const [person] = await sql`select 1 from users where id = ${id}`
  const { clips, removed } = await loadState(store, modelLibraryDecider, id)
  if (person || clips.length || removed.length) {
    throw new CommandRefused('This folder already exists. Reload the page to see it.', 'exists')
  }
}

/** Runs an instructor's command on one of their sessions. */
const review = <C extends keyof Commands>(
  ctx: CallContext & Pick<RequestContext, 'user'> & { query: { session?: string | undefined } },
  what: C,
  payload: Omit<CommandPayload<Commands, C>, 'instructor' | 'session'>,
) => decide(ctx, what, { ...payload, instructor: ctx.user!.id, session: ctx.query.session } as never).catch(rethrowNotAssignedAsNotFound)

export const folderRoutes = routesOfContract(contract, {
  'GET /api/folders': withCaughtUpReadModels(['folders', 'assignments', 'approvals'], async ({ deps, user, query }) => {
    const page = await folderList(deps, user.id, 'player', query)
    const isFirst = !query.before && !query.archived
    return { ...page.list, unfinished: isFirst ? await laterFoldersThatMayNeedAction(deps, user.id, page) : [] }
  }),

  'POST /api/folders': async ({ deps, user, by, body: { id, name } }) => {
    await deps.limits.take('change', '', user.id)
    await assertUnusedByLibrary(deps, id)
    const { position } = await handleCommand(deps.store, folderDecider, id, 'create', { player: user.id, name }, by)
    return commandReply(position, { id })
  },

  'GET /api/folders/{folder}': withCaughtUpReadModels(
    ['folders', 'assignments', 'approvals', 'story', 'ratings', 'vettings'],
    async ({ deps, user, params, query }) => {
      const [there, all] = await Promise.all([
        folderOf(deps.sql, params.folder),
        sessionsOfFolderOrPlayer(deps.sql, 'folder', params.folder),
      ])
      const { viewer, sessions } = readableSessions(user, there, all)
      return folderReplyWithSession(deps, assertFound(there), viewer, sessions, query.session)
    },
  ),

  'PATCH /api/folders/{folder}': ctx => change(ctx, 'rename', ctx.body),
  'POST /api/folders/{folder}/archive': ctx => change(ctx, 'archive', {}),
  'POST /api/folders/{folder}/restore': ctx => change(ctx, 'restore', {}),
  'DELETE /api/folders/{folder}/videos/{video}': async ctx => {
    const { video } = ctx.params
    assertFound(hasOrHadVideo(await loadOwnFolder(ctx, ctx.params.folder), video))
    return decide(ctx, 'removeVideo', { video })
  },

  'GET /api/folders/{folder}/videos/{video}/original': async ctx => {
    const { videos } = await loadOwnFolder(ctx, ctx.params.folder)
    const { key, name } = assertFound(videos.find(v => v.id === ctx.params.video))
    return { url: await ctx.deps.objects.signDownload(key, name) }
  },
  'PUT /api/folders/{folder}/videos/{video}/capture-rate': async ctx => {
    const { folder: of, video } = ctx.params
    const { videos } = ctx.user.role === 'player' ? await loadOwnFolder(ctx, of) : await loadVideosOfOwnSessionsInFolder(ctx, of)
    assertFound(videos.some(v => v.id === video))
    return decide(ctx, 'setCaptureRate', { video, rate: ctx.body.rate, by: ctx.user.id })
  },

  'GET /api/folders/{folder}/quote': async ctx => {
    const state = await loadOwnFolder(ctx, ctx.params.folder)
    const { refusedVideos } = await preparationResultsOf(ctx.deps, state.videos)
    const videos = nextSessionVideos(state, refusedVideos)
    return quotePriceBeforeReview({
      videos: videos.filter(v => !refusedVideos.includes(v.id)),
      terms: await nextPriceTerms(ctx.deps, ctx.user.id),
    })
  },

  'POST /api/folders/{folder}/assign': withCaughtUpReadModels(['payments'], async ctx => {
    const { deps, user, params, body, by, address } = ctx
    const state = await loadOwnFolder(ctx, params.folder)
    const { assignment, instructor, message = null, seen } = body
    const { refusedVideos } = await preparationResultsOf(deps, state.videos)
    const videos = nextSessionVideos(state, refusedVideos)
    const assignmentRequest = { assignment, instructor, message: message || null, videos, refusedVideos }
    // `isNewAssignmentOrThrow` throws if the folder cannot be assigned, before anything is reserved. A repeated assignment needs no price, because
    // it writes nothing.
    if (!isNewAssignmentOrThrow(state, assignmentRequest)) {
      const { position } = await handleCommand(
        deps.store,
        { ...folderDecider, decide: { assign: () => [] } },
        params.folder,
        'assign',
        {},
        by,
      )
      return commandReply(position)
    }
    if (videos.some(v => refusedVideos.includes(v.id))) {
      throw new CommandRefused('One of these videos cannot be played. Replace or remove it, then assign the folder.', 'unseen')
    }
    await assertConsent(deps, user.id)
    const payer = assertFound(await payerOf(deps.sql, user.id, deps.clock()))
    if (!(await isProfileComplete(deps.sql, instructor))) {
      throw new CommandRefused('This instructor is not taking folders right now. Choose another.', 'no-instructor', 'instructor')
    }
    await assertInstructorTakesFolders(deps, await playerWithMinorStatus(deps, user), instructor)
    await deps.limits.take('assign', address, user.id)
    try {
      const who = { assignment, folder: params.folder, player: user.id, payer, instructor, videos, seen }
      const { giveBack, needsApproval, ...agreed } = await reserveForAssignment(deps, who, by)
      const done = needsApproval
        ? decide({ ...ctx, by: { ...by, command: derivedId(by.command, 'request approval') } }, 'requestApproval', {
            ...assignmentRequest,
            ...agreed,
          })
        : decide(ctx, 'assign', { ...assignmentRequest, ...agreed })
      return await done.catch(async error => {
        if (error instanceof CommandRefused || error instanceof RevisionConflict) await giveBack()
        throw error
      })
    } catch (error) {
      // A copy of this request may have assigned the folder, in which case the payer still needs the card.
      if (error instanceof CommandRefused && !(await isAssignmentInEffect(deps.store, params.folder, assignment)))
        await unblockLastCardRemoval(deps.store, payer.id, assignment)
      throw error
    }
  }),
  'POST /api/folders/{folder}/withdraw': async ctx => {
    await loadOwnFolder(ctx, ctx.params.folder)
    return decide(ctx, 'withdraw', ctx.query)
  },
  'POST /api/folders/{folder}/question': async ctx => {
    const { sessions } = await loadOwnFolder(ctx, ctx.params.folder)
    const { about } = ctx.body
    await assertConsent(ctx.deps, ctx.user.id)
    const requestedSession = sessions.findLast(s => (ctx.query.session ? s.id === ctx.query.session : s.status !== 'ended'))
    if (requestedSession) await assertInstructorTakesQuestions(ctx.deps, requestedSession.instructor)
    const frames = about && (await preparationResultsOf(ctx.deps, [{ id: about.video }])).frames
    return decide(ctx, 'ask', { ...ctx.body, session: ctx.query.session, frames })
  },

  'GET /api/queue': withCaughtUpReadModels(['folders', 'assignments'], ({ deps, user }) => instructorQueue(deps, user.id)),
  'GET /api/queue/waiting': withCaughtUpReadModels(['folders', 'assignments'], ({ deps, user, query }) =>
    pageOfWaitingSessions(deps, user.id, query.after[0]),
  ),
  'GET /api/queue/delivered': withCaughtUpReadModels(['folders', 'assignments'], ({ deps, user, query }) =>
    pageOfDeliveredSessions(deps, user.id, query.before?.[0]),
  ),
  'POST /api/folders/{folder}/review': ctx => review(ctx, 'startReview', {}),
  'POST /api/folders/{folder}/decline': ctx => review(ctx, 'decline', ctx.body),

  'GET /api/folders/{folder}/draft': withCaughtUpReadModels(['progress'], async ctx => {
    const { id, instructor, review } = await loadAssignedSession(ctx, ctx.params.folder, ctx.query.session)
    if (review) return { revision: 0, draft: null }
    const storedDraft = await draftOf(ctx.deps.sql, { assignment: id, instructor })
    if (storedDraft.draft) return storedDraft
    // A new draft starts with the goals that are still open from earlier sessions.
    const goals = carriedOverGoals(id, await deliveredSessionsOfSamePlayerAndInstructor(ctx.deps.sql, id))
    return { ...storedDraft, draft: goals.length ? { notes: [], summary: '', grades: [], goals } : null }
  }),
  'PUT /api/folders/{folder}/draft': async ctx => {
    const { id, instructor, status, review: given } = await loadAssignedSession(ctx, ctx.params.folder, ctx.query.session)
    if (given) throw new CommandRefused('This feedback has been delivered, so there is nothing left to save.', 'delivered')
    if ((await heldDeliveriesByAssignment(ctx.deps.sql, [id])).get(id)?.until) {
      throw new CommandRefused('This feedback is being delivered. Undo the delivery to change it.', 'delivering')
    }
    // The instructor's first saved draft starts the review. The player sees that, and can no longer take the folder back.
    const started = status === 'assigned' ? await review(ctx, 'startReview', {}) : undefined
    const { revision, draft } = ctx.body
    const saved = await saveDraft(ctx.deps.sql, { assignment: id, instructor }, revision, draft, ctx.deps.clock())
    if (saved === null) {
      throw new Problem(409, 'This review was changed in another tab. Load the latest version, then continue.', 'draft-changed')
    }
    return started ? commandReply(started.position, { revision: saved }) : { revision: saved }
  },
  'GET /api/folders/{folder}/comparable': withCaughtUpReadModels(['folders', 'assignments'], async ctx => {
    const { deps, user, params } = ctx
    const { state } = await loadFolderAndInstructorSession(ctx, params.folder)
    const sessions = (await sessionsOfFolderOrPlayer(deps.sql, 'player', state.player!)).filter(s => s.instructor.id === user.id)
    const rows = new Map((await foldersWithIds(deps.sql, [...new Set(sessions.map(s => s.folder))])).map(row => [row.id, row]))
    const sessionsWithFolder = sessions.filter(s => rows.has(s.folder))
    const [view, points] = await Promise.all([
      folderPresenter(deps, [...rows.values()], 'instructor'),
      techniquePositionsOfSessions(
        deps.sql,
        sessionsWithFolder.map(s => s.id),
      ),
    ])
    return { sessions: await Promise.all(sessionsWithFolder.map(s => view.comparable(rows.get(s.folder)!, s, points.get(s.id)))) }
  }),
  'GET /api/folders/{folder}/technique': withCaughtUpReadModels(['folders', 'assignments'], async ({ deps, user, params, query }) => {
    const [there, all] = await Promise.all([folderOf(deps.sql, params.folder), sessionsOfFolderOrPlayer(deps.sql, 'folder', params.folder)])
    const { viewer, sessions } = readableSessions(user, there, all)
    const shown = query.session === undefined ? sessions[0] : assertFound(sessions.find(s => s.id === query.session))
    const of = { player: assertFound(there).player.id, ...(viewer === 'instructor' && { instructor: user.id }) }
    return { before: shown ? await latestTechniquePositionsBySkill(deps, { ...of, before: shown.given }, viewer) : [] }
  }),
  'POST /api/folders/{folder}/answer': async ctx => {
    await loadAssignedSession(ctx, ctx.params.folder, ctx.query.session)
    await assertMayWriteToPlayers(ctx.deps, ctx.user.id)
    return review(ctx, 'answer', ctx.body)
  },
})

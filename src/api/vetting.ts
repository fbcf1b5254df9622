import { consumeEmailedLink, findEmailedLink } from '../../modules/accounts/emailed-links.ts'
import { addDays, utcDayOf } from '../../modules/dates.ts'
import { invalidateProfilePagesOf } from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { wasErrandEnqueued } from '../../modules/jobs/outbox.ts'
import { type CommandPayload, handleCommand } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'
import { vettingContract as contract } from '../../modules/vetting/contract.ts'
import { vettingDecider } from '../../modules/vetting/vetting.ts'
import { pageOfInstructorVettings, vettingCounts, vettingOfInstructor } from '../../projections/vetting-queries.ts'
import { commandIdOfRequestUsingEmailedLink } from './command-id-of-request-using-emailed-link.ts'
import { requestInstructorEmailConfirmation } from './instructor-email-confirmation-letters.ts'
import { assertFound, notFound, Problem } from './problem.ts'
import { commandReply, type RequestContext, routesOfContract, withCaughtUpReadModels } from './routing.ts'

const READ_MODELS = ['vettings', 'assignments', 'responses', 'payments', 'requests']

type Commands = typeof vettingDecider.decide
type CallContext = Pick<RequestContext, 'deps' | 'by'> & { params: { instructor: string } }

/** @throws Problem 404 if there is no such instructor */
async function assertInstructor({ deps, params }: CallContext) {
  if (!(await deps.sql`select 1 from instructors where id = ${params.instructor}`).length) throw notFound()
}

/** Runs a command about an instructor; the reply carries the position of its events. */
async function decide<C extends keyof Commands>(ctx: CallContext, what: C, payload: CommandPayload<Commands, C>) {
  await assertInstructor(ctx)
  const { position } = await handleCommand(ctx.deps.store, vettingDecider, ctx.params.instructor, what, payload, ctx.by)
  return commandReply(position)
}

/** Ends the days that an administrator gave, and those that came with a referral code, which are in the table of instructors. */
async function stopFeaturing(ctx: CallContext) {
  const { sql, clock } = ctx.deps
  const { instructor } = ctx.params
  const referred = await sql`select 1 from instructors where id = ${instructor} and featured_until > ${clock()}`
  const reply = await decide(ctx, 'feature', { until: null, isFeaturedByReferral: referred.length > 0 })
  await sql.begin(async tx => {
    await tx`update instructors set featured_until = null where id = ${instructor}`
    await invalidateProfilePagesOf(tx, instructor)
  })
  return reply
}

export const vettingRoutes = routesOfContract(contract, {
  'GET /api/admin/instructors': withCaughtUpReadModels(READ_MODELS, async ({ deps, query: { status, search, ...page } }) => {
    const [{ rows, next }, counts] = await Promise.all([
      pageOfInstructorVettings(deps.sql, status, search, deps.clock(), page),
      vettingCounts(deps.sql),
    ])
    return { instructors: rows, next, counts }
  }),
  'GET /api/admin/instructors/{instructor}': withCaughtUpReadModels(READ_MODELS, async ({ deps, params }) =>
    assertFound(await vettingOfInstructor(deps.sql, params.instructor, deps.clock())),
  ),

  'POST /api/admin/instructors/{instructor}/approve': ctx => decide(ctx, 'approve', {}),
  'POST /api/admin/instructors/{instructor}/decline': ctx => decide(ctx, 'decline', ctx.body),
  'POST /api/admin/instructors/{instructor}/suspend': ctx => decide(ctx, 'suspend', ctx.body),
  'POST /api/admin/instructors/{instructor}/reinstate': ctx => decide(ctx, 'reinstate', {}),
  'POST /api/admin/instructors/{instructor}/feature': ctx => {
    const { days } = ctx.body
    return days ? decide(ctx, 'feature', { until: addDays(ctx.deps.clock(), days).toISOString() }) : stopFeaturing(ctx)
  },
  'POST /api/admin/instructors/{instructor}/checks': ctx => decide(ctx, 'recordCheck', { ...ctx.body, today: utcDayOf(ctx.deps.clock()) }),
  'POST /api/admin/instructors/{instructor}/checks/{check}/withdraw': ctx =>
    decide(ctx, 'withdrawCheck', { check: ctx.params.check, reason: ctx.body.reason }),

  'POST /api/admin/instructors/{instructor}/email-confirmation': async ctx => {
    await assertInstructor(ctx)
    await ctx.deps.sql.begin(tx => requestInstructorEmailConfirmation(tx, ctx.deps, ctx.params.instructor))
  },
  'POST /api/profile/email-confirmation': async ({ deps, user, address }) => {
    await deps.limits.take('recovery', address, user.id)
    await deps.sql.begin(tx => requestInstructorEmailConfirmation(tx, deps, user.id))
  },
  'POST /api/email-confirmation/{token}': async ctx => {
    const { deps, params, address, by } = ctx
    await deps.limits.take('link', address)
    const now = deps.clock()
    const confirmedErrand = (person: string) =>
      errand({ id: commandIdOfRequestUsingEmailedLink(ctx) }, 'account.email-confirmed', { person })
    const link = await findEmailedLink(deps.sql, now, 'confirm-email', params.token)
    if (!link?.owner) {
      // This request may have succeeded before: if its reply was lost, the browser sends it again.
      if (await wasErrandEnqueued(deps.sql, confirmedErrand('').id)) return undefined
      throw new Problem(410, 'This link has already been used or has expired. Log in and ask for a new one.', 'link-over')
    }
    const { owner } = link
    const { position } = await handleCommand(deps.store, vettingDecider, owner, 'confirmEmail', {}, { ...by, actor: owner })
    // Use up the link only after the log has the confirmation, so that the instructor can retry after an interruption.
    await deps.sql.begin(async tx => {
      if (await consumeEmailedLink(tx, now, 'confirm-email', params.token)) await deps.post(tx, [confirmedErrand(owner)])
    })
    return commandReply(position)
  },
})

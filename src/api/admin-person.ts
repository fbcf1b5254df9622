import { adminPersonContract as contract } from '../../modules/admin-person/contract.ts'
import { addDays } from '../../modules/dates.ts'
import { fold, handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { streamOf } from '../../modules/kernel/store.ts'
import {
  debtCentsOfPayoutState,
  debtWaiversOf,
  payoutAccountAndDebtDecider,
} from '../../modules/payments/payout-account-and-debt-decider.ts'
import { accountDecider, loadAccountPrivacyState } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { DELETION_GRACE_DAYS } from '../../modules/privacy/policy.ts'
import { creditsAndPointsDecider, unusedPackageCredits } from '../../modules/rewards/credits-and-points-decider.ts'
import { accountAndFamilyForAdmin, lettersForAdmin, personRecordsForAdmin } from '../../projections/admin-person-queries.ts'
import { obligationsBeforeDeletion } from './account-deletion.ts'
import { obstaclesToScheduledDeletion } from './deletion-obstacle-messages.ts'
import { assertFound, notFound } from './problem.ts'
import { commandReply, type RequestContext, routesOfContract, withCaughtUpReadModels } from './routing.ts'

const PERSON_READ_MODELS = ['folders', 'assignments', 'approvals', 'payments', 'purchases', 'requests', 'vettings', 'responses']

/** @throws Problem 404 if this is not the account of a player or an instructor: only those can be closed */
async function assertClosable({ deps, params }: Pick<RequestContext, 'deps'> & { params: { person: string } }) {
  const found = await deps.sql`select 1 from users where id = ${params.person} and role in ('player', 'instructor')`
  if (!found.length) throw notFound()
}

export const adminPersonRoutes = routesOfContract(contract, {
  'GET /api/admin/people/{person}': withCaughtUpReadModels(
    PERSON_READ_MODELS,
    async ({ deps: { sql, store, clock }, params: { person: id } }) => {
      const person = assertFound(await accountAndFamilyForAdmin(sql, id))
      const isPlayer = person.kind === 'player'
      const [belongings, letters, deletion, perksEvents, payout] = await Promise.all([
        personRecordsForAdmin(sql, person, clock()),
        lettersForAdmin(sql, person),
        loadAccountPrivacyState(store, id),
        isPlayer ? store.read(streamOf(creditsAndPointsDecider.stream, id)) : null,
        person.kind === 'instructor' ? loadState(store, payoutAccountAndDebtDecider, id) : null,
      ])
      const rewards = perksEvents && fold(creditsAndPointsDecider, perksEvents)
      return {
        ...person,
        ...belongings,
        letters,
        debt: payout && debtCentsOfPayoutState(payout),
        waivers: payout ? debtWaiversOf(payout) : [],
        deletionDue: deletion.due,
        deletionWaitsFor: deletion.due && obstaclesToScheduledDeletion(await obligationsBeforeDeletion({ sql, clock }, id, deletion)),
        closingReason: deletion.closingReason,
        rewards: rewards && { points: rewards.points, sessions: unusedPackageCredits(rewards) },
      }
    },
  ),

  'POST /api/admin/people/{person}/close': async ctx => {
    const { deps, params, body, by } = ctx
    await assertClosable(ctx)
    const closing = { due: addDays(deps.clock(), DELETION_GRACE_DAYS).toISOString(), reason: body.reason }
    const { position } = await handleCommand(deps.store, accountDecider, params.person, 'close', closing, by)
    await deps.sessions.endAll(params.person)
    return commandReply(position)
  },
  'POST /api/admin/people/{person}/reopen': async ctx => {
    const { deps, params, by } = ctx
    await assertClosable(ctx)
    return commandReply((await handleCommand(deps.store, accountDecider, params.person, 'reopen', {}, by)).position)
  },
})

import { adminPersonContract as contract } from '../../modules/admin-person/contract.ts'
import { fold, loadState } from '../../modules/kernel/decider.ts'
import { streamOf } from '../../modules/kernel/store.ts'
import { debtCentsOf, debtWaiversOf, payoutAccountDecider } from '../../modules/payments/payout-account.ts'
import { accountOf } from '../../modules/privacy/account.ts'
import { rewardBalanceDecider, unusedPackageCredits } from '../../modules/rewards/reward-balance.ts'
import { lettersForAdmin, personForAdmin, personRecordsForAdmin } from '../../projections/admin-person.ts'
import { assertFound } from './problem.ts'
import { routesOfContract, withCaughtUpReadModels } from './routing.ts'

const PERSON_READ_MODELS = ['folders', 'assignments', 'payments', 'purchases', 'requests', 'vettings', 'responses']

export const adminPersonRoutes = routesOfContract(contract, {
  'GET /api/admin/people/{person}': withCaughtUpReadModels(
    PERSON_READ_MODELS,
    async ({ deps: { sql, store, clock }, params: { person: id } }) => {
      const person = assertFound(await personForAdmin(sql, id))
      const isPlayer = person.kind === 'player'
      const [belongings, letters, deletion, perksEvents, payout] = await Promise.all([
        personRecordsForAdmin(sql, person, clock()),
        lettersForAdmin(sql, person),
        accountOf(store, id),
        isPlayer ? store.read(streamOf(rewardBalanceDecider.stream, id)) : null,
        person.kind === 'instructor' ? loadState(store, payoutAccountDecider, id) : null,
      ])
      const rewards = perksEvents && fold(rewardBalanceDecider, perksEvents)
      return {
        ...person,
        ...belongings,
        letters,
        debt: payout && debtCentsOf(payout),
        waivers: payout ? debtWaiversOf(payout) : [],
        deletionDue: deletion.due,
        rewards: rewards && { points: rewards.points, sessions: unusedPackageCredits(rewards) },
      }
    },
  ),
})

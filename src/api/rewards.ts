import { fold } from '../../modules/kernel/decider.ts'
import { streamOf } from '../../modules/kernel/store.ts'
import { REFERRAL_DISCOUNT_PERCENT } from '../../modules/payments/policy.ts'
import { centsOfPoints, MAX_POINTS_PER_ASSIGNMENT } from '../../modules/payments/pricing.ts'
import { rewardsContract as contract } from '../../modules/rewards/contract.ts'
import {
  creditsAndPointsDecider,
  pointsHistoryOf,
  priceTermsOf,
  unusedPackageCredits,
} from '../../modules/rewards/credits-and-points-decider.ts'
import { REFERRAL_POINTS } from '../../modules/rewards/policy.ts'
import { countReferralsForCode, findOrCreateReferralCode, referralOfUser } from '../../modules/rewards/referral-codes-table.ts'
import { routesOfContract } from './routing.ts'

export const rewardRoutes = routesOfContract(contract, {
  'GET /api/rewards': async ({ deps: { sql, store }, user }) => {
    const events = await store.read(streamOf(creditsAndPointsDecider.stream, user.id))
    const p = fold(creditsAndPointsDecider, events)
    const [code, referral] = await Promise.all([findOrCreateReferralCode(sql, user.id), referralOfUser(sql, user.id)])
    return {
      code,
      points: p.points,
      worth: centsOfPoints(p.points),
      atMost: centsOfPoints(MAX_POINTS_PER_ASSIGNMENT),
      perFriend: REFERRAL_POINTS,
      percentOff: REFERRAL_DISCOUNT_PERCENT,
      discount: priceTermsOf({ ...p, packs: {} }, referral).referral,
      friends: { joined: await countReferralsForCode(sql, code), rewarded: events.filter(e => e.type === 'PointsEarned').length },
      credits: unusedPackageCredits(p),
      history: pointsHistoryOf(events).reverse(),
    }
  },
})

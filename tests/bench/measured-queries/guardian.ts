import {
  childrenOf,
  currentGuardianOf,
  guardianById,
  guardianIdByEmail,
  hasAnyGuardianAgreed,
} from '../../../modules/accounts/guardians.ts'
import { approvalRequestOf, pendingApprovalRequestsOf } from '../../../projections/approvals.ts'
import { instructorsOfPlayers } from '../../../projections/assignments.ts'
import { hasGuardianObligations } from '../../../projections/obligations.ts'
import { latestPurchases, pageOfPurchases, purchaseOfOwner } from '../../../projections/package-purchases.ts'
import { latestPayments, mustKeepCard, pageOfSettledPayments, paymentOfOwner } from '../../../projections/payments.ts'
import { HEAVY_GUARDIAN, HEAVY_GUARDIAN_EMAIL, HEAVY_PLAYER, HEAVY_SESSION, PURCHASE } from '../large-installation.ts'
import { LATE_ROW, listOfFolders, wholeFolder } from './player.ts'
import type { Queries } from './queries.ts'

/** What the guardian of the player with the most folders pays. */
const FAMILY = { payer: HEAVY_GUARDIAN, players: [HEAVY_PLAYER] }

export const guardianQueries: Queries = {
  'guardian: the family': (sql, now) =>
    Promise.all([
      guardianById(sql, HEAVY_GUARDIAN),
      guardianIdByEmail(sql, HEAVY_GUARDIAN_EMAIL),
      childrenOf(sql, HEAVY_GUARDIAN, now),
      currentGuardianOf(sql, HEAVY_PLAYER),
      hasAnyGuardianAgreed(sql, HEAVY_PLAYER),
      hasGuardianObligations(sql, HEAVY_GUARDIAN),
    ]),
  'guardian: folders of a child': (sql, now) =>
    Promise.all([listOfFolders(sql, HEAVY_PLAYER), instructorsOfPlayers(sql, [HEAVY_PLAYER], now)]),
  'guardian: a folder': wholeFolder,
  'guardian: requests for approval': (sql, now) =>
    Promise.all([pendingApprovalRequestsOf(sql, [HEAVY_PLAYER], now), approvalRequestOf(sql, HEAVY_SESSION)]),
  'guardian: bills and packages of the family': (sql, now) =>
    Promise.all([latestPayments(sql, FAMILY, now), latestPurchases(sql, FAMILY), pageOfSettledPayments(sql, FAMILY, now, LATE_ROW)]),
  'guardian: last packages': sql => pageOfPurchases(sql, FAMILY, LATE_ROW),
  'guardian: a receipt': (sql, now) =>
    Promise.all([paymentOfOwner(sql, HEAVY_SESSION, FAMILY, now), purchaseOfOwner(sql, PURCHASE, FAMILY)]),
  'guardian: before a card is removed': sql => mustKeepCard(sql, HEAVY_GUARDIAN, [HEAVY_PLAYER]),
}

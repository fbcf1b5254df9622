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
import { mustKeepCard, openAndLatestPaymentsOfPayer, pageOfSettledPayments, paymentOfOwner } from '../../../projections/payments.ts'
import { BUSIEST_GUARDIAN, BUSIEST_GUARDIAN_EMAIL, BUSIEST_PLAYER, PURCHASE_ID, SESSION_OF_BUSIEST_PLAYER } from '../large-installation.ts'
import { LATE_ROW, listOfFolders, wholeFolder } from './player.ts'
import type { Queries } from './queries.ts'

/** What the guardian of the player with the most folders pays. */
const FAMILY = { payer: BUSIEST_GUARDIAN, players: [BUSIEST_PLAYER] }

export const guardianQueries: Queries = {
  'guardian: the family': (sql, now) =>
    Promise.all([
      guardianById(sql, BUSIEST_GUARDIAN),
      guardianIdByEmail(sql, BUSIEST_GUARDIAN_EMAIL),
      childrenOf(sql, BUSIEST_GUARDIAN, now),
      currentGuardianOf(sql, BUSIEST_PLAYER),
      hasAnyGuardianAgreed(sql, BUSIEST_PLAYER),
      hasGuardianObligations(sql, BUSIEST_GUARDIAN),
    ]),
  'guardian: folders of a child': (sql, now) =>
    Promise.all([listOfFolders(sql, BUSIEST_PLAYER), instructorsOfPlayers(sql, [BUSIEST_PLAYER], now)]),
  'guardian: a folder': wholeFolder,
  'guardian: requests for approval': (sql, now) =>
    Promise.all([pendingApprovalRequestsOf(sql, [BUSIEST_PLAYER], now), approvalRequestOf(sql, SESSION_OF_BUSIEST_PLAYER)]),
  'guardian: bills and packages of the family': (sql, now) =>
    Promise.all([
      openAndLatestPaymentsOfPayer(sql, FAMILY, now),
      latestPurchases(sql, FAMILY),
      pageOfSettledPayments(sql, FAMILY, now, LATE_ROW),
    ]),
  'guardian: last packages': sql => pageOfPurchases(sql, FAMILY, LATE_ROW),
  'guardian: a receipt': (sql, now) =>
    Promise.all([paymentOfOwner(sql, SESSION_OF_BUSIEST_PLAYER, FAMILY, now), purchaseOfOwner(sql, PURCHASE_ID, FAMILY)]),
  'guardian: before a card is removed': sql => mustKeepCard(sql, BUSIEST_GUARDIAN, [BUSIEST_PLAYER]),
}

import {
  childrenOf,
  currentGuardianAndConsentOf,
  guardianById,
  guardianIdByEmail,
  hasAnyGuardianEverAgreed,
} from '../../../modules/accounts/guardian-tables.ts'
import { approvalRequestOfAssignment, pendingApprovalRequestsOfPlayers } from '../../../projections/approvals.ts'
import { instructorsOfPlayers } from '../../../projections/assignments.ts'
import { hasGuardianObligations, mustKeepCard } from '../../../projections/deletion-obstacles.ts'
import { latestPurchases, pageOfPurchases, purchaseOfOwner } from '../../../projections/package-purchases.ts'
import { openAndLatestPaymentsOfPayer, pageOfSettledPaymentsOfPayer, paymentOfOwner } from '../../../projections/payments.ts'
import {
  BUSIEST_PLAYER_ID,
  GUARDIAN_EMAIL_OF_BUSIEST_PLAYER,
  GUARDIAN_ID_OF_BUSIEST_PLAYER,
  PURCHASE_ID,
  SESSION_ID_OF_BUSIEST_PLAYER,
} from '../large-installation-constants.ts'
import { folderListWithDetails, runFolderPageQueries, SORT_KEY_NEAR_LIST_END } from './player.ts'
import type { QueryMap } from './query-map-type.ts'

/** The owner argument of the payment and package queries: the player with the most folders, and their guardian as payer. */
const FAMILY = { payer: GUARDIAN_ID_OF_BUSIEST_PLAYER, players: [BUSIEST_PLAYER_ID] }

export const guardianQueries: QueryMap = {
  'guardian: the family': (sql, now) =>
    Promise.all([
      guardianById(sql, GUARDIAN_ID_OF_BUSIEST_PLAYER),
      guardianIdByEmail(sql, GUARDIAN_EMAIL_OF_BUSIEST_PLAYER),
      childrenOf(sql, GUARDIAN_ID_OF_BUSIEST_PLAYER, now),
      currentGuardianAndConsentOf(sql, BUSIEST_PLAYER_ID),
      hasAnyGuardianEverAgreed(sql, BUSIEST_PLAYER_ID),
      hasGuardianObligations(sql, GUARDIAN_ID_OF_BUSIEST_PLAYER),
    ]),
  'guardian: folders of a child': (sql, now) =>
    Promise.all([folderListWithDetails(sql, BUSIEST_PLAYER_ID), instructorsOfPlayers(sql, [BUSIEST_PLAYER_ID], now)]),
  'guardian: a folder': runFolderPageQueries,
  'guardian: requests for approval': (sql, now) =>
    Promise.all([
      pendingApprovalRequestsOfPlayers(sql, [BUSIEST_PLAYER_ID], now),
      approvalRequestOfAssignment(sql, SESSION_ID_OF_BUSIEST_PLAYER),
    ]),
  'guardian: bills and packages of the family': (sql, now) =>
    Promise.all([
      openAndLatestPaymentsOfPayer(sql, FAMILY, now),
      latestPurchases(sql, FAMILY),
      pageOfSettledPaymentsOfPayer(sql, FAMILY, now, SORT_KEY_NEAR_LIST_END),
    ]),
  'guardian: last packages': sql => pageOfPurchases(sql, FAMILY, SORT_KEY_NEAR_LIST_END),
  'guardian: a receipt': (sql, now) =>
    Promise.all([paymentOfOwner(sql, SESSION_ID_OF_BUSIEST_PLAYER, FAMILY, now), purchaseOfOwner(sql, PURCHASE_ID, FAMILY)]),
  'guardian: before a card is removed': sql => mustKeepCard(sql, GUARDIAN_ID_OF_BUSIEST_PLAYER),
}

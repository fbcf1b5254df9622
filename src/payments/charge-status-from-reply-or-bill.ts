import type { Payment } from '../../modules/payments/contract.ts'
import type { Reply } from '../client/api.ts'

/**
 * The server's reply when the payer pressed Pay, and what the screen showed at that moment: the bill, the tip in cents, and the id of the
 * card (undefined if it showed none, so that the server chose it).
 */
export interface PayReplyAndShownBill {
  bill: Payment
  tip: number
  card: string | undefined
  reply: Reply<'POST /api/payments/{payment}/pay'>
}

/**
 * What became of a bill's last charge: what the server replied to the payer's attempt, or what the bill says once it is fetched again.
 * @param isBackFromBank the payer has just returned from the bank's page, so a bill that still needs authentication counts as processing
 */
export function billChargeStatus(bill: Payment, attempt?: PayReplyAndShownBill, isBackFromBank = false) {
  const { status, failure } = attempt?.bill === bill ? attempt.reply : bill
  // The bill does not contain the URL of the bank's page, so the reply's URL is used as long as the bank waits for the payer.
  const isBankWaiting = status === 'failed' && failure?.reason === 'authentication-needed'
  if (isBankWaiting && isBackFromBank && !attempt) return { isProcessing: true, isFailed: false, failure: null, bankPageUrl: null }
  const bankPageUrl = isBankWaiting ? (attempt?.reply.url ?? null) : null
  return { isProcessing: status === 'processing', isFailed: status === 'failed', failure, bankPageUrl }
}

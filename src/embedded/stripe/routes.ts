import type { ApiHandler } from './api-handler-types.ts'
import * as accounts from './resources/accounts.ts'
import * as accountsV2 from './resources/accounts-v2.ts'
import * as balance from './resources/balance.ts'
import * as charges from './resources/charges.ts'
import * as sessions from './resources/checkout-sessions.ts'
import * as customers from './resources/customers.ts'
import * as disputes from './resources/disputes.ts'
import * as events from './resources/events.ts'
import * as confirmations from './resources/payment-intent-confirmation.ts'
import * as intents from './resources/payment-intents.ts'
import * as methods from './resources/payment-methods.ts'
import * as refunds from './resources/refunds.ts'
import * as setups from './resources/setup-intents.ts'
import * as transfers from './resources/transfers.ts'

/** The part of Stripe's API that the sandbox implements. The first matching pattern handles a request. */
const table: Record<string, ApiHandler> = {
  'POST /v1/customers': customers.createCustomer,
  'GET /v1/customers': customers.listCustomers,
  'GET /v1/customers/search': customers.searchCustomers,
  'GET /v1/customers/:': customers.retrieveCustomer,
  'POST /v1/customers/:': customers.updateCustomer,
  'GET /v1/customers/:/payment_methods': methods.listPaymentMethodsOfCustomer,
  'GET /v1/payment_methods': methods.listPaymentMethods,
  'GET /v1/payment_methods/:': methods.retrievePaymentMethod,
  'POST /v1/payment_methods/:/attach': methods.attachPaymentMethod,
  'POST /v1/payment_methods/:/detach': methods.detachPaymentMethod,
  'POST /v1/setup_intents': setups.createSetupIntent,
  'GET /v1/setup_intents': setups.listSetupIntents,
  'GET /v1/setup_intents/:': setups.retrieveSetupIntent,
  'POST /v1/setup_intents/:/confirm': setups.confirmSetupIntent,
  'POST /v1/payment_intents': confirmations.createPaymentIntent,
  'GET /v1/payment_intents': intents.listPaymentIntents,
  'GET /v1/payment_intents/search': intents.searchPaymentIntents,
  'GET /v1/payment_intents/:': intents.retrievePaymentIntent,
  'POST /v1/payment_intents/:/confirm': confirmations.confirmPaymentIntent,
  'POST /v1/payment_intents/:/cancel': intents.cancelPaymentIntent,
  'POST /v1/checkout/sessions': sessions.createCheckoutSession,
  'GET /v1/checkout/sessions': sessions.listCheckoutSessions,
  'GET /v1/checkout/sessions/:': sessions.retrieveCheckoutSession,
  'GET /v1/checkout/sessions/:/line_items': sessions.listCheckoutLineItems,
  'POST /v1/checkout/sessions/:/expire': sessions.expireCheckoutSession,
  'GET /v1/charges': charges.listCharges,
  'GET /v1/charges/:': charges.retrieveCharge,
  'POST /v1/refunds': refunds.createRefund,
  'GET /v1/refunds': refunds.listRefunds,
  'GET /v1/refunds/:': refunds.retrieveRefund,
  'POST /v1/transfers': transfers.createTransfer,
  'GET /v1/transfers': transfers.listTransfers,
  'GET /v1/transfers/:': transfers.retrieveTransfer,
  'POST /v1/transfers/:/reversals': transfers.createTransferReversal,
  'GET /v1/transfers/:/reversals': transfers.listTransferReversals,
  'POST /v1/accounts': accounts.createAccount,
  'GET /v1/accounts': accounts.listAccounts,
  'GET /v1/accounts/:': accounts.retrieveAccount,
  'POST /v1/accounts/:': accounts.updateAccount,
  'POST /v1/accounts/:/login_links': accounts.createLoginLink,
  'POST /v1/account_links': accounts.createAccountLink,
  'POST /v2/core/accounts': accountsV2.createAccountV2,
  'GET /v2/core/accounts/:': accountsV2.retrieveAccountV2,
  'POST /v2/core/account_links': accountsV2.createAccountLinkV2,
  'GET /v1/balance': balance.retrieveBalance,
  'GET /v1/balance_transactions': balance.listBalanceTransactions,
  'GET /v1/balance_transactions/:': balance.retrieveBalanceTransaction,
  'GET /v1/disputes': disputes.listDisputes,
  'GET /v1/disputes/:': disputes.retrieveDispute,
  'POST /v1/disputes/:/close': disputes.closeDispute,
  'GET /v1/events': events.listEvents,
  'GET /v1/events/:': events.retrieveEvent,
}

const routes = Object.entries(table).map(([name, handler]) => {
  const [method, path] = name.split(' ') as [string, string]
  return { method, pattern: new RegExp(`^${path.replaceAll(':', '([^/]+)')}$`), handler }
})

export function findRoute(method: string, path: string) {
  for (const r of routes) {
    const found = r.method === method ? r.pattern.exec(path) : null
    if (found) return { handler: r.handler, at: found.slice(1).map(decodeURIComponent) }
  }
}

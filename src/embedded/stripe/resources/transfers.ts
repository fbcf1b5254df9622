import type Stripe from 'stripe'
import { z } from 'zod'
import type { ApiHandler } from '../api-handler-types.ts'
import { accountBalanceCents, payOutDueSandboxBalance } from '../calculate-account-balance-and-pay-out.ts'
import { sandboxNowMs } from '../clock-and-starting-balance.ts'
import { pageOfList } from '../paginate-lists-and-searches.ts'
import { newStripeId, type SandboxStore } from '../store.ts'
import { invalidRequest, noSuchObject } from '../stripe-error.ts'
import { currencyParameter, integerParameter, metadataParameter, textParameter, validateParameters } from '../validate-parameters.ts'
import { connectedAccountOf } from './accounts.ts'
import { addBalanceTransaction, platformAvailableCents } from './balance.ts'
import { findChargeOrThrow } from './charges.ts'
import { emitStripeEvent } from './events.ts'
import { hasDisputeWithdrawnFunds } from './refunds.ts'

const creation = z.strictObject({
  amount: integerParameter.pipe(z.number().min(1)),
  currency: currencyParameter,
  destination: textParameter,
  source_transaction: textParameter.optional(),
  transfer_group: textParameter.optional(),
  description: textParameter.optional(),
  metadata: metadataParameter,
})

export const createTransfer: ApiHandler = ({ store, form }) => {
  const transferInput = validateParameters(creation, form)
  const { amount, source_transaction: source } = transferInput
  const account = connectedAccountOf(store, transferInput.destination, 'destination')
  const group = source ? groupOf(store, source, transferInput.transfer_group) : (transferInput.transfer_group ?? null)
  if (account.capabilities?.transfers !== 'active')
    throw invalidRequest(
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      'insufficient_capabilities_for_transfer',
    )
  if (source) sourceCovers(store, source, amount)
  else if (amount > platformAvailableCents(store))
    throw invalidRequest(
      'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card.',
      'balance_insufficient',
    )
  const id = newStripeId('tr')
  const transfer: Stripe.Transfer = {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: addBalanceTransaction(store, 'transfer', id, -amount),
    created: Math.floor(sandboxNowMs(store) / 1000),
    currency: 'usd',
    description: transferInput.description ?? null,
    destination: account.id,
    destination_payment: newStripeId('py'),
    livemode: false,
    metadata: transferInput.metadata ?? {},
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: source ?? null,
    source_type: 'card',
    transfer_group: group,
  }
  store.put('transfer', transfer)
  emitStripeEvent(store, 'transfer.created', transfer)
  return transfer
}

/** Returns the transfer group of a charge, after giving it one if it had none. @throws StripeError if the request names another group */
function groupOf(store: SandboxStore, source: string, asked?: string): string {
  const charge = findChargeOrThrow(store, source, 'source_transaction')
  const group = charge.transfer_group ?? `group_${charge.payment_intent}`
  if (asked && asked !== group) throw invalidRequest(`The transfer_group of the source charge is ${group}.`, undefined, 'transfer_group')
  if (!charge.transfer_group) store.put('charge', { ...charge, transfer_group: group })
  return group
}

/** @throws StripeError unless the source charge succeeded, was not charged back, and has at least `amount` cents left to transfer */
function sourceCovers(store: SandboxStore, source: string, amount: number) {
  const charge = findChargeOrThrow(store, source, 'source_transaction')
  if (!charge.paid || hasDisputeWithdrawnFunds(store, source))
    throw invalidRequest(`The source charge ${source} did not succeed.`, undefined, 'source_transaction')
  const unrefundedCents = charge.amount - charge.amount_refunded
  const passed = store
    .all('transfer')
    .filter(t => t.source_transaction === source)
    .reduce((sum, t) => sum + t.amount - t.amount_reversed, 0)
  if (passed + amount > unrefundedCents)
    throw invalidRequest(
      `Transfers using this transaction as a source must not exceed the source amount of $${(unrefundedCents / 100).toFixed(2)}. (There is already $${(passed / 100).toFixed(2)} in other transfers.)`,
      undefined,
      'amount',
    )
}

function transferOf(store: SandboxStore, id: string) {
  const found = store.get('transfer', id)
  if (!found) throw noSuchObject('transfer', id)
  return found
}
export const retrieveTransfer: ApiHandler = ({ store, at: [id] }) => transferOf(store, id!)
export const listTransfers: ApiHandler = call =>
  pageOfList(call, call.store.all('transfer'), { destination: t => t.destination, transfer_group: t => t.transfer_group })

export const createTransferReversal: ApiHandler = ({ store, form, at: [id] }) => {
  const reversalInput = validateParameters(
    z.strictObject({
      amount: integerParameter.pipe(z.number().min(1)).optional(),
      description: textParameter.optional(),
      metadata: metadataParameter,
    }),
    form,
  )
  const transfer = transferOf(store, id!)
  const unreversedCents = transfer.amount - transfer.amount_reversed
  const amount = reversalInput.amount ?? unreversedCents
  if (amount > unreversedCents || unreversedCents === 0)
    throw invalidRequest(
      unreversedCents === 0
        ? `The transfer ${transfer.id} is already fully reversed.`
        : `The amount ($${(amount / 100).toFixed(2)}) is greater than the unreversed amount of the transfer ($${(unreversedCents / 100).toFixed(2)}).`,
      undefined,
      'amount',
    )
  payOutDueSandboxBalance(store, transfer.destination as string)
  if (amount > accountBalanceCents(store, transfer.destination as string))
    throw invalidRequest(
      `The destination account ${String(transfer.destination)} does not have enough funds to reverse this transfer.`,
      'balance_insufficient',
    )
  const reversalId = newStripeId('trr')
  const reversal: Stripe.TransferReversal = {
    id: reversalId,
    object: 'transfer_reversal',
    amount,
    balance_transaction: addBalanceTransaction(store, 'transfer_refund', reversalId, amount),
    created: Math.floor(sandboxNowMs(store) / 1000),
    currency: 'usd',
    destination_payment_refund: newStripeId('pyr'),
    metadata: reversalInput.metadata ?? {},
    source_refund: null,
    transfer: transfer.id,
  }
  const reversed = store.put('transfer', {
    ...transfer,
    amount_reversed: transfer.amount_reversed + amount,
    reversed: amount === unreversedCents,
    reversals: { ...transfer.reversals, data: [reversal, ...transfer.reversals.data] },
  })
  emitStripeEvent(store, 'transfer.reversed', reversed)
  return reversal
}
export const listTransferReversals: ApiHandler = call => pageOfList(call, [...transferOf(call.store, call.at[0]!).reversals.data].reverse())

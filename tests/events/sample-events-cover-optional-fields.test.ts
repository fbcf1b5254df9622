import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ConsentEvent } from '../../modules/consent/consent.ts'
import type { FolderEvent } from '../../modules/folders/folder.ts'
import type { AllowanceEvent } from '../../modules/payments/allowance.ts'
import type { PurchaseEvent } from '../../modules/payments/package-purchase.ts'
import type { PaymentEvent } from '../../modules/payments/payment.ts'
import type { PayoutAccountOrDebtEvent } from '../../modules/payments/payout-account-and-debt-decider.ts'
import type { WalletEvent } from '../../modules/payments/wallet.ts'
import type { AccountEvent } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import type { RatingEvent } from '../../modules/ratings/rating.ts'
import type { CreditsAndPointsEvent } from '../../modules/rewards/credits-and-points-decider.ts'
import type { SupportEvent } from '../../modules/support/support-request.ts'
import type { VettingEvent } from '../../modules/vetting/vetting.ts'

type AnyModuleEvent =
  | (AccountEvent | AllowanceEvent | ConsentEvent | FolderEvent | PaymentEvent | PayoutAccountOrDebtEvent)
  | (CreditsAndPointsEvent | PurchaseEvent | RatingEvent | SupportEvent | VettingEvent | WalletEvent)
type OptionalKeys<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? K & string : never }[keyof T]
/** `Type.field` for each field that an event may lack, because a later release added it. */
type OptionalField<E> = E extends { type: infer T extends string; data: infer D } ? `${T}.${OptionalKeys<D>}` : never

/** The type makes the compiler require every optional field here. */
const OPTIONAL_FIELDS: Record<OptionalField<AnyModuleEvent>, true> = {
  'AssignmentDeclined.cause': true,
  'AssignmentWithdrawn.guardian': true,
  'CardSaved.customer': true,
  'ClarificationAsked.about': true,
  'DeletionCanceled.isReopened': true,
  'DeletionScheduled.cause': true,
  'DeletionScheduled.guardian': true,
  'DeletionScheduled.reason': true,
  'ExportMade.guardian': true,
  'ExportRequested.guardian': true,
  'PackageBought.card': true,
  'PackageBought.payer': true,
  'PaymentOpened.payer': true,
  'PaymentOpened.purchase': true,
  'ShareRefused.shortfall': true,
  'SpendingCounted.attempt': true,
  'SpendingCounted.guardian': true,
  'TransferMade.netted': true,
}

const samples = readdirSync(import.meta.dirname)
  .filter(file => file.endsWith('.json'))
  .flatMap(file => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as { type: string; data: object }[])

test.each(Object.keys(OPTIONAL_FIELDS))('%s has a sample event with this field and one without it', name => {
  const [type, field] = name.split('.') as [string, string]
  const present = samples.filter(event => event.type === type).map(event => field in event.data)
  expect(present).toContain(true)
  expect(present).toContain(false)
})

import { z } from 'zod'
import { DecisionReason } from '../decision-reason.ts'
import { defineEndpoints } from '../endpoint.ts'
import { ApprovalRequest, ChildInstructorWithChecks } from '../folders/contract.ts'
import { PublicCheck } from '../instructors/contract.ts'
import { cursorParameter, timeAndId } from '../pagination.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { MAX_MONTHLY_LIMIT_CENTS, MAX_TIP_CENTS, PACKAGES, type PackageType } from './policy.ts'

const time = z.iso.datetime()
const cents = z.int()

/** A saved card as its owner sees it. */
export const PaymentCard = z.object({
  /** The provider's id of the payment method. */
  id: z.string(),
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
  /** Whether this card is charged when no other one is chosen. */
  preferred: z.boolean(),
})
export type PaymentCard = z.infer<typeof PaymentCard>

/** Why a card was not charged. `authentication-needed`: the owner must confirm at the bank. For the others, retry or use another card. */
export const PaymentFailureReason = z.enum([
  'expired-card',
  'insufficient-funds',
  'incorrect-details',
  'authentication-needed',
  'declined',
  'processing-error',
])
export type PaymentFailureReason = z.infer<typeof PaymentFailureReason>

const PaymentStatus = z.enum(['due', 'processing', 'failed', 'paid', 'refunded', 'disputed'])
/** The bill for one session and what became of it, as the payer and the instructor see it. */
export const Payment = z.object({
  /** The assignment it pays for. */
  id: uuidSchema,
  folder: uuidSchema,
  folderName: z.string(),
  player: uuidSchema,
  playerName: z.string(),
  instructor: uuidSchema,
  instructorName: z.string(),
  status: PaymentStatus,
  /** The bank decided a dispute for the payer and returned the money; `status` is `disputed` then, too. */
  isDisputeLost: z.boolean(),
  items: z.array(z.object({ label: z.string(), cents })),
  /** Without the tip. */
  total: cents,
  tip: cents,
  refunded: cents,
  /** When the feedback was delivered, and when the saved card is charged if the bill is still unpaid. */
  opened: time,
  due: time,
  paid: time.nullable(),
  overdue: z.boolean(),
  /** Whether its payer is neither the viewer nor the player: an earlier guardian, for example, when a later one views it. */
  isOwedByAnother: z.boolean(),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  /** Which of the owner's saved cards `card` is: two may have the same number if a card was saved twice. */
  cardId: z.string().nullable(),
  failure: z.object({ reason: PaymentFailureReason, message: z.string() }).nullable(),
  /** Receipt number, once paid. */
  receipt: z.string().nullable(),
  /** The instructor's share, including the tip, paid or not; 0 after a full refund or a lost dispute. */
  share: cents,
  transferred: time.nullable(),
})
export type Payment = z.infer<typeof Payment>

/** A payment with the amounts that concern the instructor's debt, which the player does not see. */
export const InstructorPayment = Payment.extend({
  /** The part of the share that was kept to reduce the instructor's debt. */
  netted: cents,
  /** Cents that the instructor owes, because the transfer could not be reversed after a full refund or a lost dispute. */
  owed: cents,
})
export type InstructorPayment = z.infer<typeof InstructorPayment>

/** A part of an instructor's debt that an administrator waived. */
export const WaivedDebt = z.object({ amount: cents, reason: z.string(), at: time })
export type WaivedDebt = z.infer<typeof WaivedDebt>

/** A package of sessions that a player, or a minor's guardian, has bought. `folders`: the number of sessions in it. */
export const Purchase = z.object({
  id: uuidSchema,
  player: uuidSchema,
  playerName: z.string(),
  label: z.string(),
  folders: z.int(),
  cents,
  refunded: cents,
  status: z.enum(['paid', 'refunded', 'disputed']),
  /** As for a payment. */
  isDisputeLost: z.boolean(),
  bought: time,
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  receipt: z.string(),
})
export type Purchase = z.infer<typeof Purchase>

/** What became of a package's sessions and money, for administrators. */
const PackageUsage = z.object({
  /** Numbers of folders: unused, used (feedback delivered or in progress), and refunded. */
  unused: z.int(),
  used: z.int(),
  gone: z.int(),
  /**
   * Delivered sessions that the package paid for, and the instructors' share of their base price, without shares that were taken back after
   * a full refund or a lost dispute of the session's own charge.
   */
  given: z.int(),
  shares: cents,
  /** The cents by which the instructors' shares exceed the unrefunded part of the price; the platform bears them. */
  loss: cents,
  /** What can be refunded: everything left, or the price of the unused folders. */
  refundable: z.object({ whole: cents, unused: cents }),
})

/** The tip, the card if it is not the preferred one, and the price that the payer saw. */
const BillPaymentBody = z.strictObject({
  tip: z
    .int()
    .min(0, 'A tip cannot be negative')
    .max(MAX_TIP_CENTS, `A tip may be up to $${MAX_TIP_CENTS / 100}`),
  card: z.string().max(100).optional(),
  /** The total that the payer saw, without the tip. If the price has changed, the request is refused. */
  total: cents,
})
const Paid = z.object({
  status: z.enum(['paid', 'processing', 'failed']),
  failure: z.object({ reason: PaymentFailureReason, message: z.string() }).nullable(),
  /** The page where the payer authenticates with the bank; null if that is not needed. */
  url: z.string().nullable(),
})

/** A request for a guardian's approval, with the instructor's checks that are valid today. */
export const ApprovalRequestWithInstructorChecks = ApprovalRequest.extend({ checks: z.array(PublicCheck) })
export type ApprovalRequestWithInstructorChecks = z.infer<typeof ApprovalRequestWithInstructorChecks>

/** A guardian's limits and spending for a player under 18. Cents. */
export const ChildSpendingAndCredits = z.object({
  id: uuidSchema,
  firstName: z.string(),
  /** The cents that the child may spend in a month without approval; null if every session needs approval. */
  monthly: cents.nullable(),
  /** The cost of this month's sessions so far; sessions without a bill count at their maximum. */
  spent: cents,
  /** Unused sessions of packages. */
  credits: z.int(),
  /** Cards that the child saved earlier. They are not charged unless the guardian takes them over. */
  cards: z.array(PaymentCard),
})
export type ChildSpendingAndCredits = z.infer<typeof ChildSpendingAndCredits>

const byPurchase = z.strictObject({ purchase: uuidSchema })
const beforeTime = z.strictObject({ before: cursorParameter(timeAndId).optional() })
/** How many rows there are on all pages, and the `before` of the next page; null on the last one. */
const PagesByTime = z.object({ total: z.int(), next: z.string().nullable() })
const byPayment = z.strictObject({ payment: uuidSchema })
const player = ['player'] as const
const instructor = ['instructor'] as const

export const paymentsContract = defineEndpoints({
  'GET /api/billing': {
    summary: "The player's cards, open bills, latest settled payments and packages, and package credits",
    access: player,
    reply: z.object({
      cards: z.array(PaymentCard),
      /** All open bills and the first page of settled payments, newest first. */
      payments: z.array(Payment),
      settled: PagesByTime,
      /** The first page of packages bought, newest first. */
      purchases: z.array(Purchase),
      purchasePages: PagesByTime,
      credits: z.int(),
    }),
  },
  'GET /api/billing/open': {
    summary:
      "The player's open bills, newest first, whether emails reach the guardian who pays them, and a scheduled deletion of the account",
    access: player,
    reply: z.object({
      payments: z.array(Payment),
      /** For a minor: whether our letters fail to reach the guardian who gets the requests and bills. */
      guardianUndeliverable: z.boolean(),
      /** When the player's account will be deleted; absent if that is not scheduled. */
      deletionDue: time.optional(),
    }),
  },
  'GET /api/billing/settled': {
    summary: "A page of the player's settled payments, newest first; `before` requests the next page",
    access: player,
    query: beforeTime,
    reply: PagesByTime.extend({ payments: z.array(Payment) }),
  },
  'GET /api/billing/purchases': {
    summary: "A page of the player's packages, newest first; `before` requests the next page",
    access: player,
    query: beforeTime,
    reply: PagesByTime.extend({ purchases: z.array(Purchase) }),
  },
  'POST /api/cards/setup': {
    summary: 'The URL of the hosted page for saving a card. `back` is the path to return to, with `?setup={session}` appended',
    access: player,
    body: z.strictObject({ back: z.string().regex(/^\/player\/[\w\-/?=&]*$/) }),
    reply: z.object({ url: z.string() }),
  },
  'POST /api/cards/confirm': {
    summary: 'After the return from the hosted page: save the card that was entered there',
    access: player,
    refusals: [404],
    body: z.strictObject({ session: z.string().regex(/^\w{1,200}$/) }),
    reply: z.object({ card: PaymentCard.nullable() }),
  },
  'POST /api/cards/{card}/prefer': {
    summary: 'Make this card the default',
    access: player,
    params: z.strictObject({ card: z.string() }),
    status: 204,
  },
  'DELETE /api/cards/{card}': { summary: 'Remove a saved card', access: player, params: z.strictObject({ card: z.string() }), status: 204 },
  'GET /api/payments/{payment}': {
    summary: 'One payment, itemised (its player, its instructor, an admin)',
    access: 'signed-in',
    params: byPayment,
    /** `owed`: what the instructor owes from this payment; null for the player. */
    reply: Payment.extend({ owed: cents.nullable() }),
  },
  'POST /api/payments/{payment}/pay': {
    summary: 'Pay with a saved card, with a tip',
    access: player,
    params: byPayment,
    body: BillPaymentBody,
    reply: Paid,
  },
  'GET /api/packages': {
    summary: 'Packages of folders',
    access: 'anyone',
    reply: z.object({ packages: z.array(z.object({ type: z.string(), label: z.string(), folders: z.int(), cents })) }),
  },
  'POST /api/packages/checkout': {
    summary: 'The URL of the hosted page that sells a package and returns to `/player/payment?session={session}`',
    access: player,
    body: z.strictObject({ package: z.enum(Object.keys(PACKAGES) as [PackageType, ...PackageType[]]) }),
    reply: z.object({ url: z.string() }),
  },
  'POST /api/packages/confirm': {
    summary: 'After the return from the hosted page: record the package that was bought there',
    access: player,
    refusals: [404],
    body: z.strictObject({ session: z.string().regex(/^\w{1,200}$/) }),
    reply: z.object({ credits: z.int() }),
  },
  'GET /api/purchases/{purchase}': {
    summary: 'A purchased package (for its player and admins), and for admins its accounts',
    access: ['player', 'admin'],
    params: byPurchase,
    reply: Purchase.extend({ books: PackageUsage.nullable() }),
  },
  'GET /api/earnings': {
    summary: "The instructor's shares and transfers, and the latest payments; `before` requests the next page",
    access: instructor,
    query: beforeTime,
    reply: z.object({
      payments: z.array(InstructorPayment),
      /** How many payments there are on all pages. */
      total: z.int(),
      /** The `before` of the next page; null on the last one. */
      next: z.string().nullable(),
      /** The instructor's debt: transfers that could not be reversed after a refund or a lost dispute. The next shares pay it. */
      debt: cents,
      /** Parts of the debt that an administrator waived, newest first. */
      waivers: z.array(WaivedDebt),
      /** Shares of sessions that are not paid yet. */
      unpaid: cents,
      /** Shares of paid sessions: all of them, those transferred, and those not transferred yet. */
      earned: cents,
      transferred: cents,
      waiting: cents,
      account: z.object({
        status: z.enum(['none', 'started', 'ready']),
        requirements: z.array(z.string()),
        /** Whether the provider has all the information it requires. If so, an account that is not ready awaits the provider's check. */
        submitted: z.boolean(),
      }),
    }),
  },
  'POST /api/payouts/account': {
    summary: 'The URL of the hosted page for opening or completing the payout account, or of its dashboard once it is ready',
    access: instructor,
    reply: z.object({ url: z.string() }),
  },
  'POST /api/payouts/refresh': {
    summary: "After the return from the hosted page: refresh the account's status",
    access: instructor,
    reply: z.object({ status: z.enum(['none', 'started', 'ready']) }),
  },
  'GET /api/admin/unreconciled-charges': {
    summary:
      'Payments and packages of the last 90 days that the log lacks or whose refunds it records differently, as after a restore; newest first',
    access: ['admin'],
    reply: z.object({
      charges: z.array(
        z.object({
          charge: z.string(),
          payment: z.string(),
          difference: z.enum(['unknown-payment', 'not-recorded', 'refund-differs']),
          amount: cents,
          /** The refunds at Stripe, and those in the log. */
          refunded: cents,
          recordedRefund: cents,
          at: time,
        }),
      ),
      packages: z.array(
        z.object({
          charge: z.string(),
          purchase: uuidSchema,
          player: z.string(),
          label: z.string(),
          difference: z.enum(['unknown-player', 'not-recorded', 'refund-differs']),
          amount: cents,
          refunded: cents,
          recordedRefund: cents,
          at: time,
        }),
      ),
    }),
  },
  'POST /api/admin/instructors/{instructor}/debt-waivers': {
    summary: "Waive an instructor's debt, all or a part, with a reason that they read; refused if they owe less by now",
    access: ['admin'],
    params: z.strictObject({ instructor: uuidSchema }),
    body: z.strictObject({
      waiver: uuidSchema,
      cents: z.int().min(1),
      reason: DecisionReason,
    }),
    status: 204,
  },
  'POST /api/admin/payments/{payment}/refund': {
    summary: 'Refund a payment, all or a part, with a reason',
    access: ['admin'],
    params: byPayment,
    body: z.strictObject({ refund: uuidSchema, cents: z.int().min(1), reason: DecisionReason }),
    status: 204,
  },
  'POST /api/admin/purchases/{purchase}/refund': {
    summary: 'Refund a package, everything that is left or its unused folders, which then can no longer be used',
    access: ['admin'],
    params: byPurchase,
    body: z.strictObject({
      refund: uuidSchema,
      what: z.enum(['whole', 'unused']),
      /** The amount that the administrator saw. If it has changed, nothing is refunded. */
      cents: z.int().min(1),
      reason: DecisionReason,
    }),
    status: 204,
  },
})

const session = z.strictObject({ session: z.string().regex(/^\w{1,200}$/) })
const byApproval = z.strictObject({ assignment: uuidSchema })
const byCard = z.strictObject({ card: z.string() })

/** Payments by the guardian of a minor: cards, approvals, limits, bills, and packages for a child. */
export const familyMoneyContract = defineEndpoints({
  'GET /api/family/money': {
    summary: "Requests that wait for the guardian's approval; cards, limits, latest bills and packages of the family",
    access: 'guardian',
    reply: z.object({
      approvals: z.array(ApprovalRequestWithInstructorChecks),
      cards: z.array(PaymentCard),
      children: z.array(ChildSpendingAndCredits),
      /** All open bills and the first page of settled payments, newest first. */
      payments: z.array(Payment),
      settled: PagesByTime,
      /** The first page of packages bought, newest first. */
      purchases: z.array(Purchase),
      purchasePages: PagesByTime,
      /** All instructors to whom the children have sent a session, with our checks. */
      reviewers: z.array(ChildInstructorWithChecks),
    }),
  },
  'GET /api/family/money/settled': {
    summary: "A page of the family's settled payments, newest first; `before` requests the next page",
    access: 'guardian',
    query: beforeTime,
    reply: PagesByTime.extend({ payments: z.array(Payment) }),
  },
  'GET /api/family/money/purchases': {
    summary: "A page of the family's packages, newest first; `before` requests the next page",
    access: 'guardian',
    query: beforeTime,
    reply: PagesByTime.extend({ purchases: z.array(Purchase) }),
  },
  'GET /api/family/purchases/{purchase}': {
    summary: 'A package that a guardian bought, or that was bought for their child',
    access: 'guardian',
    params: byPurchase,
    reply: Purchase,
  },
  'GET /api/family/approvals/{assignment}': {
    summary: "A child's request for approval, pending or not",
    access: 'guardian',
    params: byApproval,
    reply: ApprovalRequest,
  },
  'POST /api/family/approvals/{assignment}/approve': {
    summary: "Approve a child's request: assigns the folder at the price that the child saw, to be paid with the saved card",
    access: 'guardian',
    params: byApproval,
    status: 204,
  },
  'POST /api/family/approvals/{assignment}/decline': {
    summary: "Decline a child's request, with a reason",
    access: 'guardian',
    params: byApproval,
    body: z.strictObject({ reason: z.string().trim().min(1, 'Say why, in a word or two').max(500, 'At most 500 characters') }),
    status: 204,
  },
  'PUT /api/family/children/{player}/limit': {
    summary: 'Set what a child may spend a month without asking (null: ask each time)',
    access: 'guardian',
    params: z.strictObject({ player: uuidSchema }),
    body: z.strictObject({ monthly: z.int().min(100).max(MAX_MONTHLY_LIMIT_CENTS).multipleOf(100).nullable() }),
    status: 204,
  },
  'POST /api/family/cards/setup': {
    summary: "The URL of the hosted page for saving a guardian's card. `back` is the path to return to, with `?setup={session}` appended",
    access: 'guardian',
    body: z.strictObject({ back: z.string().regex(/^\/family[\w\-/?=&]*$/) }),
    reply: z.object({ url: z.string() }),
  },
  'POST /api/family/cards/confirm': {
    summary: 'After the return from the hosted page: save the card that was entered there',
    access: 'guardian',
    refusals: [404],
    body: session,
    reply: z.object({ card: PaymentCard.nullable() }),
  },
  'POST /api/family/cards/{card}/prefer': { summary: 'Make this card the default', access: 'guardian', params: byCard, status: 204 },
  'POST /api/family/cards/{card}/take-over': {
    summary: 'Take over a card that a child has saved; from then on it belongs to the guardian',
    access: 'guardian',
    params: byCard,
    status: 204,
  },
  'DELETE /api/family/cards/{card}': { summary: 'Remove a saved card', access: 'guardian', params: byCard, status: 204 },
  'GET /api/family/payments/{payment}': {
    summary: 'One payment of the family, itemised',
    access: 'guardian',
    params: byPayment,
    reply: Payment,
  },
  'POST /api/family/payments/{payment}/pay': {
    summary: 'Pay the bill of a child with a saved card, with a tip',
    access: 'guardian',
    params: byPayment,
    body: BillPaymentBody,
    reply: Paid,
  },
  'POST /api/family/packages/checkout': {
    summary: 'The URL of the hosted page that sells a package for a child and returns to `/family/money?session={session}`',
    access: 'guardian',
    refusals: [404],
    body: z.strictObject({ package: z.enum(Object.keys(PACKAGES) as [PackageType, ...PackageType[]]), player: uuidSchema }),
    reply: z.object({ url: z.string() }),
  },
  'POST /api/family/packages/confirm': {
    summary: 'After the return from the hosted page: record the package that was bought there',
    access: 'guardian',
    refusals: [404],
    body: session,
    reply: z.object({ credits: z.int() }),
  },
})

export const stripeWebhookContract = defineEndpoints({
  'POST /api/webhooks/stripe': {
    summary: "The payment provider's signed webhook: it is recorded once, and its object is fetched again",
    access: 'anyone',
    webhook: true,
    bytes: ['application/json'],
    status: 204,
  },
})

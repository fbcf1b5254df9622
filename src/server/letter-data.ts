import { createEmailedLinkToken, erasePlainTokenAfterEmailSent } from '../../modules/accounts/emailed-links.ts'
import { formerGuardianAgreed, guardianById } from '../../modules/accounts/guardian-tables.ts'
import { payerOf } from '../../modules/accounts/payer.ts'
import { ADULT_AGE, ageOn } from '../../modules/accounts/policy.ts'
import { endOfQuietHours } from '../../modules/accounts/quiet-hours.ts'
import { letterTimeZoneOf } from '../../modules/accounts/stored-time-zones.ts'
import { consentDecider } from '../../modules/consent/consent.ts'
import { utcDayOf } from '../../modules/dates.ts'
import { type FolderEvent, folderDecider } from '../../modules/folders/folder.ts'
import type { CheckKind } from '../../modules/instructors/contract.ts'
import { fold, loadState } from '../../modules/kernel/decider.ts'
import { type RecordedEvent, streamOf } from '../../modules/kernel/store.ts'
import type { LetterBill, LetterDataSource, LetterRecipient, LetterSession } from '../../modules/letters/letter-data-source.ts'
import { findOrCreateLetterPreferences } from '../../modules/letters/letter-preferences-table.ts'
import { isMediaJobRefused, mediaJobQueue, refusalMessageOf } from '../../modules/media/media-job-queue.ts'
import { purchaseDecider } from '../../modules/payments/package-purchase.ts'
import { currentShareCentsOf, type PaymentAttempt, paymentDecider } from '../../modules/payments/payment.ts'
import { payoutAccountAndDebtDecider } from '../../modules/payments/payout-account-and-debt-decider.ts'
import { loadPayment } from '../../modules/payments/perform-charge-attempts.ts'
import { PACKAGES } from '../../modules/payments/policy.ts'
import type { PriceTerms } from '../../modules/payments/pricing.ts'
import { receiptNumber } from '../../modules/payments/receipt-number.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { loadAccountPrivacyState } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { ratingDecider } from '../../modules/ratings/rating.ts'
import { creditsAndPointsDecider, unusedPackageCredits } from '../../modules/rewards/credits-and-points-decider.ts'
import { type SupportEvent, supportRequestDecider } from '../../modules/support/support-request.ts'
import { isCheckExpired } from '../../modules/vetting/policy.ts'
import { vettingDecider } from '../../modules/vetting/vetting.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { checksLabel } from '../instructors/checks-label.ts'

const cardName = ({ brand, last4 }: { brand: string; last4: string }) =>
  `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending in ${last4}`

/** The state of a session before anything has happened in it. */
const NOTHING_PASSED = { review: null, reason: null, cause: null, isReturnedByServer: false, question: null, answer: null, rating: null }

/** The guardian who currently pays for a minor; null if the player pays, or if the minor has no payer yet. */
async function guardianWhoPays(sql: AppDependencies['sql'], player: string, now: Date): Promise<string | null> {
  const payer = await payerOf(sql, player, now)
  return payer?.isGuardian ? payer.id : null
}

/** The checks of an instructor that have not expired, in words; null if there are none. */
async function checksInWords(store: AppDependencies['store'], instructor: string, now: Date): Promise<string | null> {
  const { checks } = await loadState(store, vettingDecider, instructor)
  const valid = Object.entries(checks).filter(([, check]) => !isCheckExpired(check, utcDayOf(now)))
  return checksLabel(valid.map(([kind, { checked }]) => ({ kind: kind as CheckKind, checked }))) ?? null
}

/** The data that letters mention, read from the log and the accounts at sending time. */
export const letterDataSource = ({
  sql,
  store,
  clock,
  config,
}: Pick<AppDependencies, 'sql' | 'store' | 'clock' | 'config'>): LetterDataSource => ({
  async person(id) {
    const [row] = await sql<
      (Omit<LetterRecipient, 'guardian' | 'asked' | 'quietUntil' | 'timeZone'> & {
        born: string | null
        guardianId: string | null
        guardianName: string | null
        guardianEmail: string | null
        agreed: boolean
        takesOver: boolean
      })[]
    >`
      select u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.role, u.born,
        g.id as "guardianId", s.name as "guardianName", g.email as "guardianEmail", s.agreed is not null as agreed,
        ${formerGuardianAgreed(sql)} as "takesOver"
      from users u left join guardianships s on s.player = u.id and s.until is null left join guardians g on g.id = s.guardian
      where u.id = ${id}`
    if (!row) return null
    const { born, guardianId, guardianName, guardianEmail, agreed, takesOver, ...person } = row
    const minor = person.role === 'player' && born !== null && ageOn(born, clock()) < ADULT_AGE
    const guardian = minor && guardianId && guardianEmail ? { id: guardianId, name: guardianName ?? '', email: guardianEmail } : null
    const timeZone = await letterTimeZoneOf(sql, id, clock())
    const quiet = minor ? endOfQuietHours(clock(), timeZone) : null
    return {
      ...person,
      timeZone,
      asked: guardian && { ...guardian, takesOver },
      guardian: agreed ? guardian : null,
      quietUntil: quiet?.toISOString() ?? null,
    }
  },

  guardian: id => guardianById(sql, id),

  async session(folderId, assignment) {
    const events = (await store.read(streamOf(folderDecider.stream, folderId))) as unknown as (FolderEvent & Pick<RecordedEvent, 'meta'>)[]
    let name = ''
    let s: LetterSession | null = null
    for (const { type, data, meta } of events) {
      if (type === 'FolderCreated' || type === 'FolderRenamed') name = data.name
      if (s && type === 'VideoReplaced') s.videoIds = s.videoIds.map(id => (id === data.video ? data.by.id : id))
      if (!('assignment' in data) || data.assignment !== assignment) continue
      if (type === 'FolderAssigned') {
        const { player, instructor, message, videos } = data
        const payer = (data.terms as PriceTerms | null)?.payer
        const { total, atMost } = data.quote
        const withinLimit = !events.some(e => e.type === 'ApprovalGiven' && e.data.assignment === assignment)
        const cost = payer ? { payer, total, atMost, withinLimit } : null
        const videoIds = videos.map(v => v.id)
        s = { folder: name, player, instructor, message, videos: videos.length, videoIds, cost, checks: null, ...NOTHING_PASSED }
      }
      if (!s) continue
      if (type === 'AssignmentDeclined')
        Object.assign(s, { reason: data.reason, cause: data.cause ?? null, isReturnedByServer: meta.actor === 'system' })
      if (type === 'FeedbackGiven') s.review = data.review
      if (type === 'ClarificationAsked') s.question = data.question
      if (type === 'ClarificationAnswered') s.answer = data.answer
    }
    if (!s) return null
    const [{ verdict, answer }, checks] = await Promise.all([
      loadState(store, ratingDecider, assignment),
      checksInWords(store, s.instructor, clock()),
    ])
    return { ...s, folder: name, rating: verdict && { ...verdict, answer }, checks }
  },

  async bill(id): Promise<LetterBill | null> {
    const paymentEvents = await store.read(streamOf(paymentDecider.stream, id))
    const p = fold(paymentDecider, paymentEvents)
    if (!p.bill) return null
    const { folder: folderId, player, instructor, items, total, due } = p.bill
    const payer = p.bill.payer ?? (await guardianWhoPays(sql, player, clock()))
    const [events, { cards, preferred }, timeZone] = await Promise.all([
      store.read(streamOf(folderDecider.stream, folderId)),
      loadState(store, walletDecider, payer ?? player),
      letterTimeZoneOf(sql, payer ?? player, clock()),
    ])
    const saved = cards.find(c => c.card === preferred)
    const names = (events as unknown as FolderEvent[]).flatMap(e =>
      e.type === 'FolderCreated' || e.type === 'FolderRenamed' ? [e.data.name] : [],
    )
    const charged = p.paid && p.attempts[p.paid.attempt]
    /** The guardian whose card an attempt used; null if it was the player's. Somebody other than the bill's payer may have paid. */
    const cardOwnerOf = (attempt: PaymentAttempt) => {
      const actor = paymentEvents.find(e => e.type === 'PaymentAttempted' && (e.data as { attempt: string }).attempt === attempt.id)?.meta
        .actor
      return attempt.by === 'schedule' || !actor || actor === 'system' ? payer : attempt.by === 'player' ? null : actor
    }
    const cardOf = charged ? cardOwnerOf(charged) : payer
    return {
      folderId,
      player,
      instructor,
      payer,
      items,
      total,
      due,
      timeZone,
      folder: names.at(-1) ?? 'your folder',
      settled: p.status === 'paid',
      paid: p.paid && {
        ...{ amount: p.paid.amount, tip: p.paid.tip, at: p.paid.at, number: receiptNumber(id, p.paid.at), cardOf },
        timeZone: cardOf === payer ? timeZone : await letterTimeZoneOf(sql, cardOf ?? player, clock()),
      },
      saved: saved ? cardName(saved) : null,
      attempts: Object.fromEntries(
        Object.values(p.attempts).map(a => [a.id, { amount: a.amount, card: cardName(a.card), by: a.by, cardOf: cardOwnerOf(a) }]),
      ),
      last: p.last?.id ?? null,
      used: charged ? cardName(charged.card) : null,
      refunds: p.refunds,
    }
  },

  async packagePurchase(id) {
    const events = await store.read(streamOf(purchaseDecider.stream, id))
    const { bought, refunds } = fold(purchaseDecider, events)
    if (!bought) return null
    const { player, folders, amount: paid, card } = bought
    const { at } = events[0]!
    const payer = bought.payer ?? (await guardianWhoPays(sql, player, clock()))
    return {
      player,
      folders,
      paid,
      at,
      refunds,
      payer,
      timeZone: await letterTimeZoneOf(sql, payer ?? player, clock()),
      label: PACKAGES[bought.package].label,
      card: card ? cardName(card) : null,
      number: receiptNumber(id, at),
      left: unusedPackageCredits(await loadState(store, creditsAndPointsDecider, player)),
    }
  },

  async approvalRequest(id, assignment) {
    const { player, name, request: asked } = await loadState(store, folderDecider, id)
    const guardian = player && asked?.assignment === assignment ? await guardianWhoPays(sql, player, clock()) : null
    if (!player || !asked || !guardian) return null
    const { instructor, message, quote } = asked
    return {
      guardian,
      player,
      instructor,
      message,
      folder: name,
      items: quote.items,
      total: quote.total,
      atMost: quote.atMost,
      checks: await checksInWords(store, instructor, clock()),
    }
  },

  async familyLink(guardian, page) {
    const { id, token } = await createEmailedLinkToken(sql, clock(), 'family-letter', { guardian })
    // Only the letter that is being written needs the token, so the stored copy is erased immediately.
    await erasePlainTokenAfterEmailSent(sql, id)
    return `${config.origin}${page}${page.includes('?') ? '&' : '?'}token=${token}`
  },

  async heldShare(instructor, payment) {
    const { account, submitted, held } = await loadState(store, payoutAccountAndDebtDecider, instructor)
    if (!held.includes(payment)) return null
    const shares = await Promise.all(held.map(async id => currentShareCentsOf(await loadPayment(store, id))))
    const share = shares[held.indexOf(payment)]!
    if (share <= 0) return null
    return { share, waiting: shares.reduce((all, cents) => all + cents, 0), started: account !== null, checking: submitted }
  },

  preferences: person => findOrCreateLetterPreferences(sql, person),

  vetting: instructor => loadState(store, vettingDecider, instructor),

  deletionDue: async person => (await loadAccountPrivacyState(store, person)).due,

  closingReason: async person => (await loadAccountPrivacyState(store, person)).closingReason,

  isConsentRefused: async player => (await loadState(store, consentDecider, player)).status === 'refused',

  async refusedVideo(folderId, video) {
    const { player, name, request, sessions } = await loadState(store, folderDecider, folderId)
    const waiting = [request, ...sessions.filter(s => s.status === 'assigned' || s.status === 'in-review')].find(s =>
      s?.videos.some(v => v.id === video),
    )
    if (!player || !waiting) return null
    const works = await mediaJobQueue(sql).of(waiting.videos.map(v => v.id))
    const work = works.get(video)
    if (!work?.code || !isMediaJobRefused(work)) return null
    return {
      player,
      folder: name,
      reason: refusalMessageOf({ code: work.code, reason: work.reason }),
      isRequest: waiting === request,
      otherVideos: waiting.videos.filter(v => !isMediaJobRefused(works.get(v.id))).length,
    }
  },

  async supportRequest(id, event) {
    const events = (await store.read(streamOf(supportRequestDecider.stream, id))) as unknown as (SupportEvent &
      Pick<RecordedEvent, 'id' | 'meta'>)[]
    const requestEvent = events.find(e => e.type === 'SupportRequested')
    const answered = events.filter(e => e.type === 'SupportAnswered').findLast(e => !event || e.id === event)
    if (!requestEvent || !answered) return null
    const { by, content } = requestEvent.data
    return { by, asked: requestEvent.meta.actor === 'system' ? null : content, answer: answered.data.answer }
  },
})

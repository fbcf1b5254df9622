import { v7 as newId } from 'uuid'
import {
  type ApprovalLapseCause,
  currentSession,
  type FolderEvent,
  folderDecider,
  nextSessionVideos,
} from '../../../modules/folders/folder.ts'
import { type CommandPayload, handleCommand, loadState } from '../../../modules/kernel/decider.ts'
import { CommandRefused, type EventStore } from '../../../modules/kernel/store.ts'
import { allowanceDecider } from '../../../modules/payments/allowance.ts'
import { type PaymentState, paymentDecider } from '../../../modules/payments/payment.ts'
import { FULL_PRICE_TERMS, type PriceTerms, quotePriceBeforeReview } from '../../../modules/payments/pricing.ts'
import { unblockLastCardRemoval } from '../../../modules/payments/stripe-customer-and-saved-cards.ts'
import {
  blockLastCardRemovalTemporarily,
  countTowardMonthlyLimit,
  uncountFromMonthlyLimit,
} from '../../../src/api/assignment-payment-reservation.ts'

interface Belonging {
  store: EventStore
  clock: () => Date
  folderId: string
  player: string
  instructor: string
}
export type SimulatedFamilyPayer = 'player' | 'present guardian' | 'former guardian'

/** Resolves to undefined if the command is refused, because a refused command changes nothing. */
const ignoringRefusal = <T>(work: Promise<T>) =>
  work.catch(error => {
    if (!(error instanceof CommandRefused)) throw error
  })

/**
 * Simulates a player under 18 with a folder, and two guardians, one after the other, from the assignment of a session to its feedback. It
 * decides like `src/api/assignment-payment-reservation.ts` and `src/api/family-money.ts`, with the same deciders, but without accounts.
 */
export async function createSimulatedFamily({ store, clock, folderId, player, instructor }: Belonging) {
  const guardians = [newId(), newId()] as const
  const family = { present: guardians[0] as string, hasConsent: true, isOfAge: false }
  const by = (actor: string) => ({ command: newId(), actor })
  const state = () => loadState(store, folderDecider, folderId)
  const command = <C extends keyof typeof folderDecider.decide>(
    what: C,
    payload: CommandPayload<typeof folderDecider.decide, C>,
    actor = player,
  ) => handleCommand(store, folderDecider, folderId, what, payload, by(actor))
  const payerNow = () => (family.isOfAge ? player : family.hasConsent ? family.present : null)

  await command('create', { player, name: 'Swings' })
  for (const bytes of [600, 400]) {
    const video = {
      id: newId(),
      name: 'swing.mp4',
      type: 'video/mp4',
      bytes,
      milliseconds: 2000,
      width: 320,
      height: 240,
      key: 'k',
      poster: null,
    }
    await command('addVideo', { video })
  }

  /** Lets a pending request for approval lapse, and has the instructor decline the current session if its review has not begun. */
  async function endOpenSessions(cause: ApprovalLapseCause) {
    await command('lapse', { cause })
    const session = currentSession(await state())
    if (session?.status === 'assigned') await command('decline', { instructor, session: session.id, reason: 'The family decided so.' })
  }

  return {
    guardians,
    payerNow,
    /**
     * Assigns the folder as the player, or requests the guardian's approval if the price exceeds the monthly limit. Does nothing if nobody
     * may pay or the folder has a current session.
     */
    ask: () =>
      ignoringRefusal(
        (async () => {
          const payer = payerNow()
          if (!payer || currentSession(await state())) return
          const [assignment, videos] = [newId(), nextSessionVideos(await state())]
          const priced = quotePriceBeforeReview({ videos, terms: FULL_PRICE_TERMS })
          await handleCommand(store, paymentDecider, assignment, 'agree', { folder: folderId, player, instructor }, by(player))
          const isGuardian = payer !== player
          const spending = {
            assignment,
            folder: folderId,
            player,
            attempt: newId(),
            guardian: payer,
            cents: priced.atMost,
            approved: false,
          }
          const fits = !isGuardian || (await ignoringRefusal(countTowardMonthlyLimit({ store, clock }, spending))) !== undefined
          const terms: PriceTerms = { ...FULL_PRICE_TERMS, atMost: priced.atMost, ...(isGuardian && fits && { payer }) }
          const asked = { assignment, instructor, message: null, videos, quote: priced, terms }
          if (!fits) return command('requestApproval', asked)
          await blockLastCardRemovalTemporarily({ store, clock }, payer, assignment)
          return command('assign', asked)
        })(),
      ),
    async approve() {
      const { request } = await state()
      const guardian = family.present
      if (!request || payerNow() !== guardian) return
      const { assignment, terms } = request
      const spending = { assignment, folder: folderId, player, attempt: newId(), guardian, cents: request.quote.atMost, approved: true }
      try {
        await blockLastCardRemovalTemporarily({ store, clock }, guardian, assignment)
        await countTowardMonthlyLimit({ store, clock }, spending)
        await command('approve', { assignment, guardian, terms: { ...(terms as PriceTerms), payer: guardian } }, guardian)
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error
        await uncountFromMonthlyLimit({ store }, spending)
        await unblockLastCardRemoval(store, guardian, assignment)
      }
    },
    async decline() {
      const { request } = await state()
      if (!request) return
      await command('declineApproval', { assignment: request.assignment, guardian: family.present, reason: 'Not now.' }, family.present)
    },
    takeBack: () => ignoringRefusal(command('withdraw', {})),
    setLimit: (monthly: number | null) =>
      handleCommand(store, allowanceDecider, player, 'limit', { guardian: family.present, monthly }, by(family.present)),
    async withdrawConsent() {
      family.hasConsent = false
      await endOpenSessions('consent')
    },
    agree: async () => {
      family.hasConsent = true
    },
    /** The other guardian takes over, without having consented yet. */
    async changeGuardian() {
      family.present = guardians.find(id => id !== family.present)!
      family.hasConsent = false
      await endOpenSessions('consent')
    },
    async turn18() {
      family.isOfAge = true
      await command('lapse', { cause: 'of-age' })
    },

    /**
     * Gives consent if it is missing, has the player assign the folder unless it has a current session, and delivers the feedback.
     * @returns the session's id
     */
    async deliver() {
      if (!payerNow()) family.hasConsent = true
      for (let tries = 0; !currentSession(await state()) && tries < 2; tries++) {
        await this.ask()
        await this.approve()
        if ((await state()).request) await this.decline()
      }
      const session = currentSession(await state())!
      const given: FolderEvent = {
        type: 'FeedbackGiven',
        data: {
          assignment: session.id,
          player,
          instructor,
          terms: session.terms,
          review: { notes: [], summary: 'Good swing', grades: [] },
          billable: { videos: 2, bytes: 1000, notes: 3 },
        },
      }
      await handleCommand(store, { ...folderDecider, decide: { deliver: () => given } }, folderId, 'deliver', {}, by(instructor))
      return session.id
    },

    /** The owner of the wallet from which a family member pays a bill; null if this member may not pay it. */
    walletFor(who: SimulatedFamilyPayer, { payer = player }: NonNullable<PaymentState['bill']>): string | null {
      if (who === 'player') return family.isOfAge || payer === player ? player : null
      const guardian = who === 'present guardian' ? family.present : guardians.find(id => id !== family.present)!
      const isOwnChild = !family.isOfAge && who === 'present guardian'
      return isOwnChild || payer === guardian ? guardian : null
    },
    /** The ids of the sessions that ended without feedback, including those that were only requested. */
    endedAssignments: async () => {
      const { sessions, endedRequests } = await state()
      return [...sessions.filter(s => s.status === 'ended').map(s => s.id), ...endedRequests]
    },
    /** Who agreed to pay for a session, and the maximum they agreed to, in cents. */
    async agreedFor(assignment: string): Promise<{ payer: string; atMost: number }> {
      const terms = (await state()).sessions.find(s => s.id === assignment)!.terms as PriceTerms
      return { payer: terms.payer ?? player, atMost: terms.atMost! }
    },
    spent: async () => (await loadState(store, allowanceDecider, player)).spent,
  }
}
export type SimulatedFamily = Awaited<ReturnType<typeof createSimulatedFamily>>

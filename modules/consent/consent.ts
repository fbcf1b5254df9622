import { decider } from '../kernel/decider.ts'
import { CommandRefused } from '../kernel/store.ts'
import { COVERED_THIRD_PARTY_IDS, type CoveredThirdPartyId, type OptionalPurpose } from './third-parties-and-purposes.ts'

/** What happens to started reviews when consent is withdrawn. */
export type StartedReviewsChoice = 'finish' | 'hand-back'

interface Agreement {
  guardian: string
  covers: CoveredThirdPartyId[]
  optional: OptionalPurpose[]
}

/** Stream `consent-<player>`. Its events contain ids, and an administrator's reason; names and addresses are stored with the accounts. */
export type ConsentEvent =
  | { type: 'ConsentAsked'; data: { guardian: string } }
  | { type: 'ConsentGiven'; data: Agreement }
  | { type: 'ConsentRefused'; data: { guardian: string } }
  | { type: 'ConsentWithdrawn'; data: { guardian: string; reviews: StartedReviewsChoice } }
  /** Consent given again after it was refused or withdrawn, or with other optional purposes. */
  | { type: 'ConsentRenewed'; data: Agreement }
  /**
   * Another guardian looks after the player and has to agree first. `former` is null if there was none. `reason` is an administrator's;
   * null if the former guardian made the change.
   */
  | { type: 'GuardianChanged'; data: { guardian: string; former: string | null; reason: string | null } }
  /** The player turned 18 and decides alone. */
  | { type: 'GuardianshipEnded'; data: { guardian: string; cause: 'of-age' } }

export interface Consent {
  /** `none`: no guardian has been asked yet, or the player has turned 18. */
  status: 'none' | 'asked' | 'given' | 'refused' | 'withdrawn'
  guardian: string | null
  optional: OptionalPurpose[]
  /** Guardians who no longer look after the player, so their answers do not count. */
  former: string[]
}

/** Creates the refusal of a request during which the player's guardian changed. */
export const guardianChangedRefusal = () =>
  new CommandRefused('Someone else changed this a moment ago. Reload the page.', 'guardian-changed')

const withConsent = (c: Consent, { guardian, optional }: Agreement): Consent => ({ ...c, status: 'given', guardian, optional })
const isSame = (a: string[], b: string[]) => a.length === b.length && a.every(one => b.includes(one))

const withFormer = ({ former }: Consent, guardian: string | null) =>
  guardian === null || former.includes(guardian) ? former : [...former, guardian]
const withoutFormer = (former: string[], guardian: string) => former.filter(one => one !== guardian)

/** @throws CommandRefused if this guardian was replaced after the request had been checked against the account tables */
function assertNotFormer({ former }: Consent, guardian: string) {
  if (former.includes(guardian)) throw guardianChangedRefusal()
}

/** A guardian's consent to a player under 18 using the service. */
export const consentDecider = decider<Consent, ConsentEvent>()({
  stream: 'consent',
  initial: { status: 'none', guardian: null, optional: [], former: [] },

  evolve: {
    ConsentAsked: (c, { guardian }) => ({ status: 'asked', guardian, optional: [], former: withoutFormer(c.former, guardian) }),
    ConsentGiven: withConsent,
    ConsentRefused: (c, { guardian }) => ({ ...c, status: 'refused', guardian, optional: [] }),
    ConsentWithdrawn: (c, { guardian }) => ({ ...c, status: 'withdrawn', guardian, optional: [] }),
    ConsentRenewed: withConsent,
    GuardianChanged: (c, { guardian, former }) => ({
      status: 'asked',
      guardian,
      optional: [],
      former: withoutFormer(withFormer(c, former), guardian),
    }),
    GuardianshipEnded: (c, { guardian }) => ({ status: 'none', guardian: null, optional: [], former: withFormer(c, guardian) }),
  },

  decide: {
    /** Asking the same guardian again changes nothing; their answer stays valid. */
    ask: (c, { guardian }: { guardian: string }) => (c.guardian === guardian ? [] : { type: 'ConsentAsked', data: { guardian } }),

    give: (c, { guardian, optional }: { guardian: string; optional: OptionalPurpose[] }) => {
      assertNotFormer(c, guardian)
      const isOwn = c.guardian === guardian
      if (isOwn && c.status === 'given' && isSame(c.optional, optional)) return []
      const isFirst = !isOwn || c.status === 'none' || c.status === 'asked'
      return { type: isFirst ? 'ConsentGiven' : 'ConsentRenewed', data: { guardian, covers: [...COVERED_THIRD_PARTY_IDS], optional } }
    },

    refuse: (c, { guardian }: { guardian: string }) => {
      assertNotFormer(c, guardian)
      if (c.guardian === guardian && c.status === 'refused') return []
      if (c.guardian === guardian && c.status === 'given') {
        throw new CommandRefused('You have already agreed. If you changed your mind, withdraw your consent.', 'consent-given')
      }
      // After a withdrawal, unlike after a refusal, the account and the feedback are kept. A later "No" must not turn the withdrawal
      // into a refusal.
      if (c.guardian === guardian && c.status === 'withdrawn') {
        throw new CommandRefused(
          'You have already withdrawn your consent, so nothing can be sent to an instructor. You can agree again at any time.',
          'consent-withdrawn',
        )
      }
      return { type: 'ConsentRefused', data: { guardian } }
    },

    withdraw: (c, { guardian, reviews }: { guardian: string; reviews: StartedReviewsChoice }) =>
      c.status === 'given' && c.guardian === guardian ? { type: 'ConsentWithdrawn', data: { guardian, reviews } } : [],

    /** Makes another guardian responsible. The new guardian has not agreed yet, so the status becomes `asked`. */
    change: (c, data: { guardian: string; former: string | null; reason: string | null }) =>
      c.guardian === data.guardian ? [] : { type: 'GuardianChanged', data },

    comeOfAge: ({ guardian }) => (guardian ? { type: 'GuardianshipEnded', data: { guardian, cause: 'of-age' } } : []),
  },
})

import { decider } from '../kernel/decider.ts'
import { CommandRefused } from '../kernel/store.ts'
import { MAX_CHANGES_PER_RATING } from './policy.ts'

/** The rated session. Every event of the rating contains it, so that each event names the player and the instructor. */
interface RatedSession {
  folder: string
  player: string
  instructor: string
}
/** For a minor, the player or the guardian may rate: it is one rating, and either may change it. */
export type RaterRole = 'player' | 'guardian'
interface Verdict {
  /** 1 to 5. */
  stars: number
  comment: string | null
  rater: RaterRole
}

/** Stream `rating-<session>`, separate from the folder's: it begins only when a paid session is rated, and administrators append to it. */
export type RatingEvent =
  /** `until`: the rating may be changed before this time, ISO 8601. */
  | { type: 'SessionRated'; data: RatedSession & Verdict & { until: string } }
  | { type: 'RatingChanged'; data: RatedSession & Verdict }
  | { type: 'RatingAnswered'; data: RatedSession & { answer: string } }
  /** From now on, only the player, the instructor and administrators see the rating. */
  | { type: 'RatingHidden'; data: RatedSession & { reason: string } }
  | { type: 'RatingRestored'; data: RatedSession }

interface Rating {
  session: RatedSession | null
  verdict: Verdict | null
  until: string
  changes: number
  answer: string | null
  hidden: boolean
}

const requireRatedSession = ({ session }: Rating): RatedSession => {
  if (!session) throw new CommandRefused('Nobody has rated this session.', 'no-rating')
  return session
}

/** The rating of a paid session: 1 to 5 stars and a short comment, and the instructor's answer. */
export const ratingDecider = decider<Rating, RatingEvent>()({
  stream: 'rating',
  initial: { session: null, verdict: null, until: '', changes: 0, answer: null, hidden: false },

  evolve: {
    SessionRated: (r, { folder, player, instructor, stars, comment, rater, until }) => ({
      ...r,
      session: { folder, player, instructor },
      verdict: { stars, comment, rater },
      until,
    }),
    // The instructor answered the former rating, so the answer is removed with it.
    RatingChanged: (r, { stars, comment, rater }) => ({ ...r, verdict: { stars, comment, rater }, changes: r.changes + 1, answer: null }),
    RatingAnswered: (r, { answer }) => ({ ...r, answer }),
    RatingHidden: r => ({ ...r, hidden: true }),
    RatingRestored: r => ({ ...r, hidden: false }),
  },

  decide: {
    /** Rates the session, or changes its rating. `now` and `until` are ISO 8601. */
    rate: (r, { session, verdict, now, until }: { session: RatedSession; verdict: Verdict; now: string; until: string }) => {
      if (!r.session) return { type: 'SessionRated', data: { ...session, ...verdict, until } }
      const { stars, comment } = verdict
      if (r.verdict?.stars === stars && r.verdict.comment === comment) return []
      if (now >= r.until) throw new CommandRefused('It is too late to change this rating.', 'rating-final')
      if (r.changes >= MAX_CHANGES_PER_RATING) {
        throw new CommandRefused('This rating has been changed too many times, so it can no longer be changed.', 'too-many-changes')
      }
      return { type: 'RatingChanged', data: { ...r.session, ...verdict } }
    },

    /** Answers the rating. `to`: the rating that the instructor read; undefined if the request does not say. */
    answer: (r, { answer, to }: { answer: string; to?: Pick<Verdict, 'stars' | 'comment'> | undefined }) => {
      const session = requireRatedSession(r)
      if (to && (to.stars !== r.verdict?.stars || to.comment !== r.verdict.comment)) {
        throw new CommandRefused('This rating was changed in the meantime. Reload the page and read it again first.', 'rating-changed')
      }
      if (r.answer === answer) return []
      if (r.answer !== null) throw new CommandRefused('You already answered this rating. Each rating can be answered once.', 'answered')
      return { type: 'RatingAnswered', data: { ...session, answer } }
    },

    hide: (r, { reason }: { reason: string }) => {
      const session = requireRatedSession(r)
      return r.hidden ? [] : { type: 'RatingHidden', data: { ...session, reason } }
    },

    restore: r => {
      const session = requireRatedSession(r)
      return r.hidden ? { type: 'RatingRestored', data: session } : []
    },
  },
})

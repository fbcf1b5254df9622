import type { Session } from '../../modules/folders/contract.ts'

/** A session whose feedback was delivered. */
export type ReviewedSession = Session & { review: NonNullable<Session['review']> }

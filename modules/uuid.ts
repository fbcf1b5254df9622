import { z } from 'zod'

/** An id, in the one spelling it has: lower case. Every contract takes ids by this, so that no log, table or key holds two of the same. */
export const uuid = z.uuid().toLowerCase()

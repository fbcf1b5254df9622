import { z } from 'zod'

/** A UUID, converted to lower case. Every contract parses ids with it, so that no log, table or key holds one id in two spellings. */
export const uuid = z.uuid().toLowerCase()

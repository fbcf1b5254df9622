import { z } from 'zod'

/** A UUID, converted to lower case. Every contract parses ids with it, so that no log, table or key holds one id in two spellings. */
export const uuidSchema = z.uuid().toLowerCase()

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Whether a value is the text of a UUID as our events and tables have it, in lower case. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

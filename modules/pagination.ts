import { z } from 'zod'
import { uuidSchema } from './uuid-validation.ts'

/** Enough for a sort key that contains a first and a last name of 80 characters each, in any script. */
const MAX_CURSOR_LENGTH = 1000

/** The sort key of a row in a list sorted by time: when it happened (ISO 8601), and its id, which orders rows of the same millisecond. */
export const timeAndId = z.tuple([z.iso.datetime(), uuidSchema])
export type TimeAndId = z.infer<typeof timeAndId>

/** Encodes the sort key of a page's last row as an opaque cursor, which clients send back to get the next page. */
export const encodeCursor = (key: readonly unknown[]): string => Buffer.from(JSON.stringify(key)).toString('base64url')

function decodeCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

/**
 * A query parameter that takes a cursor and returns its sort key. Text that is not a cursor of this list is refused (422), because a server
 * that ignored it would return the first page again and again.
 */
export const cursorParameter = <S extends z.ZodType>(key: S) =>
  z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .transform((text, ctx): z.output<S> => {
      const decoded = key.safeParse(decodeCursor(text))
      if (decoded.success) return decoded.data
      ctx.addIssue({ code: 'custom', message: 'This is not a page of this list. Load the list again.' })
      return z.NEVER
    })

export const pageLimitParameter = (limits: { default: number; max: number }) =>
  z.coerce.number().int().min(1).max(limits.max).default(limits.default)

/** The rows of a page, and the cursor of the next page; null on the last one. */
export interface PageOfRows<R> {
  rows: R[]
  next: string | null
}

/** Makes a page from rows. The query must read one row more than `limit`. `keyOf` returns the sort key of a row. */
export function paginateRows<R>(found: readonly R[], limit: number, keyOf: (row: R) => readonly unknown[]): PageOfRows<R> {
  const rows = found.slice(0, limit)
  return { rows, next: found.length > limit ? encodeCursor(keyOf(rows.at(-1)!)) : null }
}

import { z } from 'zod'

const people = z.union([z.string(), z.array(z.string())]).transform(v => (Array.isArray(v) ? v : [v]))
const address = z.string().regex(/^([^<>]+<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/)
/** The request body for a letter in Resend's API. */
export const sendEmailRequestSchema = z
  .object({
    from: address,
    to: people.pipe(z.array(address).min(1).max(50)),
    subject: z.string().min(1),
    html: z.string().optional(),
    text: z.string().optional(),
    cc: people.optional(),
    bcc: people.optional(),
    reply_to: people.optional(),
    headers: z.record(z.string(), z.string()).optional(),
    tags: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  })
  .refine(e => e.html !== undefined || e.text !== undefined, { path: ['html'], message: 'Missing `html` or `text` field.' })

/** A letter as stored on disk and as listed, newest first, in /letters.json. `created_at` is an ISO 8601 time. */
export interface StoredLetter extends z.infer<typeof sendEmailRequestSchema> {
  id: string
  created_at: string
}

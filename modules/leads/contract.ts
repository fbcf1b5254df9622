import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'

const text = (most: number) => z.string().max(most).optional()

/** What the landing page reports about a visit. */
export const LeadMetadata = z.strictObject({
  source: text(100),
  timestamp: text(40),
  userAgent: text(1000),
  screenSize: text(40),
  referrer: text(2000),
  pageLoadTime: z.number().min(0).max(1e9).optional(),
  timeZone: text(100),
  language: text(100),
  isMobile: z.boolean().optional(),
})

export const NewLead = z.strictObject({
  email: z
    .string('Please enter a valid email address')
    .trim()
    .min(5, 'Please enter a valid email address')
    .max(254, 'Email address is too long')
    .includes('@', { error: 'Please enter a valid email address' }),
  /** A honeypot field, which people leave empty. If it is filled in, the server reports success but stores nothing. */
  not_for_humans: z.string().max(1000).optional(),
  metadata: LeadMetadata.optional(),
})

export const leadsContract = defineEndpoints({
  'POST /api/landing-page/leads': {
    summary: 'Save an email address that was left on the landing page',
    access: 'anyone',
    body: NewLead,
    reply: z.object({
      /** Whether a lead with this address already exists. */
      alreadyExists: z.boolean(),
    }),
  },
  'POST /api/landing-page/start': {
    summary: 'The email step as a plain form, for browsers without scripts; redirects to the page with the next step',
    access: 'anyone',
    bytes: ['application/x-www-form-urlencoded'],
    limit: 4096,
    status: 303,
  },
})

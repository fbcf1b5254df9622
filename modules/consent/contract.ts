import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { isValidTimeZone } from '../time-zone-default-and-validation.ts'
import { uuidSchema } from '../uuid-validation.ts'

export const OptionalPurposes = z.array(z.enum(['news'])).max(1)
/** The IANA name of a time zone, such as America/Chicago. */
export const TimeZone = z.string().max(64).refine(isValidTimeZone, 'Choose a time zone from the list')
/** A guardian's answer. `optional`: the optional purposes that the guardian agrees to; `timeZone`: the browser's. */
export const ConsentAnswer = z.strictObject({
  answer: z.enum(['yes', 'no']),
  optional: OptionalPurposes.default([]),
  timeZone: TimeZone.optional(),
})

const Step = z.object({
  id: uuidSchema,
  at: z.iso.datetime(),
  type: z.string(),
  /** The first name of the player or the name of the guardian who acted; null if somebody else did. */
  who: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
})

const byChild = z.strictObject({ child: uuidSchema })

export const consentContract = defineEndpoints({
  'GET /api/family/children/{child}/consent': {
    summary: "The guardian's consent for this child and its history, newest first",
    access: 'guardian',
    params: byChild,
    reply: z.object({
      status: z.enum(['none', 'asked', 'given', 'refused', 'withdrawn']),
      optional: OptionalPurposes,
      history: z.array(Step),
    }),
  },
  'POST /api/family/children/{child}/consent': {
    summary: 'Agree, refuse, or agree again after consent was refused or withdrawn',
    access: 'guardian',
    params: byChild,
    body: ConsentAnswer,
    status: 204,
  },
  'POST /api/family/children/{child}/consent/withdraw': {
    summary: 'Withdraw consent: nothing new can be assigned, unread sessions are taken back, started reviews are finished or returned',
    access: 'guardian',
    params: byChild,
    body: z.strictObject({ reviews: z.enum(['finish', 'hand-back']) }),
    status: 204,
  },
})

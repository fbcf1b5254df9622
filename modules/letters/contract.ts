import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'

const byToken = z.strictObject({ token: z.string().regex(/^[\w-]{43}$/) })
const Preferences = z.strictObject({ reminders: z.boolean() })

export const resendWebhookContract = defineEndpoints({
  'POST /api/webhooks/resend': {
    summary: "The mail provider's signed webhook about the delivery of an email",
    access: 'anyone',
    webhook: true,
    bytes: ['application/json'],
    status: 204,
  },
})

export const letterPreferencesContract = defineEndpoints({
  'GET /api/account/letters': {
    summary: 'Which optional emails this account gets',
    access: 'signed-in',
    reply: Preferences,
  },
  'PUT /api/account/letters': {
    summary: 'Turn reminders on or off',
    access: 'signed-in',
    body: Preferences,
    status: 204,
  },
  'GET /api/family/letters': {
    summary: 'Which optional emails this guardian gets',
    access: 'guardian',
    reply: Preferences,
  },
  'PUT /api/family/letters': {
    summary: 'Turn reminders to this guardian on or off',
    access: 'guardian',
    body: Preferences,
    status: 204,
  },
  'POST /api/unsubscribe/{token}': {
    summary: 'Turn reminders off with the link in an email; email programs call this for their unsubscribe button (RFC 8058)',
    access: 'anyone',
    params: byToken,
    webhook: true,
    bytes: ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'],
    status: 204,
  },
  'DELETE /api/unsubscribe/{token}': {
    summary: 'Turn reminders on again with the link in an email',
    access: 'anyone',
    params: byToken,
    status: 204,
  },
})

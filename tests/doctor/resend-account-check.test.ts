import { expect, test } from 'vitest'
import { checkResendAccount } from '../../modules/letters/resend-account-check.ts'
import { startJsonServer } from './json-server.ts'

const KEY = 're_doctor'
const refused = (statusCode: number, name: string, message: string) => ({ status: statusCode, body: { statusCode, name, message } })
const domain = (name: string, status: string) => ({ id: name, name, status, created_at: '2026-01-01', region: 'us-east-1' })

const ORIGIN = 'https://diamondlink.example'
const webhook = (more: object = {}) => ({
  id: 'wh_1',
  endpoint: `${ORIGIN}/api/webhooks/resend`,
  status: 'enabled',
  created_at: '2026-01-01',
  events: ['email.delivered', 'email.bounced', 'email.complained', 'email.suppressed'],
  ...more,
})

interface Account {
  key?: string
  from?: string
  restricted?: boolean
  webhooks?: object[] | 'refused'
  webhookSecret?: string | null
}
const findingsOf = async (domains: object[], o: Account = {}) => {
  const url = await startJsonServer(({ headers, url: path }) => {
    if (headers.authorization !== `Bearer ${KEY}`) return refused(401, 'validation_error', 'API key is invalid')
    if (o.restricted) return refused(401, 'restricted_api_key', 'This API key is restricted to only send emails')
    const asksForWebhooks = path?.startsWith('/webhooks')
    if (asksForWebhooks && o.webhooks === 'refused') return refused(422, 'validation_error', 'Try again later')
    const data = asksForWebhooks ? (o.webhooks ?? [webhook()]) : domains
    return { status: 200, body: { object: 'list', data, has_more: false } }
  })
  const webhookSecret = o.webhookSecret === null ? undefined : 'whsec_x'
  return checkResendAccount({ apiKey: o.key ?? KEY, webhookSecret, url }, o.from ?? 'DiamondLink <hello@Mail.Example.com>', ORIGIN)
}
const failuresOf = async (domains: object[], o: Account = {}) =>
  (await findingsOf(domains, o)).filter(f => !f.isTrue && !f.isNote).map(f => `${f.check}: ${f.advice}`)

test('a sender address with a verified domain passes the check', async () => {
  expect(await failuresOf([domain('other.example', 'verified'), domain('mail.example.com', 'verified')])).toEqual([])
  expect(await failuresOf([domain('mail.example.com', 'verified')], { from: 'hello@mail.example.com' })).toEqual([])
})

test('a sender domain that is missing or not yet verified is reported', async () => {
  expect(await failuresOf([domain('mail.example.com', 'not_started')])).toEqual([
    'the domain of MAIL_FROM is verified: Resend says that mail.example.com is not started. Set the DNS records that its dashboard shows.',
  ])
  expect(await failuresOf([domain('example.com', 'verified')])).toEqual([
    'the domain of MAIL_FROM is verified: Add mail.example.com in the dashboard of Resend and set its DNS records; MAIL_FROM is "DiamondLink <hello@Mail.Example.com>".',
  ])
  expect((await failuresOf([], { from: 'DiamondLink' })).join()).toContain('Add a domain in the dashboard of Resend')
})

test('a wrong API key and a key that may only send are distinguished', async () => {
  expect(await failuresOf([], { key: 're_other' })).toEqual(['the Resend API key is valid: Resend says: API key is invalid'])
  expect(await failuresOf([], { restricted: true })).toEqual([])
  const [key, domains] = await findingsOf([], { restricted: true })
  expect(key).toEqual({ check: 'the Resend API key is valid', isTrue: true, advice: '' })
  expect(domains).toEqual({
    check: 'the domain of MAIL_FROM is verified',
    isTrue: false,
    isNote: true,
    advice: 'The key may only send, so it cannot check domains and webhooks: look in the dashboard of Resend.',
  })
})

test('missing webhooks and a missing webhook secret are reported', async () => {
  const verified = [domain('mail.example.com', 'verified')]
  expect(await failuresOf(verified, { webhookSecret: null })).toEqual([
    `RESEND_WEBHOOK_SECRET is set, so that the server learns of bounced letters: Add a webhook for ${ORIGIN}/api/webhooks/resend in the dashboard of Resend and copy its signing secret.`,
  ])
  expect(await failuresOf(verified, { webhooks: 'refused' })).toEqual([
    'Resend reports what happens to letters: Resend says: Try again later',
  ])
  for (const more of [{ endpoint: 'https://elsewhere.example/' }, { status: 'disabled' }])
    expect((await failuresOf(verified, { webhooks: [webhook(more)] })).join()).toContain(`Add a webhook for ${ORIGIN}/api/webhooks/resend`)
  expect((await failuresOf(verified, { webhooks: [webhook({ events: ['email.bounced', 'email.complained'] })] })).join()).toContain(
    'also send: email.delivered, email.suppressed.',
  )
  expect(await failuresOf(verified, { webhooks: [webhook({ events: null })] })).toEqual([])
})

import { expect, test } from 'vitest'
import { checkSender } from '../../modules/letters/sender-check.ts'
import { jsonServer } from './json-server.ts'

const KEY = 're_doctor'
const refused = (statusCode: number, name: string, message: string) => ({ status: statusCode, body: { statusCode, name, message } })
const domain = (name: string, status: string) => ({ id: name, name, status, created_at: '2026-01-01', region: 'us-east-1' })

const failuresOf = async (domains: object[], o: { key?: string; from?: string; restricted?: boolean } = {}) => {
  const url = await jsonServer(({ headers }) => {
    if (headers.authorization !== `Bearer ${KEY}`) return refused(401, 'validation_error', 'API key is invalid')
    if (o.restricted) return refused(401, 'restricted_api_key', 'This API key is restricted to only send emails')
    return { status: 200, body: { object: 'list', data: domains, has_more: false } }
  })
  const findings = await checkSender({ apiKey: o.key ?? KEY, url }, o.from ?? 'DiamondLink <hello@Mail.Example.com>')
  return findings.filter(f => !f.isTrue).map(f => `${f.check}: ${f.advice}`)
}

test('a sender of a verified domain has no failure', async () => {
  expect(await failuresOf([domain('other.example', 'verified'), domain('mail.example.com', 'verified')])).toEqual([])
  expect(await failuresOf([domain('mail.example.com', 'verified')], { from: 'hello@mail.example.com' })).toEqual([])
})

test('a domain that is not verified yet, or not there, is said', async () => {
  expect(await failuresOf([domain('mail.example.com', 'not_started')])).toEqual([
    'the domain of MAIL_FROM is verified: Resend says that mail.example.com is not started. Set the DNS records that its dashboard shows.',
  ])
  expect((await failuresOf([domain('example.com', 'verified')])).join()).toContain('Add mail.example.com in the dashboard of Resend')
})

test('a wrong key, and one that may only send, are told apart', async () => {
  expect(await failuresOf([], { key: 're_other' })).toEqual(['the key of Resend is valid: Resend says: API key is invalid'])
  expect((await failuresOf([], { restricted: true })).join()).toContain('The key may only send letters')
})

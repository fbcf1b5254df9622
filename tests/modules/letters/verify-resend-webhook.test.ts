import { Resend } from 'resend'
import { describe, expect, test } from 'vitest'
import { ForgedResendWebhookError, verifyResendWebhook, webhookSignature } from '../../../modules/letters/verify-resend-webhook.ts'

const secret = `whsec_${Buffer.from('a secret of the endpoint').toString('base64')}`
const other = `whsec_${Buffer.from('another secret').toString('base64')}`
const now = Date.parse('2026-05-01T12:00:00.000Z')
const event = (type: string, data: object = {}) =>
  JSON.stringify({
    type,
    created_at: '2026-05-01T11:59:58.000Z',
    data: { email_id: 'e1', to: ['Pat@Example.com'], tags: { letter: 'l1' }, ...data },
  })
const bounced = event('email.bounced', { bounce: { type: 'Permanent', subType: 'General', message: 'pat@example.com is unknown' } })
const headersFor = (body: string, { id = 'msg_1', seconds = 0, by = secret, timestamp = String(now / 1000 + seconds) } = {}) => {
  return new Headers({
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': webhookSignature(by, { id, timestamp, body }),
  })
}
const read = (body: string, headers = headersFor(body), secrets = secret) => verifyResendWebhook(secrets, headers, body, now)

describe('a webhook from Resend', () => {
  test('is read as the outcome of a letter, without personal texts', () => {
    expect(read(bounced)).toEqual({
      letter: 'l1',
      to: 'Pat@Example.com',
      fate: 'bounced',
      reason: 'Permanent, General',
      at: '2026-05-01T11:59:58.000Z',
    })
    for (const fate of ['delivered', 'complained', 'suppressed'])
      expect(read(event(`email.${fate}`))).toMatchObject({ letter: 'l1', fate, reason: null })
  })
  test('about another event is ignored', () => {
    for (const body of [
      event('email.opened'),
      event('email.bounced', { tags: {} }),
      event('email.bounced', { tags: undefined }),
      event('email.bounced', { to: [] }),
      'not json',
      '{}',
    ])
      expect(read(body)).toBeNull()
  })
  test('is signed in the way that the Resend SDK verifies', () => {
    const [id, timestamp] = ['msg_1', String(Math.floor(Date.now() / 1000))]
    const signature = webhookSignature(secret, { id, timestamp, body: bounced })
    const verified = new Resend('re_x').webhooks.verify({ payload: bounced, headers: { id, timestamp, signature }, webhookSecret: secret })
    expect(verified).toMatchObject({ type: 'email.bounced' })
  })
  test('may be signed with a new secret, an old one or both', () => {
    expect(read(bounced, headersFor(bounced, { by: other }), `${secret}, ${other}`)).not.toBeNull()
    const both = headersFor(bounced)
    both.set('svix-signature', `v1a,odd ${headersFor(bounced, { by: other }).get('svix-signature')} ${both.get('svix-signature')}`)
    expect(read(bounced, both)).not.toBeNull()
  })
  const notFromNow = 'The webhook is not from now.'
  const notSigned = 'The webhook is not signed by Resend.'
  test.each<[string, () => Headers, string]>([
    ['a signature by another secret', () => headersFor(bounced, { by: other }), notSigned],
    ['a changed body', () => headersFor(`${bounced} `), notSigned],
    ['a timestamp that is too old', () => headersFor(bounced, { seconds: -301 }), notFromNow],
    ['a timestamp in the future', () => headersFor(bounced, { seconds: 301 }), notFromNow],
    ['text after the timestamp', () => headersFor(bounced, { timestamp: `${now / 1000}s` }), notFromNow],
    ['text before the timestamp', () => headersFor(bounced, { timestamp: `t${now / 1000}` }), notFromNow],
    ['no signature', () => new Headers({ 'svix-id': 'msg_1', 'svix-timestamp': String(now / 1000) }), notSigned],
    ['no headers', () => new Headers(), notFromNow],
    [
      'another id',
      () => {
        const headers = headersFor(bounced)
        headers.set('svix-id', 'msg_2')
        return headers
      },
      notSigned,
    ],
  ])('is refused with %s', (_, headers, message) => {
    expect(() => read(bounced, headers())).toThrow(ForgedResendWebhookError)
    expect(() => read(bounced, headers())).toThrow(message)
  })
  test('is accepted if its time differs by at most five minutes', () => {
    for (const seconds of [-300, 300]) expect(read(bounced, headersFor(bounced, { seconds }))).not.toBeNull()
  })
})

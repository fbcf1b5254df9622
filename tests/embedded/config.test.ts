import { expect, test } from 'vitest'
import { configure, Misconfigured } from '../../src/config.ts'

const complaint = (env: Record<string, string>) => {
  try {
    configure(env)
    return 'none'
  } catch (error) {
    expect(error).toBeInstanceOf(Misconfigured)
    return (error as Error).message
  }
}

test('nothing configured is a whole configuration, with every store embedded', () => {
  expect(configure({})).toMatchObject({
    host: '127.0.0.1',
    port: 4321,
    origin: 'http://127.0.0.1:4321',
    dataDir: '.data',
    demo: true,
    logLevel: 'info',
    mailFrom: expect.stringContaining('@'),
  })
  const { databaseUrl, eventstoredbUrl, s3, stripe, resend } = configure({})
  expect([databaseUrl, eventstoredbUrl, s3, stripe, resend]).toEqual([undefined, undefined, undefined, undefined, undefined])
  expect(configure({ PORT: '', DATABASE_URL: '' }).port).toBe(4321)
  expect(configure({ HOST: '0.0.0.0', PORT: '80' }).origin).toBe('http://localhost')
  expect(configure({ HOST: '::1', PORT: '5000' }).origin).toBe('http://[::1]:5000')
  expect(configure({ ORIGIN: 'https://diamondlink.example/' }).origin).toBe('https://diamondlink.example')
})

test.each([
  [{ PORT: 'http' }, 'PORT: must be a number'],
  [{ PORT: '70000' }, /^PORT: /],
  [{ PORT: '1.5' }, /^PORT: /],
  [{ HOST: 'my host' }, 'HOST: must be a host name or an IP address'],
  [{ DEMO: 'maybe' }, 'DEMO: must be true or false'],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: /],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: must be a URL that starts with postgres:// or postgresql://'],
  [{ DATABASE_URL: 'nonsense' }, /^DATABASE_URL: must be a URL/],
  [{ EVENTSTOREDB_URL: 'http://x' }, /^EVENTSTOREDB_URL: must be a URL that starts with esdb:/],
  [{ S3_BUCKET: 'videos' }, 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: needed because S3_BUCKET is set'],
  [{ S3_ENDPOINT: 'https://s3.example' }, 'S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: needed because S3_ENDPOINT is set'],
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_WEBHOOK_SECRET: needed because STRIPE_SECRET_KEY is set'],
  [{ STRIPE_SECRET_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, 'STRIPE_SECRET_KEY: must start with sk_ or rk_'],
  [{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'secret' }, 'STRIPE_WEBHOOK_SECRET: must start with whsec_'],
  [{ RESEND_API_KEY: 'key' }, 'RESEND_API_KEY: must start with re_'],
  [{ ORIGIN: 'diamondlink.example' }, /^ORIGIN: must be a URL/],
])('%j is refused in one clear line', (env, line) => {
  const message = complaint(env as Record<string, string>)
  expect(message).toMatch(line)
  expect(message).not.toContain('\n')
})

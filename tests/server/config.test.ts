import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'
import { trustedProxies } from '../../src/trusted-proxy-list.ts'

const complaint = (env: Record<string, string>) => {
  try {
    readConfig(env)
    return 'none'
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
}

test('without environment variables the configuration uses embedded services only', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 4321,
    origin: 'http://127.0.0.1:4321',
    dataDir: '.data',
    demo: true,
    logLevel: 'info',
    mailFrom: expect.stringContaining('@'),
  })
  const { databaseUrl, eventstoredbUrl, s3, stripe, resend } = readConfig({})
  expect([databaseUrl, eventstoredbUrl, s3, stripe, resend]).toEqual([undefined, undefined, undefined, undefined, undefined])
  expect(readConfig({ PORT: '', DATABASE_URL: '' }).port).toBe(4321)
  expect(readConfig({ HOST: '0.0.0.0', PORT: '80' }).origin).toBe('http://localhost')
  expect(readConfig({ HOST: '::1', PORT: '5000' }).origin).toBe('http://[::1]:5000')
  expect(readConfig({ ORIGIN: 'https://diamondlink.example/' }).origin).toBe('https://diamondlink.example')
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
  [{ DATABASE_DIRECT_URL: 'postgres://x/y' }, 'DATABASE_URL: needed because DATABASE_DIRECT_URL is set'],
  [{ EVENTSTOREDB_URL: 'http://x' }, /^EVENTSTOREDB_URL: must be a URL that starts with esdb:/],
  [{ EVENTSTOREDB_URL: 'esdb://' }, /^EVENTSTOREDB_URL: must be a URL/],
  [{ S3_BUCKET: 'videos' }, 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: needed because S3_BUCKET is set'],
  [{ S3_ENDPOINT: 'https://s3.example' }, 'S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: needed because S3_ENDPOINT is set'],
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_WEBHOOK_SECRET: needed because STRIPE_SECRET_KEY is set'],
  [{ STRIPE_SECRET_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, 'STRIPE_SECRET_KEY: must start with sk_ or rk_'],
  [{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'secret' }, 'STRIPE_WEBHOOK_SECRET: must start with whsec_'],
  [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY: must be addresses, networks/],
  [{ TRUST_PROXY: 'fd00::/129' }, /^TRUST_PROXY: /],
  [{ TRUST_PROXY: 'proxy.internal' }, /^TRUST_PROXY: /],
  [{ TRUST_PROXY: '10.0.0.1,' }, /^TRUST_PROXY: /],
  [{ RESEND_API_KEY: 'key' }, 'RESEND_API_KEY: must start with re_'],
  [{ ORIGIN: 'diamondlink.example' }, /^ORIGIN: must be a URL/],
])('%j is refused with a one-line message', (env, line) => {
  const message = complaint(env as Record<string, string>)
  expect(message).toMatch(line)
  expect(message).not.toContain('\n')
})

test.each([
  'esdb://ana:secret@log.example:2113?tls=true',
  'esdb://a:2111,b:2121,c:2131?nodePreference=leader',
  'esdb+discover://a:2111,b:2121,c:2131',
  'kurrentdb+discover://cluster.example',
])('EVENTSTOREDB_URL accepts every URL that its client accepts: %s', address => {
  expect(readConfig({ EVENTSTOREDB_URL: address }).eventstoredbUrl).toBe(address)
})

test('TRUST_PROXY accepts loopback, addresses and networks', () => {
  const trusted = (value: string | undefined, ...addresses: string[]) => {
    const proxies = trustedProxies(readConfig({ TRUST_PROXY: value }).proxies)
    return addresses.map(address => proxies.includes(address))
  }
  expect(trusted(undefined, '127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '10.0.0.1', 'unknown')).toEqual([
    ...[true, true, true, true],
    ...[false, false],
  ])
  const list = '10.1.2.3, 172.16.0.0/12,fd00::/8'
  expect(trusted(list, '10.1.2.3', '172.31.255.255', '::ffff:172.16.0.1', 'fdab::1')).toEqual([true, true, true, true])
  expect(trusted(list, '10.1.2.4', '172.32.0.0', 'fe80::1', '127.0.0.1')).toEqual([false, false, false, false])
  expect(trusted('loopback,10.0.0.0/8', '127.0.0.1', '10.200.0.1', '11.0.0.1', '11.0.0.1', '10.200.0.1')).toEqual([
    ...[true, true],
    ...[false, false, true],
  ])
})

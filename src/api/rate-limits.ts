import { isIPv4, isIPv6 } from 'node:net'
import type { Sql } from 'postgres'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequests } from './problem.ts'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600

/**
 * Each rule sets how many requests are allowed within `seconds`: per address, per network, and per account from any address
 * (`known-device`: per known browser).
 */
const rules = {
  login: { seconds: 5 * MINUTE_SECONDS, address: 30, network: 120, account: 100 },
  picture: { seconds: HOUR_SECONDS, account: 30 },
  'known-device': { seconds: 5 * MINUTE_SECONDS, account: 30 },
  'own-password': { seconds: 5 * MINUTE_SECONDS, account: 30 },
  register: { seconds: HOUR_SECONDS, address: 30, network: 120 },
  'check-email': { seconds: MINUTE_SECONDS, address: 20, network: 60 },
  recovery: { seconds: HOUR_SECONDS, address: 10, network: 40, account: 5 },
  leads: { seconds: HOUR_SECONDS, address: 20, network: 100 },
  support: { seconds: HOUR_SECONDS, address: 60, network: 200, account: 20 },
  link: { seconds: HOUR_SECONDS, address: 60, network: 200 },
  // Each assignment sends a letter to an instructor.
  assign: { seconds: HOUR_SECONDS, account: 60 },
  // Each call reaches the payment provider, whose own rate limit all our users share.
  provider: { seconds: HOUR_SECONDS, account: 100 },
  // An upload that is never completed occupies space in the object store until the storage sweeper deletes it.
  upload: { seconds: HOUR_SECONDS, account: 200 },
  voice: { seconds: HOUR_SECONDS, account: 400 },
  // Each request looks up a private link to a review, without any sign-in.
  shared: { seconds: HOUR_SECONDS, address: 120, network: 600 },
  // Rendering a video takes minutes of work.
  'review-video': { seconds: HOUR_SECONDS, account: 30 },
  guardian: { seconds: HOUR_SECONDS, address: 20, network: 60, account: 5 },
  // Each export reads all of a person's stored data and stores a copy.
  export: { seconds: 24 * HOUR_SECONDS, account: 3 },
  // Each change re-renders a public page in every process.
  page: { seconds: HOUR_SECONDS, account: 300 },
  // Each event is kept forever and replayed in every rebuild of a read model.
  change: { seconds: HOUR_SECONDS, account: 600 },
} satisfies Record<string, { seconds: number; address?: number; network?: number; account?: number }>
type Limited = keyof typeof rules

export interface RateLimiter {
  /** Counts one request against a limit, by network address and by `account`, if given. @throws Problem 429 with `Retry-After` */
  take(what: Limited, address: string, account?: string): Promise<void>
}

/**
 * Limits that are counted in Postgres, so that they hold across all processes, or in memory while Postgres is unavailable. `scale`
 * multiplies every limit.
 */
export function rateLimits(sql: Sql, scale = 1): RateLimiter {
  const client = {
    query: async ({ text, values }: { text: string; values: (string | number)[] }) => {
      const rows = await sql.unsafe<{ points: number; expire: bigint }[]>(text, values, { prepare: true })
      return { rows: rows.map(row => ({ ...row, expire: Number(row.expire) })) }
    },
  }
  const limiter = (name: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: client,
      storeType: 'client',
      tableName: 'limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points: points * scale,
      duration,
      // Once a client is over the limit, its further requests are rejected in memory without a query.
      inMemoryBlockOnConsumed: points * scale + 1,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points: points * scale, duration }),
    })
  const all = Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [
      name,
      {
        address: 'address' in rule ? limiter(`${name}.address`, rule.address, rule.seconds) : undefined,
        network: 'network' in rule ? limiter(`${name}.network`, rule.network, rule.seconds) : undefined,
        account: 'account' in rule ? limiter(`${name}.account`, rule.account, rule.seconds) : undefined,
      },
    ]),
  )
  return {
    async take(what, address, account) {
      const { address: byAddress, network, account: byAccount } = all[what]!
      try {
        await byAddress?.consume(clientAddressPrefix(address))
        await network?.consume(clientNetworkSlash24OrSlash48(address))
        if (account !== undefined) await byAccount?.consume(account.trim().toLowerCase().slice(0, 200))
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw tooManyRequests(refused.msBeforeNext / 1000)
        throw refused
      }
    },
  }
}

/** A network address without what some proxies add: brackets, a port, or the IPv6 prefix of a mapped IPv4 address. */
const bareAddress = (address: string) => {
  const bare = address.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^(.*\.\d+):\d+$/, '$1')
  return bare.startsWith('::ffff:') && isIPv4(bare.slice(7)) ? bare.slice(7) : bare
}

/** The part of an address that identifies one customer: an IPv4 address, or the /64 prefix, because an IPv6 customer gets a whole /64. */
export const clientAddressPrefix = (address: string) => prefix(bareAddress(address), 4)
/** The network of an address: /24 for IPv4, /48 for IPv6. */
export const clientNetworkSlash24OrSlash48 = (address: string) => {
  const a = bareAddress(address)
  return isIPv4(a) ? a.split('.').slice(0, 3).join('.') : prefix(a, 3)
}

function prefix(address: string, groups: number) {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]!.toLowerCase().split('::')
  const front = head ? head.split(':') : []
  const back = tail ? tail.split(':') : []
  const zeros = Array<string>(8 - front.length - back.length).fill('0')
  return [...front, ...zeros, ...back].slice(0, groups).join(':')
}

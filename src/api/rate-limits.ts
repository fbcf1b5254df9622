import { isIPv4, isIPv6 } from 'node:net'
import type { Sql } from 'postgres'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequests } from './problem.ts'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600

/** How often within how many seconds: from one address, from its network, and for one account whoever asks (`known-device`: from one browser of its). */
const rules = {
  login: { seconds: 5 * MINUTE_SECONDS, address: 30, network: 120, account: 100 },
  picture: { seconds: HOUR_SECONDS, account: 30 },
  'known-device': { seconds: 5 * MINUTE_SECONDS, account: 30 },
  register: { seconds: HOUR_SECONDS, address: 30, network: 120 },
  'check-email': { seconds: MINUTE_SECONDS, address: 20, network: 60 },
  recovery: { seconds: HOUR_SECONDS, address: 10, network: 40, account: 5 },
  leads: { seconds: HOUR_SECONDS, address: 20, network: 100 },
  support: { seconds: HOUR_SECONDS, address: 60, network: 200, account: 20 },
  link: { seconds: HOUR_SECONDS, address: 60, network: 200 },
  // Each of these is a letter to an instructor.
  assign: { seconds: HOUR_SECONDS, account: 60 },
  // What asks the payment provider, who answers all of us so often a second.
  provider: { seconds: HOUR_SECONDS, account: 100 },
  // What the object store keeps a place for, until it is swept.
  upload: { seconds: HOUR_SECONDS, account: 200 },
  voice: { seconds: HOUR_SECONDS, account: 400 },
  // Each opens a private link to a review.
  shared: { seconds: HOUR_SECONDS, address: 120, network: 600 },
  // Each is minutes of work.
  'review-video': { seconds: HOUR_SECONDS, account: 30 },
  guardian: { seconds: HOUR_SECONDS, address: 20, network: 60, account: 5 },
  // Each reads all that somebody has stored, and stores it once more.
  export: { seconds: 24 * HOUR_SECONDS, account: 3 },
  // Each has a public page made anew, in every process.
  page: { seconds: HOUR_SECONDS, account: 300 },
  // Each is kept for ever, and told anew by every read model.
  change: { seconds: HOUR_SECONDS, account: 600 },
} satisfies Record<string, { seconds: number; address?: number; network?: number; account?: number }>
type Limited = keyof typeof rules

export interface RateLimits {
  /** Counts one try. `account` is a name that the limit also holds for. @throws Problem 429 with `Retry-After` */
  take(what: Limited, address: string, account?: string): Promise<void>
}

/** Limits counted in Postgres, so that they hold over all processes; in memory while Postgres is away. `scale` widens them all. */
export function rateLimits(sql: Sql, scale = 1): RateLimits {
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
      // Whoever is over the limit costs no query until it is over.
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
        await byAddress?.consume(addressOf(address))
        await network?.consume(networkOf(address))
        if (account !== undefined) await byAccount?.consume(account.trim().toLowerCase().slice(0, 200))
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw tooManyRequests(refused.msBeforeNext / 1000)
        throw refused
      }
    },
  }
}

/** Without what some proxies write around it: brackets, a port, the mark of an IPv4 address among those of IPv6. */
const bareAddress = (address: string) => {
  const bare = address.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^(.*\.\d+):\d+$/, '$1')
  return bare.startsWith('::ffff:') && isIPv4(bare.slice(7)) ? bare.slice(7) : bare
}

/** One customer's address: an IPv6 customer has a /64 to choose from. */
export const addressOf = (address: string) => prefix(bareAddress(address), 4)
/** Its network: /24, or /48. */
export const networkOf = (address: string) => {
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

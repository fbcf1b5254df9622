import { BlockList, isIP } from 'node:net'

/** Parses an address or a network ('10.0.0.0/8', 'fd00::/8'). Undefined if the text is neither. */
function parseNetwork(item: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [, address = '', given] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? []
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  const prefix = given === undefined ? most : Number(given)
  return version && prefix <= most ? { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' } : undefined
}

/** Whether a text is an item that `trustedProxies` accepts. */
export const isValidTrustedProxy = (item: string) => item === 'loopback' || parseNetwork(item) !== undefined

/** How many results are cached. The cache is limited because clients can send any address in `X-Forwarded-For`. */
const MAX_CHECKED_ADDRESSES = 1000

/** A list of proxies whose `X-Forwarded-For` is trusted: addresses, networks, and `loopback` for 127.0.0.0/8 and ::1. */
export function trustedProxies(items: readonly string[]) {
  const list = new BlockList()
  for (const item of items.flatMap(i => (i === 'loopback' ? ['127.0.0.0/8', '::1'] : [i]))) {
    const { address, prefix, family } = parseNetwork(item)!
    list.addSubnet(address, prefix, family)
  }
  /** A cache of results, because `BlockList` takes microseconds per address, and every request looks up the same ones several times. */
  const checked = new Map<string, boolean>()
  return {
    includes(address: string): boolean {
      const version = isIP(address)
      if (version === 0) return false
      const earlier = checked.get(address)
      if (earlier !== undefined) return earlier
      if (checked.size >= MAX_CHECKED_ADDRESSES) checked.clear()
      const isTrusted = list.check(address, version === 4 ? 'ipv4' : 'ipv6')
      checked.set(address, isTrusted)
      return isTrusted
    },
  }
}

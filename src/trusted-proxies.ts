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

/** A list of proxies whose `X-Forwarded-For` is trusted: addresses, networks, and `loopback` for this machine's own addresses. */
export function trustedProxies(items: readonly string[]) {
  const list = new BlockList()
  for (const item of items.flatMap(i => (i === 'loopback' ? ['127.0.0.0/8', '::1'] : [i]))) {
    const { address, prefix, family } = parseNetwork(item)!
    list.addSubnet(address, prefix, family)
  }
  const isTrusted = (address: string) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
  /** Behind a proxy, all requests come from its few addresses, and the check of a list is slow enough to notice at each of them. */
  let latest = { address: '', trusted: false }
  return {
    includes(address: string): boolean {
      if (address !== latest.address) latest = { address, trusted: isTrusted(address) }
      return latest.trusted
    },
  }
}

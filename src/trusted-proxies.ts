import { BlockList, isIP } from 'node:net'

/** An address or a network ('10.0.0.0/8', 'fd00::/8') in its parts; undefined if it is neither. */
function parseNetwork(item: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [, address = '', given] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? []
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  const prefix = given === undefined ? most : Number(given)
  return version && prefix <= most ? { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' } : undefined
}

export const isProxyItem = (item: string) => item === 'loopback' || parseNetwork(item) !== undefined

/** Whose `X-Forwarded-For` counts: addresses, networks, and `loopback` for this machine's own. */
export function trustedProxies(items: readonly string[]) {
  const list = new BlockList()
  for (const item of items.flatMap(i => (i === 'loopback' ? ['127.0.0.0/8', '::1'] : [i]))) {
    const { address, prefix, family } = parseNetwork(item)!
    list.addSubnet(address, prefix, family)
  }
  return {
    /** Is this one of them? */
    includes(address: string): boolean {
      const version = isIP(address)
      return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

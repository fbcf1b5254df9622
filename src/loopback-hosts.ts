const LOOPBACK_HOSTS = new Set(['127.0.0.1', '::1', '[::1]', 'localhost'])

/** Whether only this machine can reach a host; IPv6 addresses may have the brackets that URLs put around them. */
export const isLoopbackHost = (host: string) => LOOPBACK_HOSTS.has(host)

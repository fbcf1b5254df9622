import { randomInt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const listen = (port: number) =>
  new Promise<number>((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(port)))
  })

/** Below the ports that systems give to outgoing connections: one of those could take it before we listen there. */
async function choose() {
  for (let tries = 1; ; tries++) {
    try {
      return await listen(randomInt(15_000, 32_000))
    } catch (error) {
      if (tries === 50) throw error
    }
  }
}

/** A free loopback port: the one noted in `file` if it is still free, so that addresses outlive a restart; else another, noted. */
export async function freePort(file?: string): Promise<number> {
  if (!file) return choose()
  const last = Number.parseInt(await readFile(file, 'utf8').catch(() => '0'), 10) || 0
  let port = 0
  // What had it may be a killed process that is still going.
  for (let i = 0; last && !port && i < 10; i++) port = await listen(last).catch(() => sleep(50, 0))
  port ||= await choose()
  if (port !== last) await writeFile(file, String(port))
  return port
}

/**
 * Whether a request names a loopback server by an address of its own. A stranger's site can point its own name at 127.0.0.1 after a browser has
 * loaded it (DNS rebinding), and would read whatever answers there as its own.
 */
export const isOwnHost = (host: string | undefined, port: number) => host === `127.0.0.1:${port}` || host === `localhost:${port}`

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

/** Picks a port below the ephemeral range, because an outgoing connection could take one in that range before the server does. */
async function choose() {
  for (let tries = 1; ; tries++) {
    try {
      return await listen(randomInt(15_000, 32_000))
    } catch (error) {
      if (tries === 50) throw error
    }
  }
}

/**
 * Finds a free loopback port: the one stored in `file` if it is still free, so that URLs survive a restart; otherwise a new one, which
 * is then stored.
 */
export async function findFreePort(file?: string): Promise<number> {
  if (!file) return choose()
  const last = Number.parseInt(await readFile(file, 'utf8').catch(() => '0'), 10) || 0
  let port = 0
  // The old port may still be held by a killed process that is about to exit, so try it several times.
  for (let i = 0; last && !port && i < 10; i++) port = await listen(last).catch(() => sleep(50, 0))
  port ||= await choose()
  if (port !== last) await writeFile(file, String(port))
  return port
}

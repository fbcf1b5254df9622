import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'

const listen = (port: number) =>
  new Promise<number>((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(port, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })

/** A free loopback port: the one noted in `file` if it is still free, so that addresses outlive a restart; else another, noted. */
export async function freePort(file?: string): Promise<number> {
  if (!file) return listen(0)
  const last = Number.parseInt(await readFile(file, 'utf8').catch(() => '0'), 10) || 0
  const port = await listen(last).catch(() => listen(0))
  if (port !== last) await writeFile(file, String(port))
  return port
}

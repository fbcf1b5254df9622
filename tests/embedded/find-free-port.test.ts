import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../src/embedded/find-free-port.ts'

/**
 * Linux uses ports from 32768 up for outgoing connections, other systems from 49152 (IANA's dynamic ports), so no outgoing connection takes
 * a lower port.
 */
const firstOutgoing = 32_768

test("a chosen port is outside the range of the system's outgoing connections", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => findFreePort()))
  expect(Math.max(...ports)).toBeLessThan(firstOutgoing)
  expect(Math.min(...ports)).toBeGreaterThan(1023)
})

test('the saved port is chosen again unless it is taken', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'diamondlink-port-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const file = join(dir, 'port')
  const first = await findFreePort(file)
  expect(await findFreePort(file)).toBe(first)
  const other = createServer()
  await new Promise<void>(done => other.listen(first, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  const next = await findFreePort(file)
  expect(next).not.toBe(first)
  expect(await findFreePort(file)).toBe(next)
})

test('a saved value that is not a port is ignored', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'diamondlink-port-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, 'port'), 'eighty')
  expect(await findFreePort(join(dir, 'port'))).toBeGreaterThan(1023)
})

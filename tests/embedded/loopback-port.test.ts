import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/embedded/loopback-port.ts'

/** IANA's dynamic ports begin at 49152, Linux's at 32768: neither system gives one of ours to an outgoing connection. */
const firstOutgoing = 32_768

test('is outside the range that the system gives to outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()))
  expect(Math.max(...ports)).toBeLessThan(firstOutgoing)
  expect(Math.min(...ports)).toBeGreaterThan(1023)
})

test('is the saved one again, or another if that is taken', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'diamondlink-port-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const file = join(dir, 'port')
  const first = await freePort(file)
  expect(await freePort(file)).toBe(first)
  const other = createServer()
  await new Promise<void>(done => other.listen(first, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  const next = await freePort(file)
  expect(next).not.toBe(first)
  expect(await freePort(file)).toBe(next)
})

test('ignores a saved value that is not a port', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'diamondlink-port-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, 'port'), 'eighty')
  expect(await freePort(join(dir, 'port'))).toBeGreaterThan(1023)
})

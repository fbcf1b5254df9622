/**
 * After every install: mends what postgres 3.4.9 does when Postgres cuts a connection. Inside a transaction, the rollback is written to a socket
 * that is gone, which throws outside of any promise and ends the process (porsager/postgres#1208), or it is left in the buffer, and the
 * connection never comes back. A query sent between the error and the close waits for ever, and so does a COPY that fails at its end. While
 * it connects, the error has nobody to catch it. tests/kernel/cut.test.ts shows each. Goes once a release has the fixes. And it lets small
 * messages go at once: held back until what went before is acknowledged, each second one in a transaction came 40 ms late.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const mends = [
  [
    `  function nextWrite(fn) {
    const x = socket.write(chunk, fn)`,
    `  function nextWrite(fn) {
    if (!socket) {
      nextWriteTimer !== null && clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return true
    }
    const x = socket.write(chunk, fn)`,
  ],
  [
    `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)`,
  ],
  ['    !hadError && (query || sent.length) && error(', '    ;(query || sent.length) && error('],
  [
    '    stream && (stream.destroy(err), stream = null)\n',
    '    stream && (stream.destroy(err), stream = null)\n    final && (final(err), final = null)\n',
  ],
  [': new net.Socket()', ': new net.Socket().setNoDelay(true)'],
  ['return fetchArrayTypes()', 'return fetchArrayTypes().catch(() => {})'],
]

for (const build of ['src', 'cjs/src']) {
  const file = new URL(`../node_modules/postgres/${build}/connection.js`, import.meta.url)
  let code = readFileSync(file, 'utf8')
  for (const [found, mended] of mends) {
    if (code.includes(mended)) continue
    if (!code.includes(found)) throw new Error('postgres has changed: see whether it still needs scripts/patch-postgres.mjs.')
    code = code.replace(found, mended)
  }
  writeFileSync(file, code)
}

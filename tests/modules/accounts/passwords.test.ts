import { execFile } from 'node:child_process'
import { argon2Sync, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { promisify } from 'node:util'
import threads from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { hashPassword, newHashParameters, OWASP_ARGON2ID_PARAMETERS, verifyPassword } from '../../../modules/accounts/passwords.ts'
import { cheapPasswordHash } from '../../support/password-hashes.ts'

const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

// These tests check the parameters of real hashes, which other tests replace with cheap ones.
Object.assign(newHashParameters, OWASP_ARGON2ID_PARAMETERS)

test('a hash is a PHC string with the parameters recommended by OWASP', async () => {
  const kept = await hashPassword('correct horse')
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  const [nonce, tag] = kept.split('$').slice(4) as [string, string]
  const parameters = { message: 'correct horse', nonce: Buffer.from(nonce, 'base64'), memory: 19456, passes: 2, parallelism: 1 }
  expect(Buffer.from(tag, 'base64')).toEqual(Buffer.from(argon2Sync('argon2id', { ...parameters, tagLength: 32 })))
})

test('a hash with other parameters is verified with its own parameters', async () => {
  const nonce = Buffer.alloc(16, 7)
  for (const [memory, passes, parallelism, tagLength] of [
    [1024, 3, 2, 32],
    [64, 10, 1, 24],
    [128, 1, 12, 32],
  ] as const) {
    const tag = argon2Sync('argon2id', { message: 'correct horse', nonce, memory, passes, parallelism, tagLength })
    const kept = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(nonce)}$${plain(tag)}`
    expect([await verifyPassword('correct horse', kept), await verifyPassword('correct horses', kept)]).toEqual([true, false])
  }
})

test.each([
  '',
  'x',
  '$argon2id$v=19$m=64,t=1,p=1$AAAA',
  '$argon2i$v=19$m=64,t=1,p=1$AAAAAAAAAAA$AAAAAAAA',
  '*$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAA$AAAAAAAA',
  '$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAA$AAAAAAAA$',
])('a malformed hash is an error: "%s"', async kept => {
  await expect(verifyPassword('x', kept)).rejects.toThrow('a stored password is not an Argon2id hash')
})

test('a login without an account always fails, whatever the password', async () => {
  expect(await Promise.all(['', 'x', 'undefined'].map(password => verifyPassword(password, undefined)))).toEqual([false, false, false])
})

/** Loads the module again under a different URL, as if on a machine with `cores` cores: the module counts them when it loads. */
async function loadPasswords(cores: number): Promise<typeof import('../../../modules/accounts/passwords.ts')> {
  const { availableParallelism } = os
  os.availableParallelism = () => cores
  syncBuiltinESMExports()
  try {
    return await import(`${new URL('../../../modules/accounts/passwords.ts', import.meta.url).pathname}?${randomUUID()}`)
  } finally {
    os.availableParallelism = availableParallelism
    syncBuiltinESMExports()
  }
}

test('password checks use all cores but one, with a queue of at most 384 for each', async () => {
  const { hashPassword, verifyPassword, PasswordQueueFullError, assertPasswordQueueHasRoom } = await loadPasswords(3)
  const room = 2 + 2 * 384
  const [right, other] = [cheapPasswordHash('right'), cheapPasswordHash('other')]
  const all = Array.from({ length: room - 1 }, (_, i) => verifyPassword('right', i % 3 ? right : other))
  assertPasswordQueueHasRoom()
  all.push(verifyPassword('right', right))
  expect(assertPasswordQueueHasRoom).toThrow(PasswordQueueFullError)
  expect(assertPasswordQueueHasRoom).toThrow('too many passwords at once')
  const refused = await Promise.allSettled(Array.from({ length: 3 }, () => hashPassword('x')))
  expect(refused.map(r => r.status === 'rejected' && [r.reason instanceof PasswordQueueFullError, r.reason.seconds])).toEqual(
    Array.from({ length: 3 }, () => [true, 2]),
  )
  expect(await Promise.all(all)).toEqual([...Array.from({ length: room - 1 }, (_, i) => i % 3 > 0), true])
  assertPasswordQueueHasRoom()
  // The refused requests used up no room: if there is one request too many now, only that one is refused.
  const later = await Promise.allSettled(Array.from({ length: room + 1 }, () => verifyPassword('right', right)))
  expect(later.filter(r => r.status === 'rejected')).toHaveLength(1)
})

test('passwords of unknown requesters are hashed and checked in order of arrival', async () => {
  const { hashPassword, verifyPassword } = await loadPasswords(2)
  const finished: string[] = []
  const work = [hashPassword('a'), hashPassword('b'), hashPassword('c'), verifyPassword('d', cheapPasswordHash('d'))]
  await Promise.all(work.map((each, i) => each.then(() => finished.push('abcd'[i]!))))
  expect(finished).toEqual(['a', 'b', 'c', 'd'])
})

test('a message with which Node reports a loaded file is not taken for a hash', async () => {
  const { Worker } = threads
  threads.Worker = class extends Worker {
    override postMessage(parameters: unknown) {
      super.postMessage(parameters)
      process.nextTick(() => this.emit('message', { 'watch:import': ['file:///argon2-thread.ts'] }))
    }
  }
  syncBuiltinESMExports()
  // The module has to start its threads with this class, so it is loaded again.
  const { verifyPassword } = await loadPasswords(2)
  const matches = await verifyPassword('right', cheapPasswordHash('right')).finally(() => {
    threads.Worker = Worker
    syncBuiltinESMExports()
  })
  expect(matches).toBe(true)
})

test('a thread is reused, and keeps the process alive only while it works', async () => {
  await hashPassword('x')
  const { Worker } = threads
  let begun = 0
  threads.Worker = class extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      begun++
    }
  }
  syncBuiltinESMExports()
  const held = () => process.getActiveResourcesInfo().filter(each => each === 'MessagePort').length
  const before = held()
  for (let i = 0; i < 3; i++) {
    const working = hashPassword(`${i}`)
    expect(held()).toBe(before + 1)
    await working
    expect(held()).toBe(before)
  }
  threads.Worker = Worker
  syncBuiltinESMExports()
  expect(begun).toBe(0)
})

test.skipIf(process.platform !== 'linux')('a hashing thread has the lowest priority', async () => {
  // The test run itself may have a lower priority (`nice`).
  const before = os.getPriority()
  await hashPassword('x')
  const threadsOf = await readdir('/proc/self/task')
  const nice = await Promise.all(
    threadsOf.map(async thread => {
      const stat = await readFile(`/proc/self/task/${thread}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    }),
  )
  expect([nice.includes(os.constants.priority.PRIORITY_LOW), os.getPriority()]).toEqual([true, before])
})

test('a process finishes its password checks and can then exit despite its threads', async () => {
  const passwords = new URL('../../../modules/accounts/passwords.ts', import.meta.url)
  const script = `import('${passwords}').then(async p => { for (const each of ['a', 'b']) console.log((await p.hashPassword(each)).length) })`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script])
  expect(stdout).toBe('97\n97\n')
})

describe('a password', () => {
  test('matches in every Unicode normalization, and no other password does', async () => {
    const kept = await hashPassword('pässword\u0301')
    expect(kept).not.toBe(await hashPassword('pässword\u0301'))
    expect(await verifyPassword('pa\u0308ssword\u0301', kept)).toBe(true)
    expect(await verifyPassword('password', kept)).toBe(false)
    expect(await verifyPassword('', kept)).toBe(false)
  })
  test('never matches without a hash, and a malformed hash is an error', async () => {
    expect(await verifyPassword('', undefined)).toBe(false)
    await expect(verifyPassword('x', 'plain')).rejects.toThrow('not an Argon2id hash')
  })
  test('whose check crashes its thread fails alone; queued passwords are still checked', async () => {
    const kept = await hashPassword('a password')
    const broken = kept.replace(/m=\d+/, 'm=1')
    const [first, ...others] = await Promise.allSettled([
      verifyPassword('a', broken),
      verifyPassword('a password', kept),
      verifyPassword('b', kept),
    ])
    expect(first!.status).toBe('rejected')
    expect(others).toEqual([
      { status: 'fulfilled', value: true },
      { status: 'fulfilled', value: false },
    ])
    expect(await verifyPassword('a password', kept)).toBe(true)
  })
})

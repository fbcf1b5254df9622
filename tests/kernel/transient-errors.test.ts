import { ErrorType } from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { isDataError, isStoreUnavailable, isTransient } from '../../modules/kernel/transient-errors.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { createTestDatabase } from '../support/postgres.ts'

const coded = (code: string) => Object.assign(new Error(code), { code })
const typed = (type: string) => Object.assign(new Error(type), { type })

test.each([
  ...['EAI_AGAIN', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'CONNECT_TIMEOUT'],
  ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', '08006', '25006', '40001', '40P01', '53100', '53200', '53300'],
  ...['55P03', '57014', '57P01', '57P02', '57P03', '58030'],
  ...['ECONNABORTED', 'EHOSTDOWN', 'EMFILE', 'ENETDOWN', 'ENETRESET', 'ENFILE'],
  ...['EADDRNOTAVAIL', 'EAI_FAIL', 'ENOBUFS', 'ENOMEM', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ...['CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_SOCKET'],
])('%s is a transient error and not a data error', code => {
  expect([isTransient(coded(code)), isDataError(coded(code))]).toEqual([true, false])
  expect(isTransient(new TypeError('fetch failed', { cause: coded(code) }))).toBe(true)
})

test.each([ErrorType.UNAVAILABLE, ErrorType.TIMEOUT, ErrorType.DEADLINE_EXCEEDED, ErrorType.CANCELLED, ErrorType.NOT_LEADER])(
  'the EventStoreDB error %s is transient',
  type => expect([isTransient(typed(type)), isDataError(typed(type))]).toEqual([true, false]),
)

test.each(['22P02', '23502', '23505', '21000', '44000', '54000', 'P0001'])('%s is a data error', code => {
  expect([isTransient(coded(code)), isDataError(coded(code))]).toEqual([false, true])
})

test.each(['42P01', '42501', '3D000', '25007', '55006', '42023', '3D022', 'XXP00'])('%s is neither a transient nor a data error', code => {
  expect([isTransient(coded(code)), isDataError(coded(code))]).toEqual([false, false])
})

test('an unavailable store is distinguished from a refused transaction', () => {
  const away = ['57P01', '53300', '53100', 'ECONNREFUSED'].map(coded)
  const answered = [...['40001', '40P01', '55P03', '23505'].map(coded), new TypeError('x is undefined')]
  expect([away.map(isStoreUnavailable), answered.map(isStoreUnavailable)]).toEqual([away.map(() => true), answered.map(() => false)])
  expect(isStoreUnavailable(typed(ErrorType.UNAVAILABLE))).toBe(true)
})

test('an error thrown by our own code counts as a data error', () => {
  for (const error of [
    new TypeError('x is undefined'),
    coded('ERR_INVALID_ARG_TYPE'),
    typed('wrong-expected-version'),
    // Codes that only resemble those of Postgres.
    ...['5701', 'x5701', '570145', 'x57014', '57P01x', '25006x', 'x25006', '42P011', 'x42P01', '42p01'].map(coded),
    Object.assign(new Error('a number'), { code: 57014, type: 5 }),
    { code: 'ECONNRESET' },
    'a text',
    undefined,
  ])
    expect([isTransient(error), isDataError(error)]).toEqual([false, true])
})

test('a canceled or killed backend is a transient error', async () => {
  const db = await createTestDatabase()
  const away: unknown[] = []
  for (const end of ['pg_cancel_backend', 'pg_terminate_backend']) {
    const sql = createPostgresPool(db.url, { max: 1 })
    const [{ pid }] = (await sql`select pg_backend_pid() as pid`) as unknown as [{ pid: number }]
    const slow = sql`select pg_sleep(60)`.catch(error => error)
    await new Promise(setImmediate)
    await db.sql`select ${db.sql.unsafe(end)}(${pid})`
    away.push(isTransient(await slow))
    await sql.end({ timeout: 1 })
  }
  await db.end()
  expect(away).toEqual([true, true])
})

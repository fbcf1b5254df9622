import { randomUUID } from 'node:crypto'
import pino from 'pino'
import type { Sql } from 'postgres'
import { v7 as newId } from 'uuid'
import { loginSessions } from '../../modules/accounts/login-sessions.ts'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { encryptedStore } from '../../modules/privacy/encrypted-store.ts'
import { personKeys } from '../../modules/privacy/person-keys.ts'
import { personalTextFields } from '../../projections/personal-text-fields.ts'
import { migrate } from '../../src/server/migrate.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { startTemporaryPostgres } from '../support/postgres.ts'
import { startBenchServerProcess } from './http-load-and-cpu-time-helpers.ts'
import { PLACEHOLDER_STORE_ENV } from './s2-request-overhead.ts'

export type MeasuredServer = Awaited<ReturnType<typeof startBenchServerProcess>>

const silentLog = { info: () => {}, error: (about: object, what: string) => console.error(what, about) }

/** Registers a player, and returns the cookie of a signed-in browser. */
async function signIn(sql: Sql): Promise<string> {
  const id = newId()
  await sql`insert into users (id, role, username, email, password, first_name, last_name, command, created)
    values (${id}, 'player', 'ana@example.com', 'ana@example.com', '-', 'Ana', 'Diaz', ${newId()}, now())`
  const store = loginSessions(sql, () => new Date())
  const token = await store.start(id, 'bench')
  await store.stop()
  return `session=${token}`
}

/**
 * Starts a new database, without fsync, for several real servers.
 * @param ownConnections the `application_name` of this benchmark's own connections
 */
export async function startSharedDatabase(settings: Record<string, string>, ownConnections: string) {
  const postgres = await startTemporaryPostgres({ fsync: 'off', ...settings })
  await migrate(postgres.url, pino({ level: 'silent' }))
  const sql = createPostgresPool(postgres.url, { max: 4, connection: { application_name: ownConnections } })
  const store = encryptedStore(postgresStore(sql), personKeys(sql), personalTextFields, silentLog)
  const env = { ...PLACEHOLDER_STORE_ENV, DATABASE_URL: postgres.url, ORIGIN: 'http://ours.test', WORK: '1' }
  const cookie = await signIn(sql)
  const player = newId()
  return {
    sql,
    /** Starts one of the programs in `server-processes/` on this database. */
    startServer: (name: 'api' | 'idle-postgres-listener'): Promise<MeasuredServer> => startBenchServerProcess(name, env),
    /** Appends an event directly, without going through a server. */
    createFolder: () =>
      handleCommand(
        store,
        folderDecider,
        randomUUID(),
        'create',
        { player, name: 'Tuesday bullpen' },
        { command: randomUUID(), actor: player },
      ),
    /** Requests a list that is at least as new as `position`. @returns false if the server gave up waiting for its read models */
    async listFolders({ port }: MeasuredServer, position: bigint): Promise<boolean> {
      const answer = await fetch(`http://127.0.0.1:${port}/api/folders`, {
        headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-seen': `${position}` },
      })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`/api/folders: ${answer.status}`)
      return !answer.headers.has('x-stale')
    },
    async stop() {
      await store.close()
      await sql.end({ timeout: 5 })
      await postgres.stop()
    },
  }
}

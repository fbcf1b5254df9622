import pino from 'pino'
import type { Sql } from 'postgres'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { migrate } from '../../src/server/migrate.ts'
import { projections } from '../../src/server/module-registry.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { fillAccounts } from './fill-accounts.ts'
import { fillAudit, fillLog } from './fill-log.ts'
import { insertSyntheticReadModelRows } from './fill-read-models.ts'

/** Creates all tables as a server does, and fills them. */
export async function fillInstallation(url: string, sql: Sql) {
  const ending = new AbortController()
  const log = pino({ level: 'silent' })
  await migrate(url, log)
  const models = createPostgresPool(url)
  await projectionRunner(models, memoryStore(), projections, { log }).start(ending.signal)
  ending.abort()
  await models.end()
  await fillAccounts(sql)
  await insertSyntheticReadModelRows(sql)
  await fillAudit(sql)
  await fillLog(sql)
  // Autovacuum does this in a running database. Without it, GIN indexes would keep all of these rows in their unsorted pending lists.
  await sql`vacuum analyze`
}

import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { accountDecider } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { accountDeletionErrandHandlers } from '../../src/server/account-deletion-errands.ts'
import { buildApp } from '../../src/server/app.ts'
import { childlessGuardianDeletionErrandHandlers } from '../../src/server/guardian-deletion.ts'
import { projections } from '../../src/server/module-registry.ts'
import { startServerWithFamilyHelpers } from './server-with-families.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'

/** Replaces a server by one with the same data, but with empty read models, as after a restore. It does no work yet. */
async function replaceByRestoredServer(s: ServerWithStripe) {
  await s.stop()
  const app = await buildApp(s.deps.config, pino({ level: 'silent' }), { site: '/nowhere' })
  onTestFinished(async () => {
    await app.stop()
    await s.end()
  })
  const { sql, store, log } = app.deps
  const tables = await sql`select relname as name from pg_class where relkind = 'r' and relname ~ '_v[0-9]+(_fresh)?$'`
  for (const { name } of tables) await sql`drop table ${sql(name)}`
  // A backup has no checkpoints of read models either.
  await sql`delete from checkpoints where name ~ '_v[0-9]+(_fresh)?$'`
  await projectionRunner(sql, store, projections, { log }).start(AbortSignal.abort())
  return app
}

test("a deletion with an open bill waits until a restore's read models are filled", async () => {
  const s = await startServerWithStripe()
  const [player, instructor] = await Promise.all([s.player(), s.instructor()])
  await s.saveCardOf(player)
  await s.createDeliveredFolder(player, instructor)
  const due = new Date(Date.now() + 24 * 3600_000).toISOString()
  await handleCommand(s.deps.store, accountDecider, player.id, 'scheduleDeletion', { due }, systemCommandSource(randomUUID()))
  await s.waitUntilIdle()

  const restored = await replaceByRestoredServer(s)
  const { sql } = restored.deps
  const deleteAccount = () =>
    accountDeletionErrandHandlers(restored.deps)['account.delete']({ person: player.id, due }, { id: randomUUID() })
  const errands = () => sql`select 1 from errands where kind = 'account.delete' and done is null`
  const before = (await errands()).length
  await expect(deleteAccount()).rejects.toThrow('the read models assignments, payments have not read position')

  await restored.work()
  await deleteAccount()
  expect(await sql`select 1 from users where id = ${player.id}`).toHaveLength(1)
  expect(await errands()).toHaveLength(before + 1)
})

test('a guardian with an open bill stays while a restore fills the read models', async () => {
  const { t, families } = await startServerWithFamilyHelpers()
  const { leo, id } = await families.familyWithBill()
  await t.sql`update users set born = '1990-01-01' where id = ${leo.id}`
  await t.waitUntilIdle()

  const restored = await replaceByRestoredServer(t)
  const { sql } = restored.deps
  // The deletion was requested before anything else happened.
  const deleteGuardian = () =>
    childlessGuardianDeletionErrandHandlers(restored.deps)['guardian.delete']({ guardian: id, position: '-1' }, { id: randomUUID() })
  await expect(deleteGuardian()).rejects.toThrow('the read models payments, assignments have not read position')

  await restored.work()
  await deleteGuardian()
  expect(await sql`select 1 from guardians where id = ${id}`).toHaveLength(1)
})

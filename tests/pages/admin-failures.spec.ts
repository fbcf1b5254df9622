import { randomUUID } from 'node:crypto'
import { tableOf } from '../../modules/kernel/projection.ts'
import { folders } from '../../projections/folders.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { callApi, signInAsAdmin, signUpAsPlayer } from './api-setup.ts'

test('an administrator retries a failed errand and sees the outcome', { tag: '@sweep' }, async ({ page, app, shoot, accessible }) => {
  const sql = createPostgresPool(app.config.databaseUrl, { max: 1 })
  const [id, other] = [randomUUID(), randomUUID()]
  const payload = sql.json({ assignment: randomUUID() })
  await sql`insert into errands (id, kind, payload, attempt, tried, failed, error) values
    (${id}, 'payment.open', ${payload}, 31, now() - interval '1 day', now(), 'The provider does not answer'),
    (${other}, 'letter.receipt', ${payload}, 1, now(), now() - interval '1 minute', 'no such address')`
  await signInAsAdmin(page, app)
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: '2 things have stopped' })).toBeVisible()
  const given = page.getByRole('listitem').filter({ hasText: 'payment.open given up after' })
  await expect(given).toContainText('31 tries')
  await shoot('admin-given-up')
  await accessible()
  const again = page.getByRole('button', { name: 'Try again: payment.open' })
  await again.click()
  await expect(given.getByRole('status')).toHaveText('It failed again.')
  await expect(given).toContainText('32 tries')
  await accessible()
  // Simulate that the cause of the failure has been fixed, by giving the errand a kind that succeeds.
  await sql`update errands set kind = 'card.release' where id = ${id}`
  await again.press('Enter')
  await expect(page.getByRole('heading', { name: '1 thing has stopped' })).toBeFocused()
  await expect(page.getByText('payment.open is done', { exact: true })).toBeVisible()
  expect((await sql`select 1 from errands where id = ${id} and done is not null`).length).toBe(1)
  await sql`delete from errands where id in (${id}, ${other})`
  await sql.end()
})

test('an administrator retries a parked stream while other streams continue', { tag: '@sweep' }, async ({
  page,
  person,
  app,
  shoot,
  accessible,
}) => {
  const sql = createPostgresPool(app.config.databaseUrl, { max: 1 })
  const table = tableOf(folders)
  await sql.unsafe(`alter table "${table}" add constraint refused check (name <> 'Bad luck') not valid`)
  const [unlucky, other] = [await person(), await person()]
  await signUpAsPlayer(unlucky)
  await signUpAsPlayer(other)
  const [bad, fine] = [randomUUID(), randomUUID()]
  await callApi(unlucky, 'POST', '/api/folders', { id: bad, name: 'Bad luck' })
  await callApi(other, 'POST', '/api/folders', { id: fine, name: 'Good luck' })
  await other.goto('/player/dashboard')
  await expect(other.getByText('Good luck')).toBeVisible()
  const ready = await page.request.get('/api/ready')
  expect([ready.status(), (await ready.json()).parked]).toEqual([200, [{ reader: 'folders', streams: 1 }]])

  await signInAsAdmin(page, app)
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: '1 thing has stopped' })).toBeVisible()
  await expect(page.getByText(`folder-${bad}, FolderCreated at position`)).toBeVisible()
  await expect(page.getByText('violates check constraint')).toBeVisible()
  await shoot('admin-parked')
  await accessible()
  await page.getByRole('button', { name: 'Try again: folders' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Everything is running' })).toBeFocused()
  await unlucky.goto('/player/dashboard')
  await expect(unlucky.getByText('Bad luck')).toBeVisible()
  const rows = () => sql`select * from ${sql(tableOf(folders))} order by folder`
  const lifted = [...(await rows())]
  expect(
    (
      await page.request.post('/api/admin/followers/folders/retry', { headers: { origin: app.url, 'content-type': 'application/json' } })
    ).ok(),
  ).toBe(true)
  expect([...(await rows())]).toEqual(lifted)
  expect((await (await page.request.get('/api/ready')).json()).parked).toEqual([])
  await sql.end()
})

test('the dashboard warns that the log is older than the read models', { tag: '@sweep' }, async ({ page, app, shoot, accessible }) => {
  const sql = createPostgresPool(app.config.databaseUrl, { max: 1 })
  await sql`update checkpoints set log_end = 0 where name ~ '^folders_' or name = 'process charging'`
  await signInAsAdmin(page, app)
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: '2 things have stopped' })).toBeVisible()
  const item = page.getByRole('listitem').filter({ hasText: 'The log is older than the read models' })
  await expect(item).toContainText('npm run rebuild')
  await expect(item).toContainText('folders, charging')
  await shoot('admin-log-older')
  await accessible()
  expect((await page.request.get('/api/ready')).status()).toBe(503)
  await sql`update checkpoints set log_end = null`
  expect((await page.request.get('/api/ready')).status()).toBe(200)
  await sql.end()
})

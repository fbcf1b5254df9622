import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/signed-in-fixtures.ts'

test("an administrator reads all of a person's data, from the search to a raw event", { tag: '@sweep' }, async ({
  as,
  member,
  accessible,
  shoot,
  problems,
}) => {
  const { api, user } = await member('player', { firstName: 'Ottoline', lastName: 'Quist' })
  const folder = randomUUID()
  expect((await api.post('/api/folders', { data: { id: folder, name: 'Bunting, July' } })).status()).toBe(201)
  await api.post('/api/support/request', { data: { requestType: 'issue', content: 'Where is my receipt?', deviceInfo: 'Test' } })
  const admin = await as('admin')
  await admin.goto('/admin/dashboard')
  await admin.getByRole('searchbox', { name: /^Search people/ }).fill('quist')
  await admin
    .getByRole('region', { name: 'People' })
    .getByRole('link', { name: /Ottoline Quist/ })
    .click()
  await expect(admin).toHaveURL(`/admin/people/${user.id}`)
  await expect(admin.getByRole('heading', { name: 'Ottoline Quist' })).toBeVisible()
  await expect(admin.getByRole('link', { name: /Bunting, July/ })).toBeVisible()
  await expect(admin.getByText('Welcome', { exact: true })).toBeVisible()
  await expect(admin.getByText('Ottoline Quist created the folder “Bunting, July”')).toBeVisible()
  await admin
    .getByRole('button', { name: /^Raw event/ })
    .first()
    .click()
  await expect(admin.getByText('"commandId"')).toBeVisible()
  await accessible(admin)
  await shoot('admin-person', admin)
  await admin.getByRole('link', { name: /Where is my receipt/ }).click()
  await admin.getByRole('link', { name: 'Ottoline Quist' }).click()
  await expect(admin).toHaveURL(`/admin/people/${user.id}`)

  problems.expect(/404/)
  await admin.goto(`/admin/people/${randomUUID()}`)
  await expect(admin.getByRole('heading', { name: 'Person not found' })).toBeVisible()
})

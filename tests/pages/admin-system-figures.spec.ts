import { expect, test } from '../support/signed-in-fixtures.ts'

test('an administrator sees four numbers about the system', { tag: '@sweep' }, async ({ as, accessible, shoot }) => {
  const admin = await as('admin')
  await admin.goto('/admin/dashboard')
  await admin.getByRole('link', { name: 'System in four numbers' }).click()
  await expect(admin.getByRole('heading', { name: 'System', exact: true })).toBeVisible()
  for (const name of ['Log lag', 'Outbox age', 'Media queue', 'Failed emails'])
    await expect(admin.getByText(name, { exact: true })).toBeVisible()
  await accessible(admin)
  await shoot('admin-system', admin)
  await admin.setViewportSize({ width: 390, height: 844 })
  await accessible(admin)
})

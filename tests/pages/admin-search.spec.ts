import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/signed-in-fixtures.ts'

test('an administrator finds a person, a folder and a request by keyboard', { tag: '@sweep' }, async ({
  as,
  member,
  accessible,
  shoot,
}) => {
  const { api } = await member('player', { firstName: 'Quincy', lastName: 'Zabriskie' })
  const folder = randomUUID()
  expect((await api.post('/api/folders', { data: { id: folder, name: 'Quarry swings' } })).status()).toBe(201)
  await api.post('/api/support/request', { data: { requestType: 'issue', content: 'The quarry video stops.', deviceInfo: 'Test' } })
  const admin = await as('admin')
  await admin.goto('/admin/instructors')
  await expect(admin.getByRole('heading', { name: 'Instructors', exact: true })).toBeVisible()
  const field = admin.getByRole('searchbox', { name: /^Search people/ })
  await admin.keyboard.press('/')
  await expect(field).toBeFocused()
  await field.fill('zabriskie')
  await expect(admin.getByRole('region', { name: 'People' }).getByRole('link', { name: /Quincy Zabriskie/ })).toBeVisible()
  await expect(admin.getByRole('region', { name: 'Support requests' })).toBeVisible()
  await accessible(admin)
  await shoot('admin-search', admin)

  await admin.keyboard.press('Escape')
  await expect(admin.getByRole('region', { name: 'People' })).toBeHidden()
  await expect(field).toBeFocused()
  await field.fill('quarry')
  const match = admin.getByRole('link', { name: /Quarry swings/ })
  await expect(match).toBeVisible()
  await admin.keyboard.press('ArrowDown')
  await expect(match).toBeFocused()
  await admin.keyboard.press('ArrowUp')
  await expect(field).toBeFocused()
  await admin.keyboard.press('ArrowDown')
  await admin.keyboard.press('Enter')
  await expect(admin).toHaveURL(`/admin/folder/${folder}`)

  await field.fill('quarry video')
  await admin.getByRole('link', { name: /The quarry video stops/ }).click()
  await expect(admin.getByRole('heading', { name: 'Support request', exact: true })).toBeVisible()
  await expect(admin.getByRole('article')).toHaveCount(1)
})

test('a search without results says so, and a failed search can be retried', { tag: '@sweep' }, async ({ as, shoot, problems }) => {
  const admin = await as('admin')
  await admin.goto('/admin/support-management')
  const field = admin.getByRole('searchbox', { name: /^Search people/ })
  await field.fill('nobody of this name')
  await expect(admin.getByText(/^Nothing matches/)).toBeVisible()
  await shoot('admin-search-empty', admin)
  problems.expect(/api\/admin\/search/)
  await admin.route('**/api/admin/search**', route => route.abort())
  await field.fill('zabriskie the second')
  await expect(admin.getByRole('button', { name: 'Try again' })).toBeVisible()
  await shoot('admin-search-error', admin)
  await admin.unroute('**/api/admin/search**')
  await admin.getByRole('button', { name: 'Try again' }).click()
  await expect(admin.getByText(/^Nothing matches/)).toBeVisible()
})

test('an administrator loads more of the people that a search found', { tag: '@sweep' }, async ({ as, member, accessible, shoot }) => {
  for (const initial of 'ABCDEFGHI') await member('player', { firstName: 'Persephone', lastName: `Quarles ${initial}` })
  const admin = await as('admin')
  await admin.goto('/admin/instructors')
  await admin.getByRole('searchbox', { name: /^Search people/ }).fill('persephone quarles')
  const people = admin.getByRole('region', { name: 'People' })
  await expect(people.getByRole('link')).toHaveCount(8)
  await expect(people.getByText('8 shown')).toBeVisible()
  await accessible(admin)
  await shoot('admin-search-more', admin)

  // The arrow keys reach the button below the matches. When pressed, it becomes a line of text, from which ArrowUp reaches the last match.
  const more = people.getByRole('button', { name: 'Show more people' })
  await people.getByRole('link').last().focus()
  await admin.keyboard.press('ArrowDown')
  await expect(more).toBeFocused()
  await admin.keyboard.press('Enter')
  await expect(people.getByRole('link')).toHaveCount(9)
  await expect(people.getByText('All 9 shown')).toBeFocused()
  await admin.keyboard.press('ArrowUp')
  await expect(people.getByRole('link').last()).toBeFocused()
})

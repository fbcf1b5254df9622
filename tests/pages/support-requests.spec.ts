import { expect, test } from '../support/signed-in-fixtures.ts'

test('people find their support requests and the answers on the support page', { tag: '@sweep' }, async ({
  as,
  member,
  page,
  accessible,
  shoot,
}) => {
  await page.goto('/support')
  await expect(page.getByRole('heading', { name: 'Your requests' })).toBeHidden()

  const person = { email: `asking.${process.pid}@example.com` }
  const mia = await member('player', person)
  const herRequests = await as('player', { ...person, email: `reading.${process.pid}@example.com` })
  await herRequests.goto('/support')
  await expect(herRequests.getByText('No requests yet')).toBeVisible()
  await herRequests.getByRole('button', { name: 'Open the chat' }).click()
  await herRequests.getByRole('button', { name: 'Report an Issue' }).click()
  await herRequests.getByRole('textbox', { name: 'Your request' }).fill('My video stops at 0:12.')
  await herRequests.getByRole('button', { name: 'Next' }).click()
  await herRequests.getByRole('button', { name: 'Submit' }).click()
  const list = herRequests.getByRole('region', { name: 'Your requests' })
  await expect(list.getByText('My video stops at 0:12.')).toBeVisible()
  await expect(list.getByText('Received')).toBeVisible()

  const { api } = await member('admin')
  const { requests } = await (await api.get('/api/admin/support')).json()
  const { id } = requests.find((r: { content: string }) => r.content === 'My video stops at 0:12.')
  expect((await api.post(`/api/admin/support/${id}/answer`, { data: { answer: 'Upload it again, please.' } })).status()).toBe(204)
  await expect.poll(async () => (await herRequests.request.get('/api/support/my-requests')).text()).toContain('Upload it again')
  await herRequests.reload()
  await expect(list.getByText('Upload it again, please.')).toBeVisible()
  await expect(list.getByText('Answered', { exact: true })).toBeVisible()
  await accessible(herRequests)
  await shoot('support-requests', herRequests)
  expect(await (await mia.api.get('/api/support/my-requests')).json()).toEqual([])
})

test('the footer links to the pages for parents and coaches', { tag: '@sweep' }, async ({ page, accessible, shoot }) => {
  await page.goto('/')
  for (const name of ['For parents', 'For coaches']) {
    await page.getByRole('contentinfo').getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await accessible()
    await shoot(name.toLowerCase().replaceAll(' ', '-'))
  }
})

import { expect, test } from '../support/signed-in-fixtures.ts'

const confirmationIn = async (letters: () => Promise<{ subject: string; html?: string }[]>) => {
  let link = ''
  await expect
    .poll(async () => {
      const letter = (await letters()).find(({ subject }) => subject.startsWith('Confirm your email'))
      link = /href="([^"]*\/confirm-email\?token=[^"]+)"/.exec(letter?.html ?? '')?.[1] ?? ''
      return link
    })
    .not.toBe('')
  return new URL(link)
}

test("a person's page links to that instructor alone, who can be suspended there", { tag: '@sweep' }, async ({ as, member }) => {
  await member('instructor', { firstName: 'Someone', lastName: 'Else' })
  const { user } = await member('instructor', { firstName: 'Ida', lastName: 'Quill' })
  const admin = await as('admin')
  await admin.goto(`/admin/people/${user.id}`)
  await admin.getByRole('link', { name: 'Approved', exact: true }).click()
  const file = admin.getByRole('article')
  await expect(file).toHaveCount(1)
  await file.getByRole('button', { name: 'Suspend: Ida Quill' }).click()
  await admin.getByLabel('Reason').fill('A parent wrote to us.')
  await admin.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await expect(file.getByText('A parent wrote to us.')).toBeVisible()
})

test('an instructor confirms the email; an administrator checks, approves and suspends', { tag: '@sweep' }, async ({
  app,
  page,
  as,
  member,
  accessible,
  shoot,
}) => {
  const { user } = await member('instructor', { firstName: 'Nia', lastName: 'Okafor', unvetted: true })
  const admin = await as('admin')
  await admin.goto('/admin/instructors')
  const file = admin.getByRole('article', { name: 'Nia Okafor' })
  await expect(file.getByText('Email not confirmed')).toBeVisible()
  await expect(file.getByRole('button', { name: 'Approve: Nia Okafor' })).toHaveCount(0)

  const { pathname, search } = await confirmationIn(() => app.letters(user.email))
  await page.goto(pathname + search)
  await accessible()
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(page.getByText('Your email is confirmed.')).toBeVisible()

  await admin.reload()
  await admin.getByRole('button', { name: 'Record a check for Nia Okafor' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Record the check' }).click()
  await expect(dialog.getByText('Choose what was checked')).toBeVisible()
  await dialog.getByLabel('What was checked').selectOption('background')
  await dialog.getByLabel('Checked on').fill('2026-05-02')
  await dialog.getByLabel('Reference').fill('Report 20931')
  await accessible(admin)
  await shoot('admin-instructors-check', admin)
  await dialog.getByRole('button', { name: 'Record the check' }).click()
  await expect(dialog).toBeHidden()
  await expect(file.getByText('Background check on May 2, 2026 · Report 20931')).toBeVisible()
  await accessible(admin)
  await shoot('admin-instructors', admin)

  await file.getByRole('button', { name: 'Approve: Nia Okafor' }).click()
  await expect(file).toBeHidden()
  await admin.getByRole('tab', { name: /^Approved/ }).click()
  await file.getByRole('button', { name: 'Feature for 30 days' }).click()
  await expect(file.getByText(/^Featured until/)).toBeVisible()
  await shoot('admin-instructors-approved', admin)
  await file.getByRole('button', { name: 'Suspend: Nia Okafor' }).click()
  await admin.getByLabel('Reason').fill('A parent wrote to us.')
  await admin.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await expect(file).toBeHidden()
  await admin.getByRole('tab', { name: /^Suspended/ }).click()
  await expect(file.getByText('A parent wrote to us.')).toBeVisible()
  await file.getByRole('link', { name: 'History of Nia Okafor' }).click()
  await expect(admin.getByText('suspended Nia Okafor: “A parent wrote to us.”')).toBeVisible()
})

import { expect, newPersonInput, TEST_PASSWORD, test } from '../support/signed-in-fixtures.ts'
import { waitForEmailedGuardianPath } from './guardian-consent.ts'

test('a guardian gives consent through the emailed link', async ({ page, app, person, accessible }) => {
  const born = `${new Date().getFullYear() - 15}-01-15`
  const minor = newPersonInput({ firstName: 'Robin', dateOfBirth: born })
  const guardian = `guardian.${minor.email}`
  await page.goto(`/auth?role=player&email=${encodeURIComponent(minor.email)}`)
  await page.getByLabel('First name').fill(minor.firstName)
  await page.getByLabel('Last name').fill(minor.lastName)
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(minor.email)
  await page.getByLabel('Phone').fill(minor.phone)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await expect(page.getByLabel("guardian's name")).toBeHidden()
  await page.getByLabel('Date of birth').fill(born)
  await page.getByLabel("guardian's name").fill('Pat Example')
  await page.getByLabel("guardian's email").fill(guardian)
  await accessible()
  await page.getByRole('button', { name: 'Create player account' }).click()
  await page.waitForURL('/player/connect-instructor')

  const theirs = await person()
  await theirs.goto(await waitForEmailedGuardianPath(app, guardian))
  await expect(theirs.getByRole('heading', { name: 'Can Robin use DiamondLink?' })).toBeVisible()
  await expect(
    theirs.getByText(
      /close this page and nothing will happen, or answer “No\.” +If you answer no, we will delete the account in \d+ days\./,
    ),
  ).toBeVisible()
  await accessible(theirs)
  await theirs.getByRole('button', { name: 'Yes, I agree' }).click()
  await expect(theirs.getByRole('heading', { name: 'Thank you, Pat Example' })).toBeVisible()
  await theirs.getByRole('link', { name: 'Go to your family page' }).click()
  await expect(theirs.getByRole('heading', { name: 'Robin' })).toBeVisible()
  await expect(theirs.getByText('You agreed that Robin can use DiamondLink.')).toBeVisible()

  await theirs.goto('/guardian/no-such-link')
  await expect(theirs.getByText('Open the newest email, or log in to answer.')).toBeVisible()
  await expect(theirs.getByText(/Something else\? Write to \S+@\S+\.$/)).toBeVisible()
  await accessible(theirs)
})

test("correcting the year of birth keeps the guardian's name and email", { tag: '@sweep' }, async ({ page }) => {
  const born = `${new Date().getFullYear() - 15}-01-15`
  await page.goto('/auth?role=player')
  await page.getByLabel('Date of birth').fill(born)
  await page.getByLabel("guardian's name").fill('Pat Example')
  await page.getByLabel("guardian's email").fill('pat@example.com')
  // While a year is being typed, a date field reports a date after each digit.
  await page.getByLabel('Date of birth').fill('0002-01-15')
  await expect(page.getByLabel("guardian's name")).toBeHidden()
  await page.getByLabel('Date of birth').fill(born)
  await expect(page.getByLabel("guardian's name")).toHaveValue('Pat Example')
  await expect(page.getByLabel("guardian's email")).toHaveValue('pat@example.com')
})

// @spec:5.27
test('a person under 13 is refused with the reason', async ({ page }) => {
  await page.goto('/auth?role=player')
  await page.getByLabel('Date of birth').fill(`${new Date().getFullYear() - 9}-01-15`)
  for (const [label, value] of [
    ['First name', 'Kim'],
    ['Last name', 'Young'],
    ['Email', 'kim@example.com'],
    ['Phone', '555 010 2233'],
  ]) {
    await page.getByLabel(label!, { exact: true }).fill(value!)
  }
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Create player account' }).click()
  await expect(page.getByText('You must be at least 13 years old to register')).toBeVisible()
})

import { expect, installClock, newInstructorInput, newPersonInput, test } from '../../support/signed-in-fixtures.ts'
import { buttonNamed, failRequests, fillFields, fillRegistration, findOpenToast, submitAndExpectRedirect } from '../auth-form.ts'

// @spec:5.2 @spec:5.3 @spec:5.4 @spec:5.5 @spec:8.2
test("the player registration shows missing fields and the server's messages", async ({ page, member, problems }) => {
  problems.expect(/ERR_FAILED|503/)
  const { user } = await member('player')
  await page.goto('/auth?role=player')
  await buttonNamed(page, 'Create player account').click()
  for (const words of [
    'First name is required',
    'Last name is required',
    'Invalid email address',
    'Phone number must be at least 10 digits',
    'Password must be at least 8 characters',
  ])
    await expect(page.getByText(words, { exact: true })).toBeVisible()
  await fillRegistration(page, newPersonInput({ email: user.username }))
  await buttonNamed(page, 'Create player account').click()
  await expect(findOpenToast(page)).toContainText('Username already exists')
  await expect(page.getByText('This email address already has an account. Log in with it, or use a different one.')).toBeVisible()
  await failRequests(page, '**/api/register/player', 'no connection')
  await buttonNamed(page, 'Create player account').click()
  await expect(findOpenToast(page)).toContainText('An error occurred during registration')
  await expect(page.locator('form').getByText('An error occurred during registration')).toBeVisible()
  // The server is busy on all three tries; the typed text stays, so that the player can submit it again.
  const busy = { message: 'Many people are logging in right now. Try again in a moment.' }
  let asked = 0
  await page.route('**/api/register/player', route => {
    asked++
    return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: busy })
  })
  const typed = () => page.locator('form input').evaluateAll(all => all.map(input => (input as HTMLInputElement).value))
  const before = await typed()
  await buttonNamed(page, 'Create player account').click()
  await expect(page.locator('form').getByText(busy.message)).toBeVisible()
  expect(asked).toBe(3)
  expect(await typed()).toEqual(before)
})

// @spec:3.13 @spec:4.9 @spec:8.19 @spec:9.13
test('a newly registered player is led to the instructor selection after 500 ms', async ({ page, member }) => {
  const { code } = await (await (await member('player')).api.get('/api/rewards')).json()
  const person = newPersonInput()
  await installClock(page)
  await page.goto('/auth?role=player&invite=ABCD2345')
  await fillRegistration(page, person)
  await page.getByLabel(/Referral code/).fill(code)
  const posted = page.waitForRequest('**/api/register/player')
  const says = ['Registration successful', 'Your account has been created! Now select your instructor.']
  await submitAndExpectRedirect(page, 'Create player account', says, '/player/connect-instructor')
  expect((await posted).postDataJSON()).toEqual({ ...person, username: person.email, referralCode: code, inviteCode: 'ABCD2345' })
})

// @spec:2.8 @spec:4.8 @spec:5.7 @spec:8.18
test('a newly registered player with a package is led to the payment after 500 ms', async ({ page }) => {
  const person = newPersonInput()
  await installClock(page)
  await page.goto('/auth?role=player&package=season')
  await fillRegistration(page, person)
  const posted = page.waitForRequest('**/api/register/player')
  const says = ['Registration successful', 'Your account has been created! Proceeding to payment.']
  await submitAndExpectRedirect(page, 'Create player account', says, '/player/payment?package=season')
  expect((await posted).postDataJSON().packageType).toBe('season')
})

// @spec:5.8 @spec:5.10 @spec:5.11 @spec:5.12 @spec:8.3
test('the instructor registration requires a sport and skills', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/)
  let asked = 0
  page.on('request', r => r.url().includes('/api/register/') && asked++)
  await page.goto('/auth?role=instructor')
  await fillRegistration(page, newInstructorInput())
  await buttonNamed(page, 'Create instructor account').click()
  await expect(page.getByText('Please select at least one sport type')).toBeVisible()
  await page.getByLabel('Softball').check()
  await buttonNamed(page, 'Create instructor account').click()
  await expect(page.getByText('Please select at least one sport type')).toBeHidden()
  await expect(page.getByText('Please select at least one skill')).toBeVisible()
  // Without skills, nothing happens: no request, no toast, no navigation.
  await expect(findOpenToast(page)).toHaveCount(0)
  expect([asked, new URL(page.url()).pathname]).toEqual([0, '/auth'])
  await page.getByLabel('Catching').check()
  for (const [message, shown] of [
    ['Username already exists', 'This username is already taken. Please try another one.'],
    ['Username must be at least 3 characters', 'Username must be at least 3 characters long.'],
    ['The bullpen is closed.', 'The bullpen is closed.'],
  ]) {
    await failRequests(page, '**/api/register/instructor', { status: 409, json: { message } })
    await buttonNamed(page, 'Create instructor account').click()
    await expect(findOpenToast(page)).toContainText(shown!)
  }
  await failRequests(page, '**/api/register/instructor', 'no connection')
  await buttonNamed(page, 'Create instructor account').click()
  await expect(findOpenToast(page)).toContainText('An error occurred during registration')
})

// @spec:3.15 @spec:4.10 @spec:8.20
test('a newly registered instructor is led to the dashboard after 500 ms', async ({ page }) => {
  const person = newInstructorInput()
  await installClock(page)
  await page.goto('/auth?role=instructor')
  await fillRegistration(page, person)
  for (const choice of ['Baseball', 'Hitting', 'Pitching']) await page.getByLabel(choice).check()
  const posted = page.waitForRequest('**/api/register/instructor')
  const says = ['Registration successful', 'Your instructor account has been created!']
  await submitAndExpectRedirect(page, 'Create instructor account', says, '/instructor/dashboard')
  expect((await posted).postDataJSON()).toMatchObject({ ...person, username: person.email })
})

// @spec:2.25 @spec:4.11 @spec:6.2 @spec:8.4 @spec:8.21
test('an administrator can register only by invitation', async ({ page, member, app, problems }) => {
  problems.expect(/ERR_FAILED/)
  const { api } = await member('admin')
  const { dateOfBirth: _, phone: __, ...person } = newPersonInput({ firstName: 'Ada' })
  const fill = () => fillFields(page, { 'First name': 'Ada', 'Last name': person.lastName, Email: person.email, Password: person.password })
  // Simulate that the invitation still worked when the page loaded, and was used while the page was open.
  await page.route('**/api/links/**', route => route.fulfill({ json: { works: true } }), { times: 1 })
  await page.goto('/admin/register?token=guessed')
  await fill()
  await buttonNamed(page, 'Create administrator account').click()
  await expect(findOpenToast(page)).toContainText('Admin Registration Failed')
  await expect(findOpenToast(page)).toContainText(
    'This link cannot create an administrator account. Ask an administrator for an invitation.',
  )
  await failRequests(page, '**/api/register/admin', 'no connection')
  await buttonNamed(page, 'Create administrator account').click()
  await expect(findOpenToast(page)).toContainText('An error occurred during admin registration')
  await page.unrouteAll()

  await api.post('/api/admin/invitations', { data: { email: person.email } })
  await expect.poll(() => app.letters(person.email)).toHaveLength(1)
  const [letter] = await app.letters(person.email)
  await installClock(page)
  await page.goto(/\/admin\/register\?token=[\w-]+/.exec(letter!.text ?? letter!.html!)![0])
  await fill()
  const says = ['Admin Registration Successful', 'Your administrator account has been created!']
  await submitAndExpectRedirect(page, 'Create administrator account', says, '/admin/dashboard')
})

import type { Page, Route } from '@playwright/test'
import { expect, newPersonInput, TEST_PASSWORD, test } from '../support/signed-in-fixtures.ts'

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name })
const roleOption = (page: Page, name: 'A player' | 'An instructor') => page.getByText(name, { exact: true })
async function fill(page: Page, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) await field(page, label).fill(value)
}
const valuesByLabel = ({ firstName, lastName, email, phone, dateOfBirth }: ReturnType<typeof newPersonInput>) => ({
  'First name': firstName,
  'Last name': lastName,
  Email: email,
  Phone: phone,
  'Date of birth': dateOfBirth,
  Password: TEST_PASSWORD,
})

test('typed text stays when switching between login, player and instructor forms', { tag: '@sweep' }, async ({ page }) => {
  const person = newPersonInput()
  const all = valuesByLabel(person)
  const expectTypedValues = async () => {
    for (const [label, value] of Object.entries(all)) await expect(field(page, label)).toHaveValue(value)
    await expect(page.getByLabel(/Referral code/)).toHaveValue('FRIEND7')
  }
  await page.goto('/auth?redirect=login&email=from.the.link%40example.com')
  await expect(field(page, 'Email')).toHaveValue('from.the.link@example.com')
  await field(page, 'Email').fill(person.email)
  await tab(page, 'Register').click()
  await expect(field(page, 'Email')).toHaveValue(person.email)
  await fill(page, all)
  await page.getByLabel(/Referral code/).fill('FRIEND7')
  await roleOption(page, 'An instructor').click()
  await expect(button(page, 'Create instructor account')).toBeVisible()
  await expectTypedValues()
  await page.getByLabel('Softball').check()
  await field(page, 'Email').fill(`other.${person.email}`)
  all.Email = `other.${person.email}`
  await roleOption(page, 'A player').click()
  await expect(button(page, 'Create player account')).toBeVisible()
  await expectTypedValues()
  await roleOption(page, 'An instructor').click()
  await expect(page.getByLabel('Softball')).toBeChecked()
  await tab(page, 'Login').click()
  await expect(field(page, 'Email')).toHaveValue(all.Email)
  await expect(field(page, 'Password')).toHaveValue('')

  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL(`/forgot-password?email=${encodeURIComponent(all.Email)}`)
  await expect(field(page, 'Email')).toHaveValue(all.Email)
  await button(page, 'Send the link').click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
})

test('a player with an account is led from an invitation to the instructor', { tag: '@sweep' }, async ({ page, member }) => {
  const { api } = await member('instructor', { firstName: 'Ines', lastName: 'Vite' })
  const { code } = await (await api.get('/api/invite')).json()
  const { user } = await member('player', {})
  await page.goto(`/invite/${code}`)
  await page.getByRole('link', { name: 'I Already Have an Account' }).click()
  await expect(page).toHaveURL('/auth')
  await fill(page, { Email: user.email, Password: TEST_PASSWORD })
  const asked = page.waitForRequest(`**/player/select-instructor?invite=${code}`)
  await button(page, 'Log in').click()
  await asked
  await expect(page.getByText('You are invited')).toBeVisible()
  await page.getByRole('button', { name: 'Connect with Ines Vite' }).first().click()
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('invite'))).toBeNull()
})

test('an invalid invitation promises no connection', { tag: '@sweep' }, async ({ page, as, member, accessible }) => {
  await page.goto('/invite/NOBODY22')
  await expect(page.getByText('this invitation is no longer valid')).toBeVisible()
  await expect(page.getByText('you are connected right away')).toBeHidden()
  await accessible()
  await page.getByRole('link', { name: 'Create your account' }).click()
  await expect(page.getByText('Register anyway and find your instructor by name')).toBeVisible()
  await expect(page.getByText('You will be connected')).toBeHidden()
  await accessible()

  const player = await as('player')
  await player.goto('/invite/NOBODY22')
  await expect(player.getByRole('link', { name: 'Find your instructor' })).toHaveAttribute('href', '/player/connect-instructor')

  // The browser has forgotten the invalid invitation, so the login leads to the dashboard.
  const { user } = await member('player')
  await page.goto('/auth')
  await fill(page, { Email: user.email, Password: TEST_PASSWORD })
  await button(page, 'Log in').click()
  await expect(page).toHaveURL('/player/dashboard')
})

test('an unknown referral code is reported next to its field', { tag: '@sweep' }, async ({ page, accessible }) => {
  const all = valuesByLabel(newPersonInput())
  await page.goto('/auth?role=player')
  await fill(page, all)
  await page.getByLabel(/Referral code/).fill('NOBODY7')
  await button(page, 'Create player account').click()
  const code = page.getByLabel(/Referral code/)
  await expect(code).toHaveAccessibleDescription(/We don't know this referral code. Check it, or leave it empty.$/)
  await expect(code).toBeFocused()
  await accessible()
  for (const [label, value] of Object.entries(all)) await expect(field(page, label)).toHaveValue(value)
  await code.fill('')
  await button(page, 'Create player account').click()
  await expect(page).toHaveURL('/player/connect-instructor')
})

test('the problem with an invalid date of birth is explained', { tag: '@sweep' }, async ({ page }) => {
  await page.goto('/auth?role=player')
  const born = field(page, 'Date of birth')
  await fill(page, valuesByLabel(newPersonInput()))
  for (const [day, says] of [
    ['', 'Enter your date of birth'],
    [`${new Date().getFullYear() + 2}-01-01`, 'This date is in the future. Check the year.'],
    ['1800-05-05', 'This date is too far in the past. Check the year.'],
  ]) {
    await born.fill(day!)
    await button(page, 'Create player account').click()
    await expect(born).toHaveAccessibleDescription(new RegExp(says!))
  }
  const look = (label: string) =>
    field(page, label).evaluate(input => {
      const { height } = input.getBoundingClientRect()
      const { borderRadius, backgroundColor, fontSize, textAlign } = getComputedStyle(input)
      return { height, borderRadius, backgroundColor, fontSize, textAlign }
    })
  expect(await look('Date of birth')).toEqual(await look('Phone'))
  await expect(born).toHaveCSS('appearance', 'none')
})

test('after a failed submit the first invalid field has the focus', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await page.goto('/auth?role=player')
  await roleOption(page, 'An instructor').click()
  const create = button(page, 'Create instructor account')
  const inSight = async (words: string) => {
    const header = (await page.getByRole('banner').boundingBox())!
    const label = (await page.getByText(words, { exact: true }).boundingBox())!
    expect(label.y).toBeGreaterThanOrEqual(header.y + header.height)
  }
  await create.click()
  await expect(field(page, 'First name')).toBeFocused()
  await inSight('First name')
  await fill(page, valuesByLabel(newPersonInput()))
  await field(page, 'Phone').fill('1')
  // Scroll until the field is just below the header, which then covers the field's label.
  await field(page, 'Password').focus()
  await field(page, 'Phone').evaluate(phone => {
    scrollBy(0, phone.getBoundingClientRect().top - document.querySelector('header')!.offsetHeight - 2)
  })
  await page.keyboard.press('Enter')
  await expect(field(page, 'Phone')).toBeFocused()
  await inSight('Phone')
  await field(page, 'Phone').fill('555 010 4477')
  await create.click()
  await expect(page.getByLabel('Baseball')).toBeFocused()
  await inSight('What do you teach?')
  await page.getByLabel('Baseball').check()
  await create.click()
  await expect(page.getByLabel('Hitting')).toBeFocused()
  await inSight('Which skills?')
})

test('a registration whose response is lost succeeds at the next press', { tag: '@sweep' }, async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/)
  for (const role of ['player', 'instructor'] as const) {
    await page.goto(`/auth?role=${role}`)
    await fill(page, valuesByLabel(newPersonInput()))
    if (role === 'instructor') for (const choice of ['Baseball', 'Hitting']) await page.getByLabel(choice).check()
    // The server handles the request, but the browser gets no response.
    const lost = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route(`**/api/register/${role}`, lost, { times: 1 })
    const create = button(page, `Create ${role} account`)
    await create.click()
    await expect(page.locator('form').getByText('An error occurred during registration')).toBeVisible()
    await page.context().clearCookies()
    await create.click()
    await expect(page).toHaveURL(role === 'player' ? '/player/connect-instructor' : '/instructor/dashboard')
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
  }
})

for (const [press, from, to] of [
  ['Create player account', '/auth?role=player', '/player/connect-instructor'],
  ['Log in', '/auth?package=single', '/player/payment?package=single'],
] as const)
  test(`"${press}" works even if the session response arrives late`, { tag: '@sweep' }, async ({ page, member }) => {
    const { user } = await member('player')
    const entered = page.waitForResponse(/\/api\/(login|register\/player)$/)
    // On a slow connection the session exists before this response arrives.
    await page.route('**/api/user', async route => {
      await entered
      await route.fallback()
    })
    await page.goto(from)
    await fill(page, press === 'Log in' ? { Email: user.email, Password: TEST_PASSWORD } : valuesByLabel(newPersonInput()))
    const left = page.waitForRequest(request => request.isNavigationRequest())
    await button(page, press).click()
    const { pathname, search } = new URL((await left).url())
    expect(pathname + search).toBe(to)
  })

test('an error message replaces a hint with the same content', { tag: '@sweep' }, async ({ page }) => {
  await page.goto('/auth?role=player')
  const password = field(page, 'Password')
  await expect(password).toHaveAccessibleDescription('At least 8 characters')
  await fill(page, { ...valuesByLabel(newPersonInput()), Password: 'short', 'Date of birth': `${new Date().getFullYear() - 5}-01-01` })
  await button(page, 'Create player account').click()
  await expect(password).toHaveAccessibleDescription('Password must be at least 8 characters')
  await password.fill(TEST_PASSWORD)
  await button(page, 'Create player account').click()
  await expect(field(page, 'Date of birth')).toHaveAccessibleDescription('You must be at least 13 years old to register')
  await field(page, 'Date of birth').fill('')
  await expect(field(page, 'Date of birth')).toHaveAccessibleDescription('You must be at least 13 Enter your date of birth')
})

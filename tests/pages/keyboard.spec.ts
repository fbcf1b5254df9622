import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { samples } from '../support/media.ts'
import { expect, PASSWORD, somebody, test } from '../support/members.ts'
import { asInstructor, asPlayer, call, filmed, withCard } from './people.ts'

/** Tabs on until something with this name has the focus. */
async function tabTo(page: Page, role: 'textbox' | 'searchbox' | 'button' | 'link' | 'tab' | 'radio' | 'checkbox', name: string | RegExp) {
  const wanted = page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name })
  for (let i = 0; i < 60; i++) {
    if (await wanted.evaluateAll(all => all.includes(document.activeElement as HTMLElement | SVGElement))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${role} ${name}`)
}

test('from the landing page to a player account by keys alone', async ({ page }) => {
  const { email, firstName, lastName, phone } = somebody()
  await page.goto('/')
  await tabTo(page, 'textbox', 'Your email')
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Tell us who you are' })).toBeFocused()
  await tabTo(page, 'button', "I'm a Player")
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/auth\?role=player/)
  await expect(page.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true')
  for (const [name, value] of [
    ['First name', firstName],
    ['Last name', lastName],
    ['Phone', phone],
  ] as const) {
    await tabTo(page, 'textbox', name)
    await page.keyboard.type(value)
  }
  await page.keyboard.press('Tab')
  await page.keyboard.type('05051990')
  await tabTo(page, 'textbox', 'Password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('/player/connect-instructor')
})

test('arrows turn the tabs of the way in, and the steps of the carousel', async ({ page }) => {
  await page.goto('/auth')
  await tabTo(page, 'tab', 'Login')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Register' })).toBeFocused()
  await expect(page.getByLabel('First name')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()

  await page.goto('/')
  const steps = page.getByRole('group', { name: 'Steps' })
  await steps.focus()
  await page.keyboard.press('End')
  await expect(page.getByRole('button', { name: /^Step 4/ })).toHaveAttribute('aria-current', 'step')
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
})

test('a dialog keeps the focus, Escape closes it, and the focus is back where it was', async ({ as }) => {
  const page = await as('instructor', { firstName: 'Keys' })
  await page.goto('/instructor/profile-editor')
  const renew = page.getByRole('button', { name: 'Renew' })
  await renew.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press('Tab')
    expect(await dialog.evaluate(d => d.contains(document.activeElement))).toBe(true)
  }
  await expect(page.locator('html')).toHaveClass(/locked/)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(renew).toBeFocused()
  await expect(page.locator('html')).not.toHaveClass(/locked/)
})

test('log in, open a question, ask the support chat, and log out by keys alone', async ({ page, member }) => {
  const { user } = await member('player', { firstName: 'Kim' })
  await page.goto('/auth')
  await tabTo(page, 'textbox', 'Email')
  await page.keyboard.type(user.email)
  await tabTo(page, 'textbox', 'Password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('/player/dashboard')

  await page.goto('/faq')
  await expect(page.getByRole('banner')).toContainText('Hi, Kim')
  const question = page.locator('main summary').nth(1)
  for (let i = 0; i < 40 && !(await question.evaluate(q => q === document.activeElement)); i++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.locator('main details').nth(1)).toHaveAttribute('open', '')

  await tabTo(page, 'button', 'Support Chat')
  await page.keyboard.press('Enter')
  const chat = page.getByRole('dialog', { name: 'Support Chat' })
  await expect(chat).toBeVisible()
  await tabTo(page, 'button', 'Ask a Question')
  await page.keyboard.press('Enter')
  await tabTo(page, 'textbox', 'Your request')
  await page.keyboard.type('Can I do it all without a mouse?')
  await tabTo(page, 'button', 'Next')
  await page.keyboard.press('Enter')
  await tabTo(page, 'button', 'Submit')
  await page.keyboard.press('Enter')
  await expect(chat.getByText('Thanks for your feedback!')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chat).toBeHidden()
  await tabTo(page, 'button', 'Logout')
  await page.keyboard.press('Enter')
  await page.waitForURL('/auth')
})

test('assign a folder, and pay for its feedback with a tip, by keys alone', async ({ page, person }) => {
  const instructor = await person()
  const { firstName } = await asInstructor(instructor, 'Keya', 'Boards')
  await asPlayer(page)
  await withCard(page)
  const { folder, video } = await filmed(page, 'By keys', await readFile(samples.mp4))
  await page.goto(`/player/folder/${folder}`)
  await tabTo(page, 'button', /^Assign/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Visa ending in 4242')).toBeVisible()
  const radio = dialog.getByRole('radio', { name: /Keya Boards/ })
  await expect(radio).toBeAttached()
  for (let i = 0; i < 20 && !(await dialog.getByRole('radio').evaluateAll(all => all.includes(document.activeElement as HTMLElement))); i++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  for (let i = 0; i < 30 && !(await radio.isChecked()); i++) await page.keyboard.press('ArrowDown')
  await tabTo(page, 'button', `Assign to ${firstName}`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Take it back' })).toBeVisible()

  await expect.poll(async () => (await instructor.request.get(`/api/folders/${folder}`)).status()).toBe(200)
  await call(instructor, 'POST', `/api/folders/${folder}/feedback`, {
    notes: [{ id: randomUUID(), video, at: 400, kind: 'praise', text: 'Balanced. Stay there.' }],
    summary: 'Keep the hands back.',
    grades: [{ skill: 'hitting', grade: 55 }],
  })
  await expect.poll(async () => (await (await page.request.get(`/api/folders/${folder}`)).json()).status).toBe('feedback-given')
  await page.reload()
  const tips = page.getByRole('radio', { name: /%|Other|No tip/ })
  await expect(tips.first()).toBeAttached()
  for (let i = 0; i < 60 && !(await tips.evaluateAll(all => all.includes(document.activeElement as HTMLElement))); i++)
    await page.keyboard.press('Tab')
  const twenty = page.getByRole('radio', { name: /^20%/ })
  for (let i = 0; i < 6 && !(await twenty.isChecked()); i++) await page.keyboard.press('ArrowRight')
  await tabTo(page, 'button', 'Pay $18.60')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Paid $18.60' })).toBeVisible()
})

test('an instructor registers, writes the page about themselves and renews the code by keys alone', async ({ page }) => {
  const { email, firstName, lastName, phone } = somebody({ firstName: 'Kezia', lastName: 'Keller' })
  const write = async (name: string, text: string) => {
    await tabTo(page, 'textbox', name)
    await page.keyboard.type(text)
  }
  await page.goto('/auth')
  await tabTo(page, 'tab', 'Login')
  await page.keyboard.press('ArrowRight')
  await tabTo(page, 'radio', /^A player/)
  await page.keyboard.press('ArrowDown')
  await write('First name', firstName)
  await write('Last name', lastName)
  await write('Email', email)
  await write('Phone', phone)
  await page.keyboard.press('Tab')
  await page.keyboard.type('05051990')
  await write('Password', PASSWORD)
  for (const box of ['Softball', 'Pitching']) {
    await tabTo(page, 'checkbox', box)
    await page.keyboard.press('Space')
  }
  await tabTo(page, 'button', 'Create instructor account')
  await page.keyboard.press('Enter')
  await page.waitForURL('/instructor/dashboard')

  await page.goto('/instructor/profile-editor')
  await expect(page.getByLabel('About')).toBeVisible()
  await tabTo(page, 'textbox', /^About/)
  await page.keyboard.type('Quiet feet, loud bat.')
  await tabTo(page, 'button', 'Save profile')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Profile saved').first()).toBeVisible()
  const link = page.getByText('/invite/')
  const old = await link.textContent()
  await tabTo(page, 'button', 'Renew the code')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await tabTo(page, 'button', 'Renew')
  await page.keyboard.press('Enter')
  await expect(link).not.toHaveText(old!)
})

test('find, follow and connect with an instructor by keys alone', async ({ as, member }) => {
  await member('instructor', { firstName: 'Keyon', lastName: 'Boardman' })
  const page = await as('player', { firstName: 'Kia' })
  await page.goto('/player/connect-instructor')
  await tabTo(page, 'searchbox', 'Name or invite code')
  await page.keyboard.type('keyon board')
  await tabTo(page, 'button', 'Follow Keyon Boardman')
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Unfollow Keyon Boardman' })).toBeFocused()
  await tabTo(page, 'button', 'Connect with Keyon Boardman')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await tabTo(page, 'link', 'Keyon Boardman')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Keyon Boardman' })).toBeVisible()
})

test('a forgotten password is replaced by keys alone', async ({ page, member, app }) => {
  const { user } = await member('player', { firstName: 'Kip' })
  await page.goto('/auth')
  await tabTo(page, 'link', /^Forgot (your )?password/i)
  await page.keyboard.press('Enter')
  await page.waitForURL('/forgot-password')
  await tabTo(page, 'textbox', 'Email')
  await page.keyboard.type(user.email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Look in your inbox' })).toBeFocused()
  const address = async () =>
    /\/reset-password\?token=[\w-]+/.exec((await app.letters(user.email)).find(l => /password/i.test(l.subject))?.html ?? '')?.[0]
  await expect.poll(address).toBeTruthy()
  await page.goto((await address())!)
  await tabTo(page, 'textbox', 'New password')
  await page.keyboard.type('by keys alone')
  await page.keyboard.press('Enter')
  await page.waitForURL('/auth')
  await tabTo(page, 'textbox', 'Email')
  await page.keyboard.type(user.email)
  await tabTo(page, 'textbox', 'Password')
  await page.keyboard.type('by keys alone')
  await page.keyboard.press('Enter')
  await page.waitForURL('/player/dashboard')
})

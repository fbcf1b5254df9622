import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'

/** Holds back the code of an island until `arrive` is called. `asked` resolves once the page requests it. */
async function holdScript(page: Page, island: string) {
  let arrive = () => {}
  const arrived = new Promise<void>(resolve => {
    arrive = resolve
  })
  await page.route(new RegExp(`/_astro/${island}\\.[\\w-]+\\.js`), async route => {
    await arrived
    await route.continue()
  })
  const asked = page.waitForRequest(new RegExp(`/_astro/${island}\\.`))
  return { arrive, asked }
}

test('text typed and submitted before hydration is not lost', async ({ page }) => {
  const signup = await holdScript(page, 'LandingSignUpForm')
  await page.goto('/')
  await page.getByLabel('Your email').fill('early.bird@example.com')
  await page.getByRole('button', { name: 'Start now' }).click()
  await signup.asked
  await expect(page).toHaveURL('/')
  signup.arrive()
  const roleStep = page.getByRole('heading', { name: 'Tell us who you are' })
  await expect(roleStep).toBeVisible()
  await page.getByRole('link', { name: 'Get Started' }).click()
  await expect(roleStep).toBeInViewport()
  await page.getByRole('button', { name: 'Back to email' }).click()
  await expect(page.getByLabel('Your email')).toHaveValue('early.bird@example.com')
})

test('the Next button works before any script has loaded', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/)
  await page.route(/\.js$/, route => route.abort())
  await page.goto('/')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('button', { name: 'Step 2: Upload your video' })).toHaveAttribute('aria-current', 'step')
  await expect(page.getByRole('button', { name: 'Previous' })).toBeEnabled()
  await expect(page.getByRole('heading', { name: 'Upload your video', level: 3 }).first()).toBeInViewport()
})

test('keys pressed before hydration are replayed in order', { tag: '@sweep' }, async ({ page }) => {
  const auth = await holdScript(page, 'Auth')
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Login' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await auth.asked
  await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true')
  auth.arrive()
  await expect(page.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true')
})

test('a visitor who touches nothing loads no React and requests no session', { tag: '@sweep' }, async ({ page }) => {
  const asked: string[] = []
  page.on('request', r => asked.push(new URL(r.url()).pathname))
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(asked.filter(path => /react|client\./.test(path) || path === '/api/user')).toEqual([])
})

test('a button pressed before its script arrives looks busy', { tag: '@sweep' }, async ({ page }) => {
  const signup = await holdScript(page, 'LandingSignUpForm')
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Start now' })
  const turning = () => button.evaluate(b => getComputedStyle(b, '::before').animationName)
  expect(await turning()).toBe('none')
  await page.getByLabel('Your email').fill('not an address')
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  expect(await turning()).toBe('spin')
  signup.arrive()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(button).not.toHaveAttribute('aria-busy')
  expect(await turning()).toBe('none')
})

test("if an island's script fails to load, the next press tries again", { tag: '@sweep' }, async ({ page, problems }) => {
  problems.expect(/ERR_FAILED|Error hydrating/)
  const code = /\/_astro\/LandingSignUpForm\.[\w-]+\.js/
  await page.route(code, route => route.abort())
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Start now' })
  const failed = page.waitForEvent('console', message => message.text().includes('Error hydrating'))
  await page.getByLabel('Your email').fill('broken.line@example.com')
  await failed
  await expect(button).not.toHaveAttribute('aria-busy')
  await expect(page.getByRole('link', { name: 'reload the page' })).toBeVisible()
  await page.unroute(code)
  await button.click()
  await expect(page.getByRole('heading', { name: 'Tell us who you are' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'reload the page' })).toBeHidden()
  await page.getByRole('button', { name: 'Back to email' }).click()
  await expect(page.getByLabel('Your email')).toHaveValue('broken.line@example.com')
})

test('a page whose script cannot be loaded anymore offers to reload', { tag: '@sweep' }, async ({ page, problems }) => {
  problems.expect(/404|Error hydrating/)
  // Simulate that an upgrade has replaced the scripts of an open page.
  const code = /\/_astro\/FamilyHome\.[\w-]+\.js/
  await page.route(code, route => route.fulfill({ status: 404 }))
  await page.goto('/family')
  const reload = page.getByRole('link', { name: 'reload the page' })
  await expect(reload).toBeVisible()
  await page.unroute(code)
  await reload.click()
  await expect(page.getByLabel('Email')).toBeVisible()
})

test('all scripts of an island are requested at the same time', { tag: '@sweep' }, async ({ page }) => {
  const asked: string[] = []
  const react = await holdScript(page, 'react')
  await page.goto('/auth', { waitUntil: 'networkidle' })
  page.on('request', r => asked.push(new URL(r.url()).pathname))
  const register = page.getByRole('tab', { name: 'Register' })
  await register.hover()
  await react.asked
  const needed = (await page.request.get('/auth').then(r => r.text())).matchAll(/ data-modules="([^"]+)"/g)
  const modules = [...needed].flatMap(([, list]) => list!.split(' ')).filter(path => !/visit|runtime/.test(path))
  expect(modules.length).toBeGreaterThan(5)
  await expect.poll(() => modules.filter(path => !asked.includes(path))).toEqual([])
  await register.click()
  react.arrive()
  await expect(page.getByLabel('First name')).toBeVisible()
})

test('if React itself fails to load, the next press tries again', { tag: '@sweep' }, async ({ page, problems }) => {
  problems.expect(/ERR_FAILED|Error hydrating/)
  const code = /\/_astro\/react\.[\w-]+\.js/
  await page.route(code, route => route.abort())
  await page.goto('/auth')
  const failed = page.waitForEvent('console', message => message.text().includes('Error hydrating'))
  await page.getByRole('tab', { name: 'Register' }).click()
  await failed
  await page.unroute(code)
  await page.getByRole('tab', { name: 'Register' }).click()
  await expect(page.getByLabel('First name')).toBeVisible()
})

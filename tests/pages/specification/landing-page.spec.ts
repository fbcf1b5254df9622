import type { Page } from '@playwright/test'
import { expect, freezeClock, installClock, newPersonInput, test, waitForPageTimer } from '../../support/signed-in-fixtures.ts'

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1'
const email = (page: Page) => page.getByLabel('Your email')
const roleStep = (page: Page) => page.getByRole('heading', { name: 'Tell us who you are' })
const submitEmail = async (page: Page, address: string) => {
  await email(page).fill(address)
  await page.getByRole('button', { name: 'Start now' }).click()
}
/** Instructors as the server returns them. */
const cards = [
  { type: ['baseball'], skills: ['hitting', 'pitching', 'fielding', 'catching'], profilePicture: 'missing.webp' },
  { type: ['softball'], skills: ['hitting', 'pitching'], profilePicture: null },
  { type: ['baseball', 'softball'], skills: ['pitching', 'fielding', 'catching'], profilePicture: null },
].map((card, i) => ({
  ...card,
  id: `0190a000-0000-7000-8000-00000000000${i}`,
  user: { firstName: `Coach${i}`, lastName: 'Ortiz', profileSlug: `coach-${i}` },
  featured: false,
}))

// @spec:2.60 @spec:2.61 @spec:2.62 @spec:2.63 @spec:3.11 @spec:4.14 @spec:4.16 @spec:4.18 @spec:5.17 @spec:5.18
test('the email step and the role step have their fields and buttons, and a way back', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Log in', exact: true })).toHaveAttribute('href', '/auth')
  const honeypot = page.locator('input[name=not_for_humans]')
  await expect(honeypot.locator('xpath=ancestor::label')).toContainText('Leave this empty')
  const hidden = await honeypot.locator('xpath=ancestor::div[@aria-hidden="true"]').boundingBox()
  expect(Math.max(hidden?.width ?? 0, hidden?.height ?? 0)).toBeLessThan(2)
  await expect(honeypot).toHaveAttribute('tabindex', '-1')

  await submitEmail(page, 'abc')
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await submitEmail(page, 'a@b.')
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await submitEmail(page, 'someone@grr.la')
  await expect(page.getByText('Please use your regular email address')).toBeVisible()
  await expect(roleStep(page)).toBeHidden()

  const lead = page.waitForRequest(r => r.url().endsWith('/api/landing-page/leads'))
  const check = page.waitForRequest(r => r.url().includes('/api/check-email?email=new.player%40example.com'))
  await submitEmail(page, 'new.player@example.com')
  await check
  await expect(roleStep(page)).toBeVisible()
  const body = (await lead).postDataJSON()
  expect(body).toMatchObject({ email: 'new.player@example.com', not_for_humans: '' })
  const { timestamp, pageLoadTime, ...metadata } = body.metadata
  expect([new Date(timestamp).toISOString(), typeof pageLoadTime]).toEqual([timestamp, 'number'])
  expect(metadata).toEqual({
    source: expect.any(String),
    userAgent: await page.evaluate(() => navigator.userAgent),
    screenSize: expect.stringMatching(/^\d+x\d+$/),
    referrer: '',
    timeZone: expect.any(String),
    language: 'en-US',
    isMobile: false,
  })
  await page.getByRole('button', { name: 'Back to email' }).click()
  await expect(email(page)).toHaveValue('new.player@example.com')
  await submitEmail(page, 'other.player@example.com')
  await page.getByRole('button', { name: "I'm a Player" }).click()
  await expect(page).toHaveURL('/auth?role=player&email=other.player%40example.com')
  await page.goBack()
  await submitEmail(page, 'new.coach@example.com')
  await page.getByRole('button', { name: "I'm an Instructor" }).click()
  await expect(page).toHaveURL('/auth?role=instructor&email=new.coach%40example.com')
})

// @spec:4.17 @spec:8.7
test('an email with an account shows a red toast and leads to the login', { tag: '@sweep' }, async ({ page, member }) => {
  const { user } = await member('player')
  await page.addInitScript(() => {
    // Make it look as if /auth took half a minute to load.
    const kept = location.pathname === '/auth' && sessionStorage.getItem('toast')
    if (kept) {
      const { until, ...said } = JSON.parse(kept)
      sessionStorage.setItem('toast', JSON.stringify({ ...said, until: until - 30_000 }))
    }
    // Record each page's toast, so that it can still be read after the browser has left the page.
    new MutationObserver(() => {
      const toast = document.querySelector('li[data-state=open]')
      if (toast) sessionStorage.setItem(`told on ${location.pathname}`, `${toast.textContent} ${getComputedStyle(toast).backgroundColor}`)
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })
  const toldOn = (path: string) => page.evaluate(path => sessionStorage.getItem(`told on ${path}`), path)
  await installClock(page)
  await page.goto('/')
  await submitEmail(page, user.email)
  await expect(page).toHaveURL(`/auth?redirect=login&email=${encodeURIComponent(user.email)}`)
  const inRed = 'Account FoundWe see you already have an account associated with this email address. Log in now! rgb(179, 38, 30)'
  expect(await toldOn('/')).toBe(inRed)
  await expect.poll(() => toldOn('/auth')).toBe(inRed)
  await waitForPageTimer(page, 5000)
  await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByLabel('Email')).toHaveValue(user.email)
})

// @spec:4.19 @spec:7.14 @spec:8.8
test('a failed email check or a failed lead still leads to the role step', { tag: '@sweep' }, async ({ page, problems }) => {
  problems.expect(/50[0-9]|The address was not saved/)
  await page.route('**/api/check-email**', route => route.fulfill({ status: 503, json: { message: 'Away' } }))
  await page.goto('/')
  await submitEmail(page, 'unlucky@example.com')
  await expect(roleStep(page)).toBeVisible()
  await page.unroute('**/api/check-email**')
  await page.route('**/api/landing-page/leads', route => route.fulfill({ status: 500, json: { message: 'Away' } }))
  await page.getByRole('button', { name: 'Back to email' }).click()
  const logged = page.waitForEvent('console', m => m.text().includes('The address was not saved'))
  await submitEmail(page, 'unlucky@example.com')
  await expect(roleStep(page)).toBeVisible()
  await logged
})

test('a visitor whose lead is refused can continue, with and without scripts', { tag: '@sweep' }, async ({ page, person, problems }) => {
  problems.expect(/The address was not saved/)
  await page.goto('/')
  const refused = page.waitForResponse(r => r.url().endsWith('/api/landing-page/leads') && r.status() === 422)
  await submitEmail(page, 'x@test.com')
  await refused
  await expect(roleStep(page)).toBeVisible()

  const plain = await person({ javaScriptEnabled: false })
  await plain.goto('/')
  await submitEmail(plain, 'x@test.com')
  await expect(roleStep(plain)).toBeVisible()
})

// @spec:4.15
test('a filled honeypot leads to the role step without any request or lead', { tag: '@sweep' }, async ({ page }) => {
  const asked: string[] = []
  page.on('request', r => asked.push(new URL(r.url()).pathname))
  await page.goto('/')
  await email(page).fill('robot@example.com')
  await page.locator('input[name=not_for_humans]').evaluate((field: HTMLInputElement) => {
    field.value = 'I read everything'
  })
  await page.getByRole('button', { name: 'Start now' }).click()
  await expect(roleStep(page)).toBeVisible()
  expect(asked.filter(path => /check-email|leads/.test(path))).toEqual([])
})

// @spec:2.64 @spec:2.65 @spec:4.23 @spec:9.23
test('How it works is a carousel of four steps with buttons and dots', { tag: '@sweep' }, async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'How DiamondLink Works' })).toBeVisible()
  const carousel = page.getByRole('region', { name: 'How DiamondLink Works' })
  const [previous, next] = [carousel.getByRole('button', { name: 'Previous' }), carousel.getByRole('button', { name: 'Next' })]
  const dots = carousel.getByRole('button', { name: /^Step \d/ })
  const at = async (step: number) => {
    await expect(dots.nth(step)).toHaveAttribute('aria-current', 'step')
    await expect(carousel.locator('[aria-roledescription=slide]').nth(step)).toBeInViewport()
  }
  await carousel.scrollIntoViewIfNeeded()
  await expect(dots).toHaveCount(4)
  await expect(previous).toHaveJSProperty('disabled', true)
  for (const step of [1, 2, 3]) {
    await next.click()
    await at(step)
  }
  await expect(next).toHaveJSProperty('disabled', true)
  // The pressed button is disabled at the end, so the slides get the focus.
  await expect(carousel.getByRole('group', { name: 'Steps' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await at(2)
  await expect(next).toHaveJSProperty('disabled', false)
  await next.focus()
  await page.keyboard.press('Enter')
  await at(3)
  await expect(carousel.getByRole('group', { name: 'Steps' })).toBeFocused()
  await previous.click()
  await at(2)
  await dots.first().click()
  await at(0)
  await expect(previous).toHaveJSProperty('disabled', true)
  await page.getByRole('link', { name: 'Get Started' }).click()
  await expect(email(page)).toBeInViewport()
})

// @spec:2.42 @spec:2.66 @spec:2.69 @spec:2.74 @spec:2.76 @spec:2.78 @spec:9.21
test('top instructors show as skeletons, then as cards that lead to the email step', { tag: '@sweep' }, async ({ page, problems }) => {
  problems.expect(/missing\.webp/)
  let release = () => {}
  const held = new Promise<void>(done => {
    release = done
  })
  await page.route('**/api/instructors', async route => {
    await held
    await route.fulfill({ json: cards })
  })
  await page.goto('/')
  await expect(page.locator('[data-skeleton]:visible')).toHaveCount(3)
  release()
  const card = page.getByRole('article')
  await expect(card).toHaveCount(3)
  await expect(page.locator('[data-skeleton]:visible')).toHaveCount(0)
  const buttons = 'View Profile Connect'
  const says = (i: number, text: string) => expect(card.nth(i)).toContainText(new RegExp(text.replaceAll(' ', '\\s*').replace('+', '\\+')))
  await says(0, `Coach0 Ortiz Baseball Instructor Hitting Pitching Fielding +1 ${buttons}`)
  await says(1, `Coach1 Ortiz Softball Instructor Hitting Pitching ${buttons}`)
  await says(2, `Coach2 Ortiz Baseball/Softball Instructor Pitching Fielding Catching ${buttons}`)
  await expect(card.nth(1).getByRole('img')).toHaveAttribute('src', '/img/default-profile.jpeg')
  await card.nth(0).scrollIntoViewIfNeeded()
  await expect(card.nth(0).getByText('CO', { exact: true })).toBeVisible()
  await expect(card.nth(0).getByRole('link', { name: 'View Profile' })).toHaveAttribute('href', '/instructor/profile/coach-0')

  await submitEmail(page, newPersonInput().email)
  await expect(roleStep(page)).toBeVisible()
  await card.nth(2).getByRole('button', { name: 'Connect' }).click()
  await expect(email(page)).toBeInViewport()
  await expect(email(page)).toBeFocused()
})

// @spec:2.79 @spec:7.16
test('without instructors the landing page says Instructors Coming Soon', { tag: '@sweep' }, async ({ page }) => {
  let asked = 0
  await page.route('**/api/instructors', route => {
    asked++
    return route.fulfill({ json: [] })
  })
  await page.goto('/')
  await expect(page.getByText('Instructors Coming Soon')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Instructors Coming Soon')).toBeVisible()
  expect(asked).toBe(2)
})

for (const [how, options] of [
  ['by user agent', { userAgent: PHONE, viewport: { width: 1024, height: 900 } }],
  ['under 768 px', { viewport: { width: 767, height: 900 } }],
] as const) {
  // @spec:2.68 @spec:2.70 @spec:2.71 @spec:2.73 @spec:2.77 @spec:9.22
  test(`the mobile variant, ${how}, has form, steps, pricing and legal links`, { tag: '@sweep' }, async ({ person }) => {
    const page = await person(options)
    let release = () => {}
    const held = new Promise<void>(done => {
      release = done
    })
    await page.route('**/api/instructors', async route => {
      await held
      await route.fulfill({ json: cards })
    })
    await page.goto('/')
    await expect(page.locator('[data-skeleton]:visible')).toHaveCount(2)
    release()
    await expect(page.getByRole('article').first()).toContainText(/Hitting\s*Pitching\s*\+2/)
    await expect(page.getByRole('region', { name: 'How DiamondLink Works' })).toBeHidden()
    await expect(page.locator('ol:visible').getByRole('listitem')).toHaveCount(3)
    await expect(page.getByRole('link', { name: 'View Pricing' })).toHaveAttribute('href', '/pricing')
    // Check the links of this variant, not those in the footer.
    for (const [name, to] of Object.entries({ 'Privacy Policy': '/privacy-policy', Terms: '/terms-of-service' }))
      await expect(page.getByRole('main').getByRole('link', { name })).toHaveAttribute('href', to)
    const lead = page.waitForRequest('**/api/landing-page/leads')
    await submitEmail(page, newPersonInput().email)
    expect((await lead).postDataJSON().metadata.isMobile).toBe(true)
    await expect(roleStep(page)).toBeVisible()
    await page.getByRole('button', { name: "I'm an Instructor" }).click()
    await expect(page).toHaveURL(/\/auth\?role=instructor&email=/)
  })
}

// @spec:2.2 @spec:9.15
test('a signed-in person goes to their dashboard after 50 ms', { tag: '@sweep' }, async ({ as }) => {
  for (const role of ['player', 'instructor', 'admin'] as const) {
    const page = await as(role)
    await freezeClock(page)
    await page.goto('/')
    await expect(page.locator('[data-user=hi]')).not.toBeEmpty()
    await page.clock.runFor(49)
    await expect(page).toHaveURL('/')
    await page.clock.runFor(1)
    await expect(page).toHaveURL(`/${role}/dashboard`)
  }
})

test('parents and coaches find their pages in the header and in a section', { tag: '@sweep' }, async ({ page, accessible, shoot }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/')
  for (const [name, href] of [
    ['For parents', '/for-parents'],
    ['For coaches', '/for-coaches'],
  ] as const) {
    await expect(page.getByRole('banner').getByRole('link', { name })).toHaveAttribute('href', href)
    await expect(page.getByRole('contentinfo').getByRole('link', { name })).toHaveAttribute('href', href)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('banner').getByRole('link', { name: 'For parents' })).toBeHidden()
  const section = page.getByRole('region', { name: 'For parents and coaches' })
  await expect(section.getByRole('link', { name: 'What parents see and decide' })).toHaveAttribute('href', '/for-parents')
  await expect(section.getByRole('link', { name: 'How reviews and payouts work' })).toHaveAttribute('href', '/for-coaches')
  await accessible()
  await shoot('landing-audiences')
})

import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { birthDateForAge } from '../api/test-server.ts'
import { disablePreloadedData, expect, test } from '../support/signed-in-fixtures.ts'
import { callApi, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { giveConsentByApi } from './guardian-consent.ts'
import { expectPageFitsAndTargetsAreLarge } from './layout-checks.ts'

type CheckScreen = (name: string, page: Page) => Promise<void>
/** A test with `checkScreen`, which checks a page with axe and at each width, and with SCREENS=1 takes screenshots of it. */
const screenTest = test.extend<{ checkScreen: CheckScreen }>({
  checkScreen: async ({ accessible, shoot }, use) =>
    use(async (name, page) => {
      await accessible(page)
      await expectPageFitsAndTargetsAreLarge(page)
      await shoot(name, page)
    }),
})
const DATABASE_UNAVAILABLE = { status: 503, json: { message: 'Our database is not available right now. Try again in a moment.' } }
const neverRespond = () => {}

/** Checks the page while a response is pending, and after the request has failed. `shows`: a heading that is visible in both states. */
async function checkLoadingAndFailed(checkScreen: CheckScreen, page: Page, path: string, api: RegExp, shows: string) {
  for (const [state, answer] of [
    ['waiting', neverRespond],
    ['failed', (route: { fulfill: (reply: object) => Promise<void> }) => route.fulfill(DATABASE_UNAVAILABLE)],
  ] as const) {
    await page.route(api, answer)
    await page.goto(path)
    await expect(page.getByRole('heading', { name: shows }).first()).toBeVisible()
    if (state === 'failed') await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
    await checkScreen(`${path.split('/').slice(1, 3).join('-')}-${state}`, page)
    await page.unroute(api)
  }
}

screenTest(
  "a guardian's pages are accessible and fit while loading, failed, empty and full",
  { tag: '@sweep' },
  async ({ page: leo, app, person, checkScreen, problems }) => {
    problems.expect(/503/)
    const maria = await person()
    const guardianEmail = `maria.${randomUUID().slice(0, 8)}@example.com`
    const minor = { dateOfBirth: birthDateForAge(15), guardianName: 'Maria Santos', guardianEmail }
    const { id: child } = await signUpAsPlayer(leo, 'Leo', 'Santos', minor)
    await giveConsentByApi(maria, app, guardianEmail)
    await callApi(leo, 'POST', '/api/folders', { id: randomUUID(), name: 'Tee work before the spring tournament' })

    const settings = /\/api\/family\/(letters|sessions)/
    await checkLoadingAndFailed(checkScreen, maria, '/family', settings, 'Your family')
    await maria.goto('/family')
    await expect(maria.getByRole('link', { name: 'Leo' })).toBeVisible()
    await checkScreen('family-full', maria)
    const empty = { guardian: { id: randomUUID(), name: 'Maria Santos', email: guardianEmail, timeZone: 'America/New_York' }, children: [] }
    await maria.route(/\/api\/family$/, route => route.fulfill({ json: empty }))
    await maria.goto('/family')
    await expect(maria.getByRole('heading', { name: 'No players yet' })).toBeVisible()
    await checkScreen('family-empty', maria)
    await maria.unroute(/\/api\/family$/)

    const path = `/family/children/${child}`
    await checkLoadingAndFailed(checkScreen, maria, path, new RegExp(`/api${path}/`), 'Leo')
    await maria.goto(path)
    await expect(maria.getByText('Tee work before the spring tournament')).toBeVisible()
    await expect(maria.getByRole('button', { name: 'Email me the link' })).toBeVisible()
    await checkScreen('family-child-full', maria)
    await checkLoadingAndFailed(checkScreen, maria, '/family/money', /\/api\/family\/money/, 'Sessions and costs')
  },
)

screenTest(
  'the account page is accessible and fits while loading, failed and full',
  { tag: '@sweep' },
  async ({ as, checkScreen, problems }) => {
    problems.expect(/503/)
    const page = await as('player', { firstName: 'Settled' })
    await disablePreloadedData(page)
    await checkLoadingAndFailed(checkScreen, page, '/account', /\/api\/(account|sessions)/, 'Your account')
    await page.goto('/account')
    await expect(page.getByRole('button', { name: 'Delete my account' })).toBeEnabled()
    await checkScreen('account-full', page)
  },
)

screenTest(
  "an administrator's lists are accessible and fit in every state of loading",
  { tag: '@sweep' },
  async ({ as, person, checkScreen, problems }) => {
    problems.expect(/503/)
    const [admin, coach] = [await as('admin'), await person()]
    const { id } = await signUpAsInstructor(coach, 'Ray', 'Wolstenholme-Carter')
    // Two instructors with the same name must not lead to two landmarks with the same name.
    await signUpAsInstructor(await person(), 'Ray', 'Wolstenholme-Carter')
    const check = { checked: '2026-05-02', reference: 'Report 20931', expires: null }
    await callApi(admin, 'POST', `/api/admin/instructors/${id}/checks`, { ...check, check: 'identity' })
    await checkLoadingAndFailed(checkScreen, admin, '/admin/instructors', /\/api\/admin\/instructors/, 'Instructors')
    // Another test may have suspended an instructor of the same server.
    await admin.route(/\/api\/admin\/instructors/, async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), instructors: [], next: null } })
    })
    await admin.goto('/admin/instructors?status=suspended')
    await expect(admin.getByRole('heading', { name: 'No instructors' })).toBeVisible()
    await checkScreen('admin-instructors-empty', admin)
    await admin.unroute(/\/api\/admin\/instructors/)
    await admin.goto('/admin/instructors?status=approved')
    await expect(admin.getByRole('heading', { name: 'Ray Wolstenholme-Carter' })).toHaveCount(2)
    await checkScreen('admin-instructors-full', admin)

    const found = admin.getByRole('heading', { level: 1 })
    const path = `/admin/people/${id}`
    await admin.route(/\/api\/admin\/people\//, neverRespond)
    await admin.goto(path)
    await expect(found).toBeAttached()
    await checkScreen('admin-person-waiting', admin)
    await admin.unroute(/\/api\/admin\/people\//)
    await admin.route(/\/api\/admin\/people\//, route => route.fulfill(DATABASE_UNAVAILABLE))
    await admin.goto(path)
    await expect(admin.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
    await checkScreen('admin-person-failed', admin)
    await admin.unroute(/\/api\/admin\/people\//)
    await admin.goto(path)
    await expect(admin.getByRole('heading', { name: 'Ray Wolstenholme-Carter' })).toBeVisible()
    await checkScreen('admin-person-full', admin)
  },
)

screenTest(
  'the support page and the pages for parents and coaches are accessible and fit',
  { tag: '@sweep' },
  async ({ as, checkScreen, problems }) => {
    problems.expect(/503/)
    const page = await as('player', { firstName: 'Asking' })
    await disablePreloadedData(page)
    await checkLoadingAndFailed(checkScreen, page, '/support', /\/api\/support\/my-requests/, 'Support')
    await page.goto('/support')
    await expect(page.getByRole('heading', { level: 1, name: 'Support' })).toBeVisible()
    await checkScreen('support-empty', page)
    const content = 'My video stops at 0:12, right where the bat meets the ball. '.repeat(4)
    await callApi(page, 'POST', '/api/support/request', { requestType: 'issue', content, deviceInfo: 'A phone' })
    await page.goto('/support')
    await expect(page.getByText(/My video stops at 0:12/).first()).toBeVisible()
    await checkScreen('support-full', page)
    for (const path of ['/for-parents', '/for-coaches']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await checkScreen(path.slice(1), page)
    }
  },
)

import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { birthDateOf } from '../api/test-server.ts'
import { expect, skipPersonalPages, test } from '../support/members.ts'
import { asInstructor, asPlayer, callApi } from './api-setup.ts'
import { expectLayoutFits } from './layout-checks.ts'

type Keep = (name: string, page: Page) => Promise<void>
/** Checks the page with axe and at every width, and takes a screenshot of each. */
const kept = test.extend<{ keep: Keep }>({
  keep: async ({ accessible, shoot }, use) =>
    use(async (name, page) => {
      await accessible(page)
      await expectLayoutFits(page)
      await shoot(name, page)
    }),
})
const away = { status: 503, json: { message: 'Our database is not available right now. Try again in a moment.' } }
const never = () => {}

/** Checks the page while a response is pending, and after the request failed. `shows` is visible in both states. */
async function keepWaitingAndFailed(keep: Keep, page: Page, path: string, api: RegExp, shows: string) {
  for (const [state, answer] of [
    ['waiting', never],
    ['failed', (route: { fulfill: (reply: object) => Promise<void> }) => route.fulfill(away)],
  ] as const) {
    await page.route(api, answer)
    await page.goto(path)
    await expect(page.getByRole('heading', { name: shows }).first()).toBeVisible()
    if (state === 'failed') await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
    await keep(`${path.split('/').slice(1, 3).join('-')}-${state}`, page)
    await page.unroute(api)
  }
}

kept("a guardian's pages while loading, failed, empty and full", { tag: '@sweep' }, async ({ page: leo, app, person, keep, problems }) => {
  problems.expect(/503/)
  const maria = await person()
  const guardianEmail = `maria.${randomUUID().slice(0, 8)}@example.com`
  const kid = { dateOfBirth: birthDateOf(15), guardianName: 'Maria Santos', guardianEmail }
  const { id: child } = await asPlayer(leo, 'Leo', 'Santos', kid)
  const token = async () => /\/guardian\/([\w-]{43})/.exec((await app.letters(guardianEmail))[0]?.text ?? '')?.[1]
  await expect.poll(token).toBeTruthy()
  await callApi(maria, 'POST', `/api/guardian/${await token()}`, { answer: 'yes' })
  await callApi(leo, 'POST', '/api/folders', { id: randomUUID(), name: 'Tee work before the spring tournament' })

  const settings = /\/api\/family\/(letters|sessions)/
  await keepWaitingAndFailed(keep, maria, '/family', settings, 'Your family')
  await maria.goto('/family')
  await expect(maria.getByRole('link', { name: 'Leo' })).toBeVisible()
  await keep('family-full', maria)
  const empty = { guardian: { id: randomUUID(), name: 'Maria Santos', email: guardianEmail, timeZone: 'America/New_York' }, children: [] }
  await maria.route(/\/api\/family$/, route => route.fulfill({ json: empty }))
  await maria.goto('/family')
  await expect(maria.getByRole('heading', { name: 'No players yet' })).toBeVisible()
  await keep('family-empty', maria)
  await maria.unroute(/\/api\/family$/)

  const path = `/family/children/${child}`
  await keepWaitingAndFailed(keep, maria, path, new RegExp(`/api${path}/`), 'Leo')
  await maria.goto(path)
  await expect(maria.getByText('Tee work before the spring tournament')).toBeVisible()
  await expect(maria.getByRole('button', { name: 'Email me the link' })).toBeVisible()
  await keep('family-child-full', maria)
  await keepWaitingAndFailed(keep, maria, '/family/money', /\/api\/family\/money/, 'Sessions and costs')
})

kept('the page of an account while loading, failed and full', { tag: '@sweep' }, async ({ as, keep, problems }) => {
  problems.expect(/503/)
  const page = await as('player', { firstName: 'Settled' })
  await skipPersonalPages(page)
  await keepWaitingAndFailed(keep, page, '/account', /\/api\/(account|sessions)/, 'Your account')
  await page.goto('/account')
  await expect(page.getByRole('button', { name: 'Delete my account' })).toBeEnabled()
  await keep('account-full', page)
})

kept("an administrator's lists while loading, failed, empty and full", { tag: '@sweep' }, async ({ as, person, keep, problems }) => {
  problems.expect(/503/)
  const [admin, coach] = [await as('admin'), await person()]
  const { id } = await asInstructor(coach, 'Ray', 'Castellano-Montgomery')
  const check = { checked: '2026-05-02', reference: 'Report 20931', expires: null }
  await callApi(admin, 'POST', `/api/admin/instructors/${id}/checks`, { ...check, check: 'identity' })
  await keepWaitingAndFailed(keep, admin, '/admin/instructors', /\/api\/admin\/instructors/, 'Instructors')
  await admin.goto('/admin/instructors?status=suspended')
  await expect(admin.getByRole('heading', { name: 'No instructors' })).toBeVisible()
  await keep('admin-instructors-empty', admin)
  await admin.goto('/admin/instructors?status=approved')
  await expect(admin.getByRole('heading', { name: 'Ray Castellano-Montgomery' })).toBeVisible()
  await keep('admin-instructors-full', admin)

  const found = admin.getByRole('heading', { level: 1 })
  const path = `/admin/people/${id}`
  await admin.route(/\/api\/admin\/people\//, never)
  await admin.goto(path)
  await expect(found).toBeAttached()
  await keep('admin-person-waiting', admin)
  await admin.unroute(/\/api\/admin\/people\//)
  await admin.route(/\/api\/admin\/people\//, route => route.fulfill(away))
  await admin.goto(path)
  await expect(admin.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
  await keep('admin-person-failed', admin)
  await admin.unroute(/\/api\/admin\/people\//)
  await admin.goto(path)
  await expect(admin.getByRole('heading', { name: 'Ray Castellano-Montgomery' })).toBeVisible()
  await keep('admin-person-full', admin)
})

kept('the support page and the pages for parents and coaches', { tag: '@sweep' }, async ({ as, keep, problems }) => {
  problems.expect(/503/)
  const page = await as('player', { firstName: 'Asking' })
  await skipPersonalPages(page)
  await keepWaitingAndFailed(keep, page, '/support', /\/api\/support\/my-requests/, 'Support')
  await page.goto('/support')
  await expect(page.getByRole('heading', { level: 1, name: 'Support' })).toBeVisible()
  await keep('support-empty', page)
  const content = 'My video stops at 0:12, right where the bat meets the ball. '.repeat(4)
  await callApi(page, 'POST', '/api/support/request', { requestType: 'issue', content, deviceInfo: 'A phone' })
  await page.goto('/support')
  await expect(page.getByText(/My video stops at 0:12/).first()).toBeVisible()
  await keep('support-full', page)
  for (const path of ['/for-parents', '/for-coaches']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await keep(path.slice(1), page)
  }
})

import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import {
  callApi,
  createAssignedFolder,
  createFolderWithVideo,
  createReviewedFolder,
  signInAsAdmin,
  signUpAsInstructor,
  signUpAsPlayer,
} from '../api-setup.ts'

const swing = await readFile(sampleVideos.mp4)
const widths = [
  [390, 844],
  [820, 1180],
  [1440, 900],
] as const
const PUBLIC_PATHS = ['/faq', '/support', '/pricing', '/terms-of-service', '/video-format-test', '/account']

/**
 * Runs in the page. Returns whether the chat button is wholly inside the window, whether a tap at its center hits it, and which pressable
 * elements it still covers, wholly or partly, after they are scrolled to the middle of the window.
 */
function aroundButton() {
  const button = document.querySelector('button[aria-label="Support Chat"]')!
  const { left, top, right, bottom } = button.getBoundingClientRect()
  const wholly = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  const pressable = 'a[href], button, input, select, textarea, summary, label, video, [role=tab], [role=slider], [tabindex="0"]'
  const covered = [...document.querySelectorAll<HTMLElement>(`:is(${pressable})`)].filter(it => {
    if (it === button || it.contains(button) || !it.checkVisibility({ visibilityProperty: true })) return false
    const its = it.getBoundingClientRect()
    return its.width > 0 && its.left < right && its.right > left && its.top < bottom && its.bottom > top
  })
  // Ignore elements at least half as high as the window, such as a scrollable page, because they cannot avoid the button.
  const small = covered.filter(it => it.getBoundingClientRect().height < innerHeight / 2)
  const stuck = small.filter(it => {
    it.scrollIntoView({ block: 'center', behavior: 'instant' })
    const [its, now] = [it.getBoundingClientRect(), button.getBoundingClientRect()]
    return its.left < now.right && its.right > now.left && its.top < now.bottom && its.bottom > now.top
  })
  return {
    isInWindow: wholly,
    isHit: !!hit && button.contains(hit),
    neverFree: stuck.map(it => it.outerHTML.slice(0, 120)),
  }
}

/**
 * Asserts that the chat button can be pressed and blocks nothing, at each width. `floats`: the button stays in the window when the page
 * scrolls. On an instructor's folder it is in the header instead.
 */
async function expectInReach(page: Page, path: string, shoot: (name: string) => Promise<void>, { floats = true } = {}) {
  const inReach = { isInWindow: true, isHit: true, neverFree: [] }
  for (const [width, height] of widths) {
    await page.setViewportSize({ width, height })
    await page.goto(path)
    const at = `${path} at ${width} px`
    await expect(page.getByRole('button', { name: 'Support Chat' }), at).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: /^Loading/ }), at).toHaveCount(0)
    expect(await page.evaluate(aroundButton), `${at}, at load`).toEqual(inReach)
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
    if (floats) expect(await page.evaluate(aroundButton), `${at}, at its end`).toEqual(inReach)
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await shoot(
      `${path
        .replaceAll(/[\w-]{36}/g, 'id')
        .replaceAll('/', '_')
        .slice(1)}-${width}`,
    )
  }
}
/** With SCREENS=1, saves a screenshot of the window. */
const shooting = (page: Page, role: string) => async (name: string) => {
  if (process.env.SCREENS) await page.screenshot({ path: `test-results/screens/chat-${role}-${name}.png` })
}

// @spec:2.87
test('a player can reach the chat button on every page', { tag: '@sweep' }, async ({ page, person }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const draft = await createFolderWithVideo(page, 'Tee work', swing)
  const read = await createReviewedFolder(page, instructor, coach, 'Bunts', swing)
  const own = ['dashboard', 'connect-instructor', `select-instructor/${coach.id}`, 'payment', 'rewards', 'progress']
  const folders = [`folder/${draft.folder}`, `folder/${read.folder}`, `video-test/${draft.video}`]
  for (const path of [...[...own, ...folders].map(name => `/player/${name}`), ...PUBLIC_PATHS])
    await expectInReach(page, path, shooting(page, 'player'))
})

test('an instructor can reach the chat button on every page', { tag: '@sweep' }, async ({ page, person }) => {
  const player = await person()
  const coach = await signUpAsInstructor(page)
  await signUpAsPlayer(player)
  const waiting = await createAssignedFolder(player, coach, 'Tee work', swing)
  const begun = await createAssignedFolder(player, coach, 'Bunts', swing)
  await callApi(page, 'POST', `/api/folders/${begun.folder}/review`)
  const folders = [waiting.folder, begun.folder, '00000000-0000-7000-8000-000000000000'].map(id => `folder/${id}`)
  for (const name of ['dashboard', 'profile-editor', 'payments', ...folders])
    await expectInReach(page, `/instructor/${name}`, shooting(page, 'instructor'), { floats: !folders.includes(name) })
  await expectInReach(page, '/fix-instructor-profile', shooting(page, 'instructor'))
})

test('an administrator can reach the chat button on every page', { tag: '@sweep' }, async ({ page, person, app }) => {
  const player = await person()
  await signUpAsPlayer(player)
  const { folder } = await createFolderWithVideo(player, 'Tee work', swing)
  await signInAsAdmin(page, app)
  for (const path of ['/admin/dashboard', '/admin/support-management', `/admin/folder/${folder}`])
    await expectInReach(page, path, shooting(page, 'admin'))
})

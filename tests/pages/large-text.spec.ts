import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/signed-in-fixtures.ts'
import { callApi, createFolderWithVideo, createReviewedFolder, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { expectDoubleTextFits } from './layout-checks.ts'

/**
 * Opens a page at the width of a phone and expects double-size text to fit. The screens that page-accessibility-and-layout.spec.ts visits
 * are checked there.
 */
async function fits(page: Page, path: string) {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0)
  await expectDoubleTextFits(page)
}

/** Expects the visual order from top to bottom to match the focus and screen-reader order. */
const inOrder = async (page: Page) => {
  await expect(page.getByRole('button', { name: /^(Play$|Watch with)/ }).first()).toBeVisible()
  const tops = await page
    .locator('main')
    .locator('h2, button, textarea')
    .evaluateAll(all => all.filter(e => e.checkVisibility()).map(e => [e.textContent, e.getBoundingClientRect().top] as const))
  // On one line, a smaller element may begin lower than the next one.
  const back = tops.filter(([, top], i) => i > 0 && top < tops[i - 1]![1] - 40)
  expect.soft(back, page.url()).toEqual([])
}

const members = {
  player: [
    ...['/player/dashboard', '/player/payment', '/player/payment?package=triple', '/player/rewards', '/player/video-test'],
    ...['/support', '/faq'],
  ],
  instructor: ['/instructor/dashboard', '/instructor/payments', '/account'],
  admin: ['/admin/dashboard', '/admin/support-management', '/account'],
}

for (const [role, paths] of Object.entries(members)) {
  test(`double-size text fits a phone on ${role} screens`, { tag: '@sweep' }, async ({ as }) => {
    test.slow()
    const page = await as(role as keyof typeof members)
    for (const path of paths) await fits(page, path)
  })
}

test('double-size text fits a phone in a folder, its feedback and the studio', { tag: '@sweep' }, async ({ person }) => {
  test.slow()
  const [player, instructor] = [await person(), await person()]
  await signUpAsPlayer(player, 'Bartholomew', 'Featherstonehaugh-Cholmondeley')
  const coach = await signUpAsInstructor(instructor)
  const file = await readFile('tests/fixtures/media/sample.mp4')
  const given = await createReviewedFolder(player, instructor, coach, 'Batting practice in the cage, Thursday', file)
  const open = await createFolderWithVideo(player, 'Gameday', file)
  await callApi(player, 'POST', `/api/folders/${open.folder}/assign`, { assignment: randomUUID(), instructor: coach.id })
  for (const { folder } of [given, open]) {
    await fits(player, `/player/folder/${folder}`)
    await inOrder(player)
    await fits(instructor, `/instructor/folder/${folder}`)
  }
  // Controls that do not fit below the picture are not cut off: they can be scrolled to.
  await player.goto(`/player/folder/${given.folder}`)
  await player.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  await expect(player.getByRole('button', { name: 'Full screen' })).toBeVisible()
  const cutOff = await player.locator('#stage :is(button, select)').evaluateAll(all =>
    all
      .filter(e => {
        for (let p = e.parentElement; p; p = p.parentElement) {
          if (e.getBoundingClientRect().right <= p.getBoundingClientRect().right + 1) continue
          const { overflowX } = getComputedStyle(p)
          if (overflowX !== 'visible') return overflowX === 'hidden' || overflowX === 'clip'
        }
        return false
      })
      .map(e => e.getAttribute('aria-label') ?? e.outerHTML.slice(0, 80)),
  )
  expect(cutOff).toEqual([])
  await fits(player, '/player/dashboard')
  await fits(player, '/player/payment')
  await fits(instructor, '/instructor/dashboard')
  await fits(instructor, '/instructor/payments')
})

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/members.ts'
import { asInstructor, asPlayer, call, delivered, filmed } from './people.ts'

/** Letters of twice the size on a phone: everything finds its place below, nothing beside. */
async function noneBeside(page: Page, path: string) {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0)
  const beside = await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
    const over = document.documentElement.scrollWidth - innerWidth
    if (over <= 0) return null
    const right = (e: Element) => e.getBoundingClientRect().right
    const wide = [...document.querySelectorAll('body *')].filter(
      e => right(e) > innerWidth + 1 && ![...e.children].some(c => right(c) > innerWidth + 1),
    )
    return { over, at: wide.slice(0, 6).map(e => `${e.outerHTML.slice(0, 160)} … ${Math.round(right(e))}`) }
  })
  expect.soft(beside, path).toBeNull()
}

const visitors = [
  ...['/', '/auth', '/auth?role=player', '/auth?role=instructor', '/pricing', '/faq', '/support', '/privacy-policy', '/terms-of-service'],
  ...['/forgot-password', '/forgot-email', '/reset-password?token=x', '/admin/login', '/admin/register', '/invite/NOSUCHCODE'],
  ...[
    '/video-format-test',
    '/video-format-test/an-id',
    '/guardian/no-such-link',
    '/start',
    '/start?step=email&email=nobody',
    '/no/such/page',
  ],
]
const members = {
  player: [
    ...['/player/dashboard', '/player/payment', '/player/payment?package=triple', '/player/rewards', '/player/connect-instructor'],
    ...['/player/video-test', '/account', '/support', '/faq'],
  ],
  instructor: ['/instructor/dashboard', '/instructor/payments', '/instructor/profile-editor', '/fix-instructor-profile', '/account'],
  admin: ['/admin/dashboard', '/admin/support-management', '/account'],
}

test('letters of twice the size fit a phone on every public page', async ({ page }) => {
  test.slow()
  for (const path of visitors) await noneBeside(page, path)
})
for (const [role, paths] of Object.entries(members)) {
  test(`letters of twice the size fit a phone on every screen of a ${role}`, async ({ as }) => {
    test.slow()
    const page = await as(role as keyof typeof members)
    for (const path of paths) await noneBeside(page, path)
  })
}

test('letters of twice the size fit a phone in a folder, with its feedback and in the studio', async ({ person }) => {
  test.slow()
  const [player, instructor] = [await person(), await person()]
  await asPlayer(player, 'Bartholomew', 'Featherstonehaugh-Cholmondeley')
  const coach = await asInstructor(instructor)
  const file = await readFile('tests/media/sample.mp4')
  const given = await delivered(player, instructor, coach, 'Batting practice in the cage, Thursday', file)
  const open = await filmed(player, 'Gameday', file)
  await call(player, 'POST', `/api/folders/${open.folder}/assign`, { assignment: randomUUID(), instructor: coach.id })
  for (const { folder } of [given, open]) {
    await noneBeside(player, `/player/folder/${folder}`)
    await noneBeside(instructor, `/instructor/folder/${folder}`)
  }
  await noneBeside(player, '/player/dashboard')
  await noneBeside(player, '/player/payment')
  await noneBeside(instructor, '/instructor/dashboard')
  await noneBeside(instructor, '/instructor/payments')
})

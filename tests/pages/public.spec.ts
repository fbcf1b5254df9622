import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, type Member, test } from '../support/members.ts'

const photo = () =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: '#14532d' } })
    .png()
    .toBuffer()
/** Gives them a photo, which no page gets to see. */
async function pictured({ api }: Member, page: Page) {
  const kept = await api.put('/api/user/picture', { data: await photo(), headers: { 'content-type': 'image/png' } })
  expect(kept.ok()).toBe(true)
  await page.route('**/uploads/profile/**', route => route.abort())
}
const invitation = async ({ api }: Member) => `/invite/${(await (await api.get('/api/invite')).json()).code}`

test('a photo that does not load gives way to initials on a profile, an invitation and the landing page', async ({
  page,
  member,
  accessible,
  problems,
}) => {
  problems.expect(/Failed to load resource/)
  const instructor = await member('instructor', { firstName: 'Ximena', lastName: 'Zapata' })
  await pictured(instructor, page)
  await page.goto(`/i/${instructor.user.profileSlug}`)
  const face = page.getByRole('main').getByRole('img', { name: 'Ximena Zapata' })
  await expect(face).toHaveText('XZ')
  await accessible()

  await page.goto(await invitation(instructor))
  await expect(page.getByRole('heading', { level: 1, name: /Ximena Zapata wants you/ })).toBeVisible()
  await expect(page.getByText('XZ', { exact: true })).toBeVisible()
  await expect(page.locator('[data-invite=picture]')).toBeHidden()

  await page.route('**/api/instructors', async route => {
    const all: { user: { firstName: string } }[] = await (await route.fetch()).json()
    await route.fulfill({ json: all.filter(i => i.user.firstName === 'Ximena') })
  })
  await page.goto('/')
  await expect(page.getByRole('article').getByText('XZ', { exact: true })).toBeVisible()
})

test('a photo that loads stays', async ({ page, member }) => {
  const { user } = await member('instructor', { firstName: 'Yara', lastName: 'Quist' })
  await page.goto(`/i/${user.profileSlug}`)
  const face = page.getByRole('main').getByRole('img', { name: 'Yara Quist' })
  await expect(face).toHaveAttribute('src', '/img/default-profile.jpeg')
  await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(page.getByText('YQ', { exact: true })).toBeHidden()
})

test('words without end break at the edge: no page of an instructor scrolls sideways on a phone', async ({ page, as, member }) => {
  const endless = 'b'.repeat(120)
  const instructor = await member('instructor', { firstName: endless.slice(0, 80), lastName: 'Unbroken' })
  const { user, api } = instructor
  const profile = await (await api.get('/api/profile')).json()
  const { type, skills } = profile
  const written = await api.put('/api/profile', { data: { slug: user.profileSlug, type, skills, about: endless, experience: endless } })
  expect(written.ok()).toBe(true)
  const invite = await invitation(instructor)
  const player = await as('player', {})
  const fits = async (page: Page, path: string) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(path)
    await expect(page.getByRole('main').getByText(endless.slice(0, 80)).first()).toBeVisible()
    const cut = await page.evaluate(() => {
      const room = document.documentElement.clientWidth
      const texts = [...document.querySelectorAll<HTMLElement>('main :is(h1, h2, p):not(.sr-only)')].filter(e => e.checkVisibility())
      return { wide: document.documentElement.scrollWidth - room, out: texts.filter(e => e.scrollWidth > e.clientWidth + 1).length }
    })
    expect({ path, ...cut }).toEqual({ path, wide: 0, out: 0 })
  }
  await fits(page, `/i/${user.profileSlug}`)
  await fits(page, invite)
  await fits(player, `/player/connect-instructor?invite=${invite.split('/').pop()}`)
  await expect(player.getByText('You are invited')).toBeVisible()
  await fits(player, `/player/select-instructor/${user.profileSlug}`)
})

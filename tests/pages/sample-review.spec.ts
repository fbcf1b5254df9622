import { expect, test } from '../support/playwright-base-fixtures.ts'
import { callApi, signUpAsInstructor } from './api-setup.ts'

test('the sample review on the landing page loads and plays after a press', { tag: '@sweep' }, async ({ page, shoot, accessible }) => {
  const asked: string[] = []
  page.on('request', r => asked.push(new URL(r.url()).pathname))
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Play a sample review' })
  await button.scrollIntoViewIfNeeded()
  await expect(page.getByRole('img', { name: /swing/ }).or(button).first()).toBeVisible()
  expect(asked.filter(path => /\.(mp4|m4a)$/.test(path))).toEqual([])
  await shoot('landing-sample')
  await button.click()

  const feedback = page.getByRole('region', { name: 'Feedback' })
  await expect(feedback.getByRole('heading', { name: '5 notes' })).toBeVisible()
  // Pressing play starts the video.
  await expect(feedback.getByRole('slider', { name: 'Position in the review' })).not.toHaveValue('0')
  await expect(page.getByRole('button', { name: /^(Play|Watch)/ })).toHaveCount(0)
  // This note is about the foot strike, at frame 46.
  await feedback.getByRole('button', { name: /Same frame as last time/ }).click()
  await expect(page.locator('[data-frame="46"][data-sure="true"]')).toBeAttached()
  await expect(page.getByText('Ray Castellano sums it up')).toBeVisible()
  await shoot('landing-sample-open')
  await accessible()
  await page.getByRole('button', { name: /^Foot strike, then and now/ }).click()
  await expect(
    page
      .getByRole('button', { name: 'Play both' })
      .or(page.getByRole('button', { name: 'Play', exact: true }))
      .first(),
  ).toBeVisible()
  // On a phone, every control is at least 44 px high.
  await page.setViewportSize({ width: 390, height: 844 })
  const small = await page
    .locator('main')
    .locator('button, select, input:not([type=checkbox], [type=radio], [tabindex="-1"])')
    .evaluateAll(all => all.filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44).map(e => e.outerHTML.slice(0, 120)))
  expect(small).toEqual([])
})

test("an instructor's profile has the sample review, too", { tag: '@sweep' }, async ({ page, person }) => {
  const coach = await person()
  await signUpAsInstructor(coach)
  const slug = `ray-${Date.now()}`
  await callApi(coach, 'PUT', '/api/profile', {
    type: ['baseball'],
    skills: ['hitting'],
    slug,
    about: 'Two questions.',
    experience: 'Eleven years.',
  })
  await expect.poll(async () => (await page.request.get(`/i/${slug}`)).status()).toBe(200)
  await page.goto(`/i/${slug}`)
  await page.getByRole('button', { name: 'Play a sample review' }).click()
  await expect(page.getByRole('heading', { name: '5 notes' })).toBeVisible()
})

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { addVideo, callApi, createReviewedFolder, signUpAsInstructor, signUpAsPlayer, waitUntilWritesAreVisible } from './api-setup.ts'
import { clickDeliverAndConfirm } from './click-deliver-and-confirm.ts'
import { fetchSessionOf, noteField, waitForSavedDraft, waitForStage } from './studio-setup.ts'

const swing = await readFile(sampleVideos.mp4)

test('a follow-up by a second instructor keeps the two sessions separate', {
  tag: '@sweep',
}, async ({ page, person, shoot, accessible }) => {
  const [first, second] = [await person(), await person()]
  const ray = await signUpAsInstructor(first)
  const jo = await signUpAsInstructor(second, 'Jo', 'Kim')
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, first, ray, 'Double plays', swing)
  const rays = (await fetchSessionOf(page, folder)).id as string
  const bill = async () => (await (await page.request.get('/api/billing')).json()).payments[0]
  await expect.poll(bill).toBeDefined()
  await callApi(page, 'POST', `/api/payments/${rays}/pay`, { tip: 300, total: (await bill()).total })
  await expect.poll(async () => (await fetchSessionOf(page, folder)).status).toBe('paid')

  await test.step('a video added later can be watched, removed and assigned to a second instructor', async () => {
    await addVideo(page, folder, swing, { name: 'second.mp4' })
    const spare = await addVideo(page, folder, swing, { name: 'third.mp4' })
    await page.goto(`/player/folder/${folder}`)
    const next = page.getByRole('region', { name: 'For the next session' })
    await expect(next.getByRole('button', { name: /^Video \d/ })).toHaveCount(2)
    await next.getByRole('button', { name: /third\.mp4/ }).click()
    await next.getByRole('button', { name: 'Remove third.mp4' }).click()
    await page.getByRole('button', { name: 'Remove video' }).click()
    await expect(next.getByText('third.mp4')).toHaveCount(0)
    await expect(next.getByText('second.mp4')).toBeVisible()
    await shoot('player-folder-next-session')
    await accessible()
    // Two stages are on this page: keys act on the one that was used last, or that fills the screen.
    const feedback = page.getByRole('region', { name: 'Feedback', exact: true })
    await next.getByRole('button', { name: 'Next frame' }).click()
    await page.keyboard.press('.')
    await expect(next.locator('[data-frame="2"]')).toBeAttached()
    await feedback.getByRole('button', { name: 'Full screen' }).click()
    const frame = Number(await feedback.locator('[data-frame]').getAttribute('data-frame'))
    await page.keyboard.press('.')
    await expect(feedback.locator(`[data-frame="${frame + 1}"]`)).toBeAttached()
    await expect(next.locator('[data-frame="2"]')).toBeAttached()
    await feedback.getByRole('button', { name: 'Leave full screen' }).click()
    const { clips } = await (await page.request.get(`/api/folders/${folder}`)).json()
    expect(clips.map((c: { id: string }) => c.id)).not.toContain(spare)
    await callApi(page, 'POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: jo.id, message: 'Feet, please.' })
  })

  await test.step('during the second session the player asks the first instructor a question', async () => {
    await page.goto(`/player/folder/${folder}`)
    await expect(page.getByText(/Jo Kim got it/)).toBeVisible()
    await expect(page.getByText('Feet, please.')).toBeVisible()
    await page
      .getByRole('navigation', { name: 'Sessions' })
      .getByRole('link', { name: /Ray Delgado.*Hitting 55/ })
      .click()
    await expect(page.getByText('Keep the hands back until the foot is down.')).toBeVisible()
    await expect(page.getByRole('button', { name: /Hands drift forward here/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Take it back' })).toHaveCount(0)
    await page.getByLabel('Your question').fill('With the heavy bat, too?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await expect(page.getByText('Ray has not answered yet')).toBeVisible()
  })

  await test.step('the first instructor gets the question and sees only their own session', async () => {
    await waitUntilWritesAreVisible(first, page, '/api/queue')
    await first.goto('/instructor/dashboard')
    await expect(first.getByText('1 player has a question')).toBeVisible()
    await first.getByRole('link', { name: /Answer: Double plays/ }).click()
    await expect(first.getByText('With the heavy bat, too?')).toBeVisible()
    await expect(first.getByRole('button', { name: /Hands drift forward here/ })).toBeVisible()
    await expect(first.getByText('Feet, please.')).toHaveCount(0)
    await expect(first.getByText('Jo Kim')).toHaveCount(0)
    await first.getByLabel('Your answer').fill('Only off the tee.')
    await first.getByRole('button', { name: 'Send the answer' }).click()
    await expect(first.getByText('Only off the tee.')).toBeVisible()
    await shoot('instructor-session-of-before', first)
    await accessible(first)
  })

  await test.step('the second instructor reviews the new video and cannot see the first session', async () => {
    await waitUntilWritesAreVisible(second, page, '/api/queue')
    await second.goto('/instructor/dashboard')
    await expect(second.getByText('1 folder is waiting for you')).toBeVisible()
    await second.getByRole('link', { name: /Review: Double plays/ }).click()
    await expect(second.getByText('Feet, please.')).toBeVisible()
    await waitForSavedDraft(second)
    await waitForStage(second)
    await second.locator('body').press('m')
    await noteField(second).fill('Turn the back foot sooner.')
    await second.getByRole('tab', { name: 'Summary' }).click()
    await second.getByRole('textbox', { name: 'Summary' }).fill('Quick hands. The feet come late.')
    await second.getByRole('radio', { name: 'Hitting 60, Strong' }).check()
    await second.getByRole('radio', { name: 'Fielding 45, Nearly average' }).check()
    await clickDeliverAndConfirm(second)
    await expect(second).toHaveURL(/\/instructor\/dashboard/)
    await second.getByRole('link', { name: /Open: Double plays/ }).click()
    await expect(second.getByText('Quick hands. The feet come late.')).toBeVisible()
    await expect(second.getByRole('button', { name: /^Video \d/ })).toHaveCount(0)
    for (const of of ['Ray Delgado', 'heavy bat', 'Hands drift', 'Keep the hands back']) await expect(second.getByText(of)).toHaveCount(0)
  })

  await test.step('the player sees the newest session first and can switch to the other', async () => {
    await waitUntilWritesAreVisible(page, second, '/api/folders')
    await page.goto('/player/dashboard')
    await expect(page.getByText('Jo Kim sent feedback on Double plays')).toBeVisible()
    await page.goto(`/player/folder/${folder}`)
    await expect(page.getByRole('heading', { name: 'Jo Kim sums it up' })).toBeVisible()
    await expect(page.getByRole('button', { name: /Turn the back foot sooner/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /Hands drift/ })).toHaveCount(0)
    const sessions = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link')
    await expect(sessions).toHaveText([/Session 2.*Jo Kim.*Hitting 60 · Fielding 45/, /Session 1.*Ray Delgado.*Hitting 55/])
    await expect(sessions.nth(0)).toHaveAttribute('aria-current', 'page')
    await shoot('player-sessions-newest')
    await accessible()
    await sessions.nth(1).click()
    await expect(page).toHaveURL(`/player/folder/${folder}?session=${rays}`)
    await expect(page.getByText('Only off the tee.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Ray Delgado sums it up' })).toBeVisible()
    await expect(page.getByRole('heading', { name: /^Paid \$/ })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Jo Kim delivered the feedback' })).toBeVisible()
    await shoot('player-sessions-before')
    await accessible()
    await page.getByRole('link', { name: 'Jo Kim delivered the feedback' }).click()
    await expect(page.getByRole('heading', { name: 'Jo Kim sums it up' })).toBeVisible()
  })

  await test.step('earnings, receipts and the list of delivered sessions link to their session', async () => {
    await first.goto('/instructor/payments')
    await first.getByRole('link', { name: 'Double plays' }).click()
    await expect(first.getByText('Keep the hands back until the foot is down.')).toBeVisible()
    await first.goto('/instructor/dashboard')
    await first.getByRole('link', { name: /Open: Double plays/ }).click()
    await expect(first.getByText('Only off the tee.')).toBeVisible()
    await page.goto('/player/payment')
    await page.getByRole('region', { name: 'Paid' }).getByRole('link', { name: 'Double plays', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Ray Delgado sums it up' })).toBeVisible()
  })
})

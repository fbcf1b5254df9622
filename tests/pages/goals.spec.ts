import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { addVideo, callApi, createAssignedFolder, signUpAsInstructor, signUpAsPlayer, waitUntilWritesAreVisible } from './api-setup.ts'
import { clickDeliverAndConfirm } from './click-deliver-and-confirm.ts'
import { fetchSessionOf, waitForSavedDraft } from './studio-setup.ts'

const swing = await readFile(sampleVideos.mp4)

const goal = (text: string, more: object = {}) => ({ id: randomUUID(), text, state: 'given', ...more })
/** The top of an element, in px from the top of the viewport; waits while a skeleton is in its place. */
async function top(what: Locator) {
  let y: number | undefined
  await expect
    .poll(async () => {
      y = (await what.boundingBox())?.y
      return y
    })
    .toBeDefined()
  return y!
}

/** Expects that the lowest controls of the stage are on one line that fits a phone's width. Returns their number. */
async function onOneLine(page: Page) {
  const boxes = await page
    .getByRole('region', { name: /^Video / })
    .locator('button, select')
    .filter({ visible: true })
    .evaluateAll(all =>
      all.map(it => {
        const { top, bottom, right } = it.getBoundingClientRect()
        return { middle: (top + bottom) / 2, right }
      }),
    )
  const bar = boxes.filter(b => b.middle > Math.max(...boxes.map(x => x.middle)) - 22)
  expect(bar.length).toBeGreaterThan(4)
  expect(new Set(bar.map(b => Math.round(b.middle))).size).toBe(1)
  expect(Math.max(...bar.map(b => b.right))).toBeLessThanOrEqual(390)
  return bar.length
}

test('goals carry over from one session to the next', { tag: '@sweep' }, async ({ page, person, shoot, accessible }) => {
  const coach = await person()
  const ray = await signUpAsInstructor(coach)
  await signUpAsPlayer(page)
  const { folder, video } = await createAssignedFolder(page, ray, 'Tee work', swing)
  const [foot, knee] = [goal('Front foot down before the hands go'), goal('Bend the back knee')]
  const given = { summary: 'Open too early.', grades: [{ skill: 'hitting', grade: 45 }], goals: [foot, knee] }
  const note = { id: randomUUID(), video, at: 400, kind: 'praise', text: 'Balanced. Stay there.' }
  const checkpoints = [
    { video, skill: 'hitting', name: 'load', frame: 12, by: 'hand' },
    { video, skill: 'hitting', name: 'contact', frame: 36, by: 'hand' },
  ]
  await callApi(coach, 'POST', `/api/folders/${folder}/feedback`, { ...given, notes: [note], checkpoints })
  const bill = async () => (await (await page.request.get('/api/billing')).json()).payments[0]
  await expect.poll(bill).toBeDefined()
  const first = await fetchSessionOf(page, folder)
  await callApi(page, 'POST', `/api/payments/${first.id}/pay`, { tip: 0, total: (await bill()).total })
  await expect.poll(async () => (await fetchSessionOf(page, folder)).status).toBe('paid')
  await addVideo(page, folder, swing, { name: 'second.mp4' })
  await callApi(page, 'POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: ray.id, message: 'Better?' })
  await expect.poll(async () => (await fetchSessionOf(coach, folder))?.status).toBe('assigned')
  await callApi(coach, 'POST', `/api/folders/${folder}/review`)

  await test.step('the studio starts with the open goals, which can be edited by keyboard', async () => {
    await coach.goto(`/instructor/folder/${folder}`)
    await waitForSavedDraft(coach)
    await coach.getByRole('tab', { name: 'Summary' }).click()
    const goals = coach.getByRole('region', { name: 'Goals' }).getByRole('listitem')
    await expect(goals).toHaveCount(2)
    await expect(goals.getByText('From last time')).toHaveCount(2)
    await expect(coach.getByLabel('Goal 1', { exact: true })).toHaveValue(foot.text)
    await goals.nth(0).getByRole('radio', { name: 'To do' }).focus()
    await coach.keyboard.press('ArrowRight')
    await expect(goals.nth(0).getByRole('radio', { name: 'Tried' })).toBeChecked()
    await goals.nth(1).getByRole('radio', { name: 'Fixed' }).check()
    await coach.getByRole('button', { name: 'Add a goal' }).press('Enter')
    await expect(coach.getByLabel('Goal 3', { exact: true })).toBeFocused()
    await coach.keyboard.type('Ten swings off the low tee')
    await coach.keyboard.press('Enter')
    await expect(coach.getByLabel('Goal 4', { exact: true })).toBeFocused()
    await coach.keyboard.press('Backspace')
    await expect(coach.getByLabel('Goal 3', { exact: true })).toBeFocused()
    await expect(goals).toHaveCount(3)
    await coach.keyboard.press('Alt+ArrowUp')
    await expect(coach.getByLabel('Goal 2', { exact: true })).toHaveValue('Ten swings off the low tee')
    await expect(coach.getByLabel('Goal 2', { exact: true })).toBeFocused()
    await waitForSavedDraft(coach)
    await shoot('instructor-goals', coach)
    await accessible(coach)
    await coach.reload()
    await coach.getByRole('tab', { name: 'Summary' }).click()
    await expect(coach.getByLabel('Goal 2', { exact: true })).toHaveValue('Ten swings off the low tee')
    await expect(goals.nth(0).getByRole('radio', { name: 'Tried' })).toBeChecked()
  })

  await test.step('a key opens the previous session next to the stage', async () => {
    await coach.locator('body').press('b')
    const list = coach.getByRole('list', { name: 'Sessions with Mia' })
    await expect(list.getByRole('button')).toHaveText([/Tee work.*Hitting 45/])
    await list.getByRole('button').press('Enter')
    await expect(coach.getByText('Open too early.')).toBeVisible()
    await list.getByRole('button').press('Enter')
    await expect(coach.getByText('Open too early.')).toBeHidden()
    // The panel shows the player's progress; pressing a dot opens its review in place.
    const so = coach.getByRole('region', { name: 'Goals so far' })
    await expect(so.getByRole('listitem').first()).toContainText(/Given \w{3} \d+$/)
    await coach.getByRole('button', { name: /^Hitting 45, / }).click()
    await expect(coach.getByText('Open too early.')).toBeVisible()
    await expect(list.getByRole('button')).toBeFocused()
    await expect(coach.getByText('Balanced. Stay there.')).toBeVisible()
    await expect(coach.getByRole('slider', { name: 'Position' })).toBeVisible()
    await shoot('instructor-before', coach)
    await accessible(coach)
    await coach.locator('body').press('b')
    await expect(coach.getByRole('tab', { name: /Notes/ })).toHaveAttribute('aria-selected', 'true')
  })

  await test.step('on a phone the buttons below the picture fit on one line', async () => {
    await coach.setViewportSize({ width: 390, height: 844 })
    expect(await onOneLine(coach)).toBeGreaterThanOrEqual(6)
    await coach.setViewportSize({ width: 1280, height: 720 })
  })

  await test.step('the review is delivered', async () => {
    await coach.getByRole('tab', { name: 'Summary' }).click()
    await coach.getByRole('textbox', { name: 'Summary' }).fill('The front side stays closed now.')
    await coach.getByRole('radio', { name: 'Hitting 55, Above average' }).check()
    await clickDeliverAndConfirm(coach)
    await expect(coach).toHaveURL(/\/instructor\/dashboard/)
  })

  await test.step('the player reads the summary and the one exercise above the stage', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await waitUntilWritesAreVisible(page, coach, `/api/folders/${folder}`)
    await page.goto(`/player/folder/${folder}`)
    await expect(page.getByText('The front side stays closed now.')).toBeVisible()
    const thing = page.getByRole('region', { name: 'The one thing to do next' })
    await expect(thing).toContainText(foot.text)
    await expect(thing).toContainText('You have tried it.')
    const stage = page.getByRole('region', { name: 'Feedback', exact: true })
    expect(await top(thing)).toBeGreaterThan(await top(page.getByRole('region', { name: /sums it up/ })))
    expect(await top(stage)).toBeGreaterThan(await top(thing))
    const goals = page.getByRole('region', { name: 'Goals for next time' }).getByRole('listitem')
    await expect(goals).toHaveText([/Front foot.*Tried/, /Ten swings.*To do/, /back knee.*Fixed/])
    expect(await onOneLine(page)).toBeGreaterThanOrEqual(5)
    await shoot('player-goals')
    await accessible()
  })

  await test.step("the player's question refers to a moment that the instructor can open", async () => {
    await page.getByRole('slider', { name: 'Position' }).fill('30')
    await page.getByRole('button', { name: 'Ask about this moment' }).click()
    await expect(page.getByLabel('Your question')).toBeFocused()
    await expect(page.getByRole('button', { name: /^Show 0:0\d\.\d\d$/ })).toBeVisible()
    await page.getByRole('button', { name: 'Remove this moment' }).click()
    await expect(page.getByRole('button', { name: /^Show / })).toHaveCount(0)
    await page.getByRole('button', { name: 'Ask about this moment' }).click()
    await page.getByLabel('Your question').fill('Is this early enough?')
    await page.reload()
    await expect(page.getByLabel('Your question')).toHaveValue('Is this early enough?')
    await expect(page.getByRole('button', { name: /^Show 0:01\.00$/ })).toBeVisible()
    await shoot('player-question-moment')
    await accessible()
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await expect(page.getByText('Ray has not answered yet')).toBeVisible()
    const { about } = await fetchSessionOf(page, folder)
    await page.getByRole('slider', { name: 'Position' }).fill('3')
    await page.getByRole('button', { name: /^Show / }).click()
    await expect(page.getByRole('slider', { name: 'Position' })).toHaveValue('30')
    await waitUntilWritesAreVisible(coach, page, `/api/folders/${folder}`)
    await coach.goto(`/instructor/folder/${folder}`)
    await expect(coach.getByText('Is this early enough?')).toBeVisible()
    await coach.getByRole('button', { name: /^Show / }).click()
    await expect(coach.getByRole('slider', { name: 'Position' })).toHaveValue('30')
    expect(about).toMatchObject({ at: 1000 })
    await accessible(coach)
  })

  await test.step('the progress page shows goals, a dot per grade, and the first and newest swing', async () => {
    await page.goto('/player/dashboard')
    await page.getByRole('link', { name: 'Progress' }).click()
    const goals = page.getByRole('region', { name: 'Goals' })
    const way = goals.getByRole('listitem').filter({ hasText: foot.text }).getByRole('list', { name: 'Progress' })
    await expect(way.getByRole('link')).toHaveText([/Given/, /Tried/])
    await expect(goals.getByText(knee.text)).toBeHidden()
    await goals.getByText('Fixed (1)').click()
    await expect(goals.getByText(knee.text)).toBeVisible()
    const grades = page.getByRole('region', { name: 'Grades' })
    await expect(grades).toContainText('+10 since')
    await expect(grades.getByRole('link', { name: /, by / })).toHaveCount(2)
    const swings = page.getByRole('region', { name: 'First and newest' })
    await expect(swings.getByRole('link')).toHaveCount(2)
    await shoot('player-progress')
    await accessible()
    await swings.getByRole('button', { name: 'Compare' }).click()
    await expect(swings.getByRole('slider', { name: 'Position of both clips' })).toBeVisible()
    await swings.getByRole('button', { name: 'Both: next frame' }).click()
    await expect(swings.locator('[data-state=ready]')).toBeAttached()
    await shoot('player-progress-compared')
    await accessible()
    await grades.getByRole('link', { name: /^45, Nearly average.*Ray Delgado$/ }).click()
    await expect(page).toHaveURL(`/player/folder/${folder}?session=${first.id}`)
    await expect(page.getByText('Open too early.')).toBeVisible()
    await page.getByRole('link', { name: 'See them over time' }).click()
    await expect(page.getByRole('heading', { name: 'Progress', level: 1 })).toBeVisible()
  })
})

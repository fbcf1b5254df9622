import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { disablePreloadedData, expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import {
  addVideo,
  callApi,
  createFolderWithVideo,
  saveCardByApi,
  signUpAsInstructor,
  signUpAsPlayer,
  type TestAccount,
} from './api-setup.ts'
import { fetchSessionOf, noteField, waitForSavedDraft, waitForStage } from './studio-setup.ts'
import { tabTo } from './tab-to.ts'

const video = await readFile(sampleVideos.mp4)

const assign = (player: Page, folder: string, coach: TestAccount) =>
  callApi(player, 'POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: coach.id, message: 'My hands, please.' })

test('an instructor works through the queue by keyboard alone', { tag: '@sweep' }, async ({ page, person, accessible }) => {
  const player = await person()
  const coach = await signUpAsInstructor(page)
  await signUpAsPlayer(player)
  const { folder } = await createFolderWithVideo(player, 'Tee work', video)
  await addVideo(player, folder, video, { name: 'second.mp4' })
  await saveCardByApi(player)
  await assign(player, folder, coach)
  const { folder: other } = await createFolderWithVideo(player, 'Bullpen', video)
  await assign(player, other, coach)
  const inQueue = async () => (await (await page.request.get('/api/queue')).json()).folders.length
  await expect.poll(inQueue).toBe(2)

  await page.goto('/instructor/dashboard')
  await tabTo(page, 'link', 'Review: Tee work from Mia Torres')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/instructor/folder/${folder}?**`)
  await waitForSavedDraft(page)
  await waitForStage(page)
  const { keyboard } = page

  // The instructor adds a note, changes its kind, saves it as a phrase, draws on its frame, and goes on writing.
  await keyboard.press('l')
  await keyboard.press('m')
  await expect(noteField(page, 1)).toBeFocused()
  await keyboard.type('Hands first, and/or hips')
  await keyboard.press('Alt+k')
  await expect(page.getByLabel('Kind of note 1')).toHaveValue('tip')
  await keyboard.press('Alt+p')
  await expect(page.getByText('Saved as a phrase').first()).toBeVisible()
  await keyboard.press('Alt+d')
  await expect(page.getByRole('application')).toBeFocused()
  await keyboard.press('Enter')
  for (let i = 0; i < 6; i++) await keyboard.press('ArrowRight')
  await keyboard.press('Enter')
  await keyboard.press('Escape')
  await expect(page.getByRole('application')).toBeHidden()
  // Escape stops drawing wherever the focus is, except in a text field.
  await keyboard.press('d')
  await tabTo(page, 'button', 'Undo')
  await keyboard.press('Escape')
  await expect(page.getByRole('application')).toBeHidden()
  await keyboard.press('Enter')
  await expect(noteField(page, 1)).toBeFocused()
  await keyboard.press('End')
  await keyboard.type('.')
  await keyboard.press('Escape')

  // In the next note, “/”, a part of the phrase and Enter insert the phrase.
  await keyboard.press('.')
  await keyboard.press('m')
  await expect(noteField(page, 2)).toBeFocused()
  await keyboard.type('/')
  await expect(page.getByRole('combobox', { name: 'Find a phrase' })).toBeFocused()
  await keyboard.type('hips ha')
  await accessible()
  await keyboard.press('Enter')
  await keyboard.type(' Yes')
  await expect(noteField(page, 2)).toHaveValue('Hands first, and/or hips Yes')
  await expect(page.getByLabel('Kind of note 2')).toHaveValue('tip')
  await keyboard.type(' /')
  await keyboard.press('/')
  await expect(noteField(page, 2)).toHaveValue('Hands first, and/or hips Yes /')
  await keyboard.press('Backspace')
  await keyboard.press('Escape')

  await keyboard.press(']')
  await expect(page.getByRole('button', { name: /^Video 2/ })).toHaveAttribute('aria-pressed', 'true')
  await keyboard.press('s')
  await expect(page.getByRole('textbox', { name: 'Summary' })).toBeFocused()
  await keyboard.type('Lead with the hands.')
  await tabTo(page, 'button', 'Add a goal')
  await keyboard.press('Enter')
  await keyboard.type('Ten swings off the tee')
  await keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog', { name: 'Deliver to Mia?' })).toBeVisible()
  await accessible()
  await tabTo(page, 'button', 'Deliver and next')
  await keyboard.press('Enter')

  // The next folder shows nothing from the first one.
  await page.waitForURL(`**/instructor/folder/${other}?**`)
  await expect(page.getByText('Next: Bullpen from Mia Torres.').first()).toBeVisible()
  await waitForSavedDraft(page)
  await expect(page.getByText('Stop at the frame you want')).toBeVisible()
  await keyboard.press('s')
  await expect(page.getByRole('textbox', { name: 'Summary' })).toBeFocused()
  await keyboard.type('Quiet front side.')
  await waitForSavedDraft(page)
  await keyboard.press('Control+Enter')
  const lacking = page.getByRole('dialog', { name: 'Deliver to Mia?' })
  await expect(lacking.getByText('There is no drawing or voice-over.')).toBeVisible()
  // The goal just set for Mia is still open, so the dialog does not ask for another.
  await expect(lacking.getByText('There is no goal')).toBeHidden()
  await expect(lacking.getByText('You have not opened')).toBeHidden()
  await accessible()
  // Each “Go there” button moves the focus to what is missing.
  await tabTo(page, 'button', 'Go there')
  await keyboard.press('Enter')
  await expect(page.getByRole('application')).toBeFocused()
  await keyboard.press('Escape')
  await keyboard.press('Control+Enter')
  await lacking.getByRole('button', { name: 'Go there' }).nth(1).press('Enter')
  await expect(page.getByRole('radio', { name: /^Hitting 20/ })).toBeFocused()
  await keyboard.press('Control+Enter')
  await tabTo(page, 'button', 'Deliver feedback')
  await keyboard.press('Enter')
  await page.waitForURL('**/instructor/dashboard')
  await expect(page.getByText('Mia is getting your feedback now.').first()).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('places'))).toBe('{}')
  const given = async () => (await fetchSessionOf(player, folder))?.review
  await expect.poll(given).toMatchObject({
    notes: [{ text: 'Hands first, and/or hips.', kind: 'tip', shapes: [{ tool: 'pen' }] }, { text: 'Hands first, and/or hips Yes' }],
    goals: [{ text: 'Ten swings off the tee' }],
  })
})

test('the queue can be searched, sorted and navigated by keys; questions come first', { tag: '@sweep' }, async ({
  page,
  person,
  problems,
  accessible,
  shoot,
}) => {
  problems.expect(/503/)
  const player = await person()
  const coach = await signUpAsInstructor(page)
  await signUpAsPlayer(player)
  const { folder } = await createFolderWithVideo(player, 'Tee work', video)
  await saveCardByApi(player)
  await assign(player, folder, coach)
  await expect.poll(async () => (await (await page.request.get('/api/queue')).json()).folders.length).toBe(1)
  // The queue in the middle of an evening: 7 reviews delivered three minutes apart, one with a question, and 18 sessions waiting, two of
  // them on a second page.
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  await disablePreloadedData(page)
  const [line] = (await (await page.request.get('/api/queue')).json()).folders
  const of = (i: number, more: object) => ({ ...line, assignment: randomUUID(), name: `Session ${i}`, ...more })
  const named = (name: string) => ({ ...line.player, name })
  await page.route('**/api/queue', async route => {
    const folders = [
      ...Array.from({ length: 7 }, (_, i) => of(i, { status: 'feedback-given', given: minutesAgo(30 - 3 * i) })),
      ...Array.from({ length: 16 }, (_, i) => of(i + 7, { player: named(`${'PLAYERS'[i % 7]}at Ames`), assigned: minutesAgo(400 - i) })),
    ]
    Object.assign(folders[6]!, { clarification: 'asked', question: 'With the heavy bat, too?' })
    await route.fulfill({ json: { folders, waiting: { total: 18, next: 'eyJ' }, delivered: { total: 6, next: null } } })
  })
  let isAway = false
  await page.route('**/api/queue/waiting*', route =>
    isAway
      ? route.fulfill({ status: 503, json: { message: 'Our database is not available right now.' } })
      : route.fulfill({ json: { folders: [23, 24].map(i => of(i, { player: named('Zoe Ames') })), total: 18, next: null } }),
  )
  await page.goto('/instructor/dashboard')
  await expect(page.getByText('1 player has a question, and 18 folders are waiting for you. 7 of 25 done · about 54 min.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Waiting 18' })).toBeVisible()
  await expect(page.getByText('16 of 18 shown')).toBeVisible()
  const sections = page.locator('main section h2')
  await expect(sections.first()).toHaveText('Questions 1')
  const rows = page.locator('main li > a')
  const heights = await rows.evaluateAll(all => all.map(row => row.getBoundingClientRect().height))
  expect(new Set(heights)).toEqual(new Set([44]))
  await accessible()
  await shoot('instructor-queue-evening')

  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: 'Answer: Session 6 from Mia Torres' })).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: 'Review: Session 8 from Lat Ames' })).toBeFocused()
  await page.keyboard.press('k')
  await expect(page.getByRole('link', { name: 'Review: Session 7 from Pat Ames' })).toBeFocused()
  // If a page of the queue fails to load, the screen shows the error, even if no loaded session matches the search.
  const search = page.getByRole('searchbox', { name: 'Find a player or folder' })
  isAway = true
  await search.fill('zoe')
  await expect(page.getByText('Our database is not available right now.')).toBeVisible()
  await expect(page.getByText('No session matches')).toHaveCount(0)
  isAway = false
  await page.getByRole('button', { name: 'Show more waiting sessions' }).click()
  await expect(page.getByRole('heading', { name: 'Waiting 2' })).toBeVisible()
  await search.fill('')
  await page.reload()
  // Sorting loads the remaining pages, and leaves the focus where it is.
  await page.getByRole('combobox', { name: 'Order' }).selectOption('By player')
  const waiting = page.getByRole('region', { name: /^Waiting/ }).getByRole('link')
  await expect(waiting.first()).toHaveAccessibleName(/from Aat Ames$/)
  await expect(waiting).toHaveCount(18)
  await expect(waiting.last()).toHaveAccessibleName(/from Zoe Ames$/)
  await page.getByRole('searchbox', { name: 'Find a player or folder' }).fill('lat 8')
  await expect(waiting).toHaveCount(1)
  // A letter typed in the search field is text, not a shortcut.
  await page.getByRole('searchbox').fill('jk')
  await expect(page.getByText('No session matches “jk”.')).toBeVisible()
  await page.getByRole('searchbox').fill('')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(rows.first()).toBeVisible()
  const small = await rows.evaluateAll(all => all.filter(row => row.getBoundingClientRect().height < 44).length)
  expect(small).toBe(0)
  await accessible()
  await shoot('instructor-queue-evening-phone')
})

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import {
  callApi,
  createAssignedFolder,
  createFolderWithVideo,
  createReviewedFolder,
  signUpAsInstructor,
  signUpAsPlayer,
} from './api-setup.ts'
import { chooseInstructorInDialog } from './choose-instructor-in-dialog.ts'
import { waitForSavedDraft } from './studio-setup.ts'

// A page explains a problem where the person is looking, without covering anything.
const PHONE = { width: 390, height: 844 }
const video = await readFile(sampleVideos.mp4)
const toast = (page: Page) => page.locator('li[data-state=open]')

test('missing consent is the first thing shown in the assignment dialog', { tag: '@sweep' }, async ({ page, person, accessible }) => {
  await signUpAsInstructor(await person(), 'Gus', 'Tolbert')
  await signUpAsInstructor(await person(), 'Ida', 'Lowe')
  const born = `${new Date().getFullYear() - 14}-01-15`
  await signUpAsPlayer(page, 'Zoe', 'Lane', {
    dateOfBirth: born,
    guardianName: 'Ann Lane',
    guardianEmail: `ann.${randomUUID()}@example.com`,
  })
  const { folder } = await createFolderWithVideo(page, 'First swings', video)
  await page.setViewportSize(PHONE)
  await page.goto(`/player/folder/${folder}?assign=1`)
  const sheet = page.getByRole('dialog', { name: 'Assign to an instructor' })
  await expect(sheet.getByRole('heading', { level: 2 }).nth(1)).toHaveText('Waiting for your parent or guardian')
  await accessible()

  // Pressing the button at the end of the sheet without having chosen an instructor scrolls to the choice.
  const send = sheet.getByRole('button', { name: 'Ask for approval' })
  await send.scrollIntoViewIfNeeded()
  await send.click()
  await expect(sheet.getByText('Choose who should review it')).toBeInViewport()
  await expect(sheet.getByRole('radio').first()).toBeFocused()

  await chooseInstructorInDialog(sheet, 'Gus Tolbert')
  await send.click()
  const why = sheet.getByText(/^Your parent or guardian has to agree first/)
  await expect(why).toBeInViewport()
  await expect(page.locator(':focus')).toContainText('Your parent or guardian has to agree first')

  await sheet.getByRole('button', { name: 'Send it again' }).click()
  await page.getByRole('dialog', { name: 'Send the email again' }).getByRole('button', { name: 'Send', exact: true }).click()
  await expect(toast(page)).toContainText('Email sent')
  await expect(sheet.getByRole('radio', { name: /Gus Tolbert/ })).toBeChecked()
})

test('saving a draft for a withdrawn folder says so and leads back to the queue', { tag: '@sweep' }, async ({ page, person, problems }) => {
  problems.expect(/404/)
  const player = await person()
  const coach = await signUpAsInstructor(page)
  await signUpAsPlayer(player)
  const { folder } = await createAssignedFolder(player, coach, 'Tee work', video)
  await expect.poll(async () => (await page.request.get(`/api/folders/${folder}`)).status()).toBe(200)
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await callApi(player, 'POST', `/api/folders/${folder}/withdraw`)
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('textbox', { name: 'Summary' }).fill('Stay back.')
  const dialog = page.getByRole('dialog', { name: 'This folder is no longer with you' })
  await expect(dialog.getByText('It was taken back, or returned to Mia.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Stay here' }).click()
  await expect(page.getByRole('textbox', { name: 'Summary' })).toHaveValue('Stay back.')
  await page.reload()
  await expect(page.getByText('This folder is not assigned to you')).toBeVisible()
  await page.getByRole('link', { name: 'Your queue', exact: true }).click()
  await expect(page).toHaveURL('/instructor/dashboard')
})

test('on a phone a link to the bill appears once the review has been watched', { tag: '@sweep' }, async ({ page, person, shoot }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Tee work', video)
  await page.setViewportSize(PHONE)
  await page.goto(`/player/folder/${folder}`)
  const order = ['Delgado sums it up', '2 notes', 'Grades', 'Ask Ray one question', 'Pay for this feedback', 'History']
  // Until the scripts have loaded, content may replace the placeholder during the measurement, so measure again.
  await expect(async () => {
    const places = await Promise.all(
      order.map(async name => (await page.getByRole('heading', { name: new RegExp(`${name}$`) }).boundingBox())!.y),
    )
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  }).toPass()

  const bill = page.getByRole('link', { name: 'See and pay' })
  await expect(bill).toHaveCount(0)
  await page.getByRole('button', { name: /^Watch with Ray · \d:\d\d$/ }).click()
  await page.getByRole('slider', { name: 'Position in the review' }).press('End')
  await expect(bill).toBeInViewport()
  // After a reload the player counts as having watched the review.
  await page.reload()
  await expect(bill).toBeInViewport()
  await shoot('player-feedback-bill')
  await page.setViewportSize(PHONE)
  await bill.click()
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toBeInViewport()
  await expect(bill).not.toBeVisible()

  // The chat button is reachable at every scroll position, and content below it can be scrolled clear of it.
  const chat = page.getByRole('button', { name: 'Support Chat' })
  const alwaysCovered = await page.evaluate(() => {
    const button = document.querySelector('[data-chat]')!
    const [covered, clear] = [new Set<Element>(), new Set<Element>()]
    for (let y = document.documentElement.scrollHeight; y >= 0; y -= 50) {
      scrollTo({ top: y, behavior: 'instant' })
      const at = button.getBoundingClientRect()
      for (const it of document.querySelectorAll('main :is(a, button, input, textarea, select, video), footer a')) {
        const its = it.getBoundingClientRect()
        if (!its.width || its.bottom <= 0 || its.top >= innerHeight) continue
        const apart = its.right <= at.left || its.left >= at.right || its.bottom <= at.top || its.top >= at.bottom
        ;(apart ? clear : covered).add(it)
      }
    }
    return [...covered].filter(it => !clear.has(it)).map(it => it.outerHTML.slice(0, 100))
  })
  expect(alwaysCovered).toEqual([])
  for (const y of [0, 400, 100_000]) {
    await page.evaluate(y => scrollTo({ top: y, behavior: 'instant' }), y)
    await expect(chat).toBeInViewport({ ratio: 1 })
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expect(bill).toBeInViewport()
  const [billBox, chatBox] = [(await bill.boundingBox())!, (await chat.boundingBox())!]
  expect(chatBox.y + chatBox.height).toBeLessThanOrEqual(billBox.y)

  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(toast(page)).toContainText('Paid')
  const box = (await toast(page).boundingBox())!
  expect(box.y).toBeGreaterThan(PHONE.height / 2)
  // The message was about the folder's page, so it is not shown on the next one.
  await page.getByRole('link', { name: 'Your folders' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your folders' })).toBeVisible()
  await expect(toast(page)).toHaveCount(0)
})

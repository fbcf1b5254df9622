import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { birthDateForAge } from '../api/test-server.ts'
import type { AppProcess } from '../support/app-process.ts'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { callApi, createFolderWithVideo, signInAsAdmin, signUpAsInstructor, signUpAsPlayer, waitForFolderStatus } from './api-setup.ts'
import { chooseInstructorInDialog } from './choose-instructor-in-dialog.ts'
import { giveConsentByApi } from './guardian-consent.ts'

/** Waits for the letter to this address with a matching subject. Returns its text, and the path that its button leads to. */
async function letterTo(app: AppProcess, email: string, subject: RegExp) {
  const found = async () => (await app.letters(email)).find(l => subject.test(l.subject))
  await expect.poll(async () => (await found())?.subject, { timeout: 30_000 }).toMatch(subject)
  const text = (await found())!.text!
  const href = text.match(/https?:\/\/\S+\/family\/\S+/)![0]
  return { text, href: new URL(href).pathname + new URL(href).search }
}

/** Registers a minor, who is signed in on `page` and has a folder with one video. Their guardian has given consent and is signed out. */
async function minorOf(page: Page, parent: Page, app: AppProcess) {
  const guardianEmail = `maria.${randomUUID().slice(0, 8)}@example.com`
  await signUpAsPlayer(page, 'Leo', 'Santos', { dateOfBirth: birthDateForAge(15), guardianName: 'Maria Santos', guardianEmail })
  await giveConsentByApi(parent, app, guardianEmail)
  await parent.context().clearCookies()
  return { guardianEmail, ...(await createFolderWithVideo(page, 'Tee work', await readFile(sampleVideos.mp4))) }
}

/**
 * Makes the page's first response with the new session look as if the read model of approval requests were ahead of that of sessions: the
 * request is gone, but the folder is still open.
 */
async function showRequestAsAnsweredBeforeSession(page: Page, folder: string) {
  const path = `/api/folders/${folder}`
  const open = await (await page.request.get(path)).json()
  let isFirst = true
  await page.route(`**${path}`, async route => {
    const response = await route.fetch()
    const isEarly = isFirst && (await response.json()).status !== 'open'
    if (isEarly) isFirst = false
    await route.fulfill(isEarly ? { response, json: { ...open, approval: null } } : { response })
  })
}

test('a guardian approves a session from a letter, pays with a tip and sets a limit', { tag: '@sweep' }, async ({
  page,
  app,
  person,
  accessible,
  shoot,
}) => {
  const [coach, parent, admin] = [await person(), await person(), await person()]
  const ray = await signUpAsInstructor(coach, 'Ray', 'Ostrander')
  await signInAsAdmin(admin, app)
  const check = { checked: '2026-05-02', reference: 'Report 20931', expires: null }
  for (const kind of ['identity', 'background', 'reference'])
    await callApi(admin, 'POST', `/api/admin/instructors/${ray.id}/checks`, { ...check, check: kind })
  await callApi(admin, 'POST', `/api/admin/instructors/${ray.id}/checks/reference/withdraw`, { reason: 'The wrong person.' })
  const checks = 'Checked by DiamondLink: identity · background, May 2026'
  const { guardianEmail, folder, video } = await minorOf(page, parent, app)

  // Leo requests the session, and sees that the answer is pending.
  await page.goto(`/player/folder/${folder}?assign=1`)
  const sheet = page.getByRole('dialog')
  await chooseInstructorInDialog(sheet, 'Ray Ostrander')
  await sheet.getByLabel('Anything they should know?').fill('Is my back elbow too high?')
  await expect(sheet.getByText(/Your parent or guardian pays after the feedback/)).toBeVisible()
  await expect(sheet.getByRole('button', { name: /card/ })).toHaveCount(0)
  await accessible()
  await shoot('assign-as-minor')
  await sheet.getByRole('button', { name: 'Ask for approval' }).click()
  await expect(page.getByText(/You asked your parent or guardian .*\$15\.50, never more than \$25\.00, to Ray Ostrander/)).toBeVisible()
  await shoot('folder-awaiting-approval')

  // The letter has the price, and its button signs the guardian in and opens the request.
  const asked = await letterTo(app, guardianEmail, /Leo wants a session with Ray Ostrander: \$15\.50/)
  expect(asked.text).toMatch(/never more than \$25\.00/)
  await parent.goto(asked.href)
  await parent.getByRole('button', { name: 'Open' }).click()
  const request = parent.getByRole('region', { name: 'Waiting for your approval' })
  await expect(request.getByRole('heading', { name: 'Leo would like a session with Ray Ostrander' })).toBeVisible()
  await expect(request.getByText('Is my back elbow too high?')).toBeVisible()
  await expect(request.getByText(checks, { exact: true })).toBeVisible()
  await expect(request.getByText(/never more than \$25\.00/)).toBeVisible()
  await accessible(parent)
  await shoot('family-approval', parent)
  await request.getByRole('button', { name: 'Add a card to approve' }).click()
  await expect(parent.getByRole('heading', { name: 'Save a card' })).toBeVisible()
  await parent.getByRole('button', { name: '4242 4242 4242 4242' }).click()
  await parent.getByLabel('Name on card').fill('M. Santos')
  await parent.getByRole('button', { name: 'Save card' }).click()
  await expect(request.getByText(/Your card: Visa ending in 4242/)).toBeVisible()
  await showRequestAsAnsweredBeforeSession(page, folder)
  await request.getByRole('button', { name: 'Approve $15.50' }).click()
  await expect(parent.getByRole('heading', { name: 'Nothing needs your attention' })).toBeVisible()
  // Leo's open page shows the answer without a reload.
  await expect(page.getByText(/Ray Ostrander got it/)).toBeVisible()

  await callApi(coach, 'POST', `/api/folders/${folder}/feedback`, {
    notes: [{ id: randomUUID(), video, at: 400, kind: 'praise', text: 'Balanced.' }],
    summary: 'Good load.',
    grades: [{ skill: 'hitting', grade: 55 }],
  })
  await waitForFolderStatus(page, folder, 'feedback-given')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Your parent or guardian pays' })).toContainText('$15.50')
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)

  // The guardian gets the feedback with its bill, and pays it with a tip.
  const bill = await letterTo(app, guardianEmail, /Ray Ostrander gave Leo feedback: \$15\.50/)
  expect(bill.text).toContain('Good load.')
  await parent.goto(bill.href)
  await expect(parent.getByText(checks, { exact: true })).toBeVisible()
  await parent.getByRole('link', { name: 'Pay the bill' }).click()
  await expect(parent.getByRole('region', { name: 'Payment due' }).getByText(checks, { exact: true })).toBeVisible()
  const due = parent.getByRole('region', { name: 'Pay for this feedback' })
  await accessible(parent)
  await shoot('family-bill', parent)
  await due.getByRole('radio', { name: /20/ }).check()
  await due.getByRole('button', { name: /^Pay/ }).click()
  await expect(parent.getByRole('button', { name: 'Print' })).toBeVisible()
  await expect(parent.getByText('Visa ending in 4242')).toBeVisible()
  const receipt = await letterTo(app, guardianEmail, /Receipt .* for Leo/)
  expect(receipt.text).toContain('Visa ending in 4242')

  // The guardian reads what the instructor wrote, on the same stage as Leo.
  await parent.goto('/family')
  await parent.getByRole('link', { name: 'Leo' }).click()
  await expect(parent.getByText('Ray Ostrander: only the videos of their own sessions')).toBeVisible()
  await expect(parent.getByRole('region', { name: 'Hitting' }).getByText('55').first()).toBeVisible()
  await accessible(parent)
  await shoot('family-child-folders', parent)
  await parent.getByRole('link', { name: /Tee work/ }).click()
  await expect(parent.getByText('Good load.')).toBeVisible()
  await expect(parent.getByText('Balanced.').first()).toBeVisible()
  await expect(parent.getByText('Is my back elbow too high?')).toBeVisible()
  await accessible(parent)
  await shoot('family-folder', parent)
  await parent.getByRole('button', { name: 'Private links' }).click()
  const share = parent.getByRole('dialog', { name: 'Share this review' })
  await share.getByRole('button', { name: 'Create link' }).click()
  await expect(share.getByText(/\/shared\/[\w-]{43}$/)).toBeVisible()
  await expect(share.getByRole('listitem')).toContainText('Private link')
  await accessible(parent)
  await share.getByRole('button', { name: 'Close' }).click()

  await parent.getByRole('link', { name: 'Bills and receipts' }).click()
  await parent.getByRole('radio', { name: /Up to \$50\.00 a month/ }).click()
  await expect(parent.getByText('Saved', { exact: true })).toBeVisible()
  await accessible(parent)
  await shoot('family-money', parent)

  // The next session is within the limit, so it goes straight to the instructor.
  const next = await createFolderWithVideo(page, 'Front toss', await readFile(sampleVideos.mp4))
  await page.goto(`/player/folder/${next.folder}?assign=1`)
  await chooseInstructorInDialog(sheet, 'Ray Ostrander')
  await sheet.getByRole('button', { name: 'Ask for approval' }).click()
  await expect(page.getByText(/Ray Ostrander got it/)).toBeVisible()
  await letterTo(app, guardianEmail, /Leo sent Ray Ostrander a folder: \$15\.50/)

  // While Ray is suspended, the player and the guardian read that he cannot answer the question.
  await callApi(page, 'POST', `/api/folders/${folder}/question`, { question: 'With the heavy bat, too?' })
  const waiting = 'Ray has not answered yet. The answer will appear here.'
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByText(waiting)).toBeVisible()
  await callApi(admin, 'POST', `/api/admin/instructors/${ray.id}/suspend`, { reason: 'A parent wrote to us.' })
  const unavailable = /Ray is not available on DiamondLink right now and cannot answer\. If Ray comes back, the answer will appear here/
  await expect
    .poll(async () => (await (await page.request.get(`/api/folders/${folder}`)).json()).session.instructorStatus)
    .toBe('unavailable')
  for (const [reader, path] of [
    [page, `/player/folder/${folder}`],
    [parent, `/family/folder/${folder}`],
  ] as const) {
    await reader.goto(path)
    await expect(reader.getByText(unavailable)).toBeVisible()
    await expect(reader.getByText(waiting)).toHaveCount(0)
    await accessible(reader)
  }
})

test('a guardian declines a session with a reason that the player reads', { tag: '@sweep' }, async ({
  page,
  app,
  person,
  accessible,
  shoot,
}) => {
  const [coach, parent] = [await person(), await person()]
  const ray = await signUpAsInstructor(coach, 'Ray', 'Ostrander')
  const { guardianEmail, folder } = await minorOf(page, parent, app)
  await callApi(page, 'POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: ray.id })
  await page.goto(`/player/folder/${folder}`)
  const letter = await letterTo(app, guardianEmail, /wants a session/)
  await parent.goto(letter.href)
  await parent.getByRole('button', { name: 'Open' }).click()
  await parent.getByRole('button', { name: 'Decline' }).click()
  await parent.getByLabel('What would you like to tell Leo?').fill('Let us wait for the season.')
  await parent.getByRole('button', { name: 'Decline' }).click()
  // The letter's page says that the request has ended, also when it is opened again.
  const ended = parent.getByText('It was declined, so the videos were not sent.')
  await expect(ended).toBeVisible()
  await parent.goto(letter.href)
  await expect(ended).toBeVisible()
  await expect(parent.getByText("We can't find what this email is about")).toHaveCount(0)
  await accessible(parent)
  await shoot('family-ended-request', parent)
  await expect(page.getByText('Let us wait for the season.', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Assign to an instructor' })).toBeVisible()
  await shoot('folder-declined-by-guardian')
})

test("a letter can be opened on a device where another child's guardian is signed in", { tag: '@sweep' }, async ({ page, app, person }) => {
  const [coach, parent, zoe] = [await person(), await person(), await person()]
  const ray = await signUpAsInstructor(coach, 'Ray', 'Ostrander')
  const { guardianEmail, folder } = await minorOf(page, parent, app)
  await callApi(page, 'POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: ray.id })
  const otherEmail = `mo.${randomUUID().slice(0, 8)}@example.com`
  await signUpAsPlayer(zoe, 'Zoe', 'Lane', { dateOfBirth: birthDateForAge(15), guardianName: 'Mo Lane', guardianEmail: otherEmail })
  await giveConsentByApi(parent, app, otherEmail)
  await parent.goto((await letterTo(app, guardianEmail, /wants a session/)).href)
  await expect(parent.getByText(`You are logged in as ${otherEmail}.`)).toBeVisible()
  await parent.getByRole('button', { name: 'open it with their link' }).click()
  await parent.getByRole('button', { name: 'Open' }).click()
  await expect(parent.getByRole('region', { name: 'Waiting for your approval' })).toBeVisible()
})

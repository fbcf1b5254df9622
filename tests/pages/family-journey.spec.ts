import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { birthDateForAge } from '../api/test-server.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { expect, TEST_PASSWORD, test } from '../support/signed-in-fixtures.ts'
import { callApi, createFolderWithVideo, signUpAsInstructor, waitForFolderStatus } from './api-setup.ts'
import { chooseInstructorInDialog } from './choose-instructor-in-dialog.ts'

const PICTURES = 'test-results/family-journey'
const WIDTHS = [390, 1440]

/** A time zone in which it is between 8 am and 8 pm now. */
function zoneWhereItIsDay(): string {
  const hourIn = (timeZone: string) => Number(new Date().toLocaleString('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }))
  return ['America/New_York', 'Europe/Paris', 'Asia/Tokyo'].find(zone => hourIn(zone) >= 8 && hourIn(zone) < 20)!
}

test('a family gives consent, sets a limit, approves, pays and withdraws consent', { tag: '@sweep' }, async ({
  page: leo,
  app,
  person,
  accessible,
}) => {
  test.setTimeout(400_000)
  mkdirSync(PICTURES, { recursive: true })
  const [ray, maria, paper] = [await person(), await person(), await person()]
  const stamp = randomUUID().slice(0, 8)
  const [leosEmail, mariasEmail] = [`leo.${stamp}@example.com`, `maria.${stamp}@example.com`]
  let count = 0

  async function shoot(page: Page, name: string) {
    const before = page.viewportSize()!
    const number = String(++count).padStart(2, '0')
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      await page.screenshot({ path: `${PICTURES}/${number}-${name}-${width}.png`, fullPage: true, animations: 'disabled' })
    }
    await page.setViewportSize(before)
  }
  /** Takes screenshots of a page at each width, and expects no axe violation. */
  async function look(page: Page, name: string) {
    await accessible(page)
    await shoot(page, name)
  }
  /** Waits for the letter with a matching subject, and takes screenshots of it. Returns its text, and the path its button leads to. */
  async function open(email: string, subject: RegExp, name: string) {
    const found = async () => (await app.letters(email)).find(l => subject.test(l.subject))
    await expect.poll(async () => (await found())?.subject, { timeout: 30_000 }).toMatch(subject)
    const { html, text } = (await found())!
    await paper.setContent(html!)
    await shoot(paper, `letter-${name}`)
    const { pathname, search } = new URL(/https?:\/\/\S+\/(?:family|guardian|player)[/?]\S+/.exec(text!)![0])
    return { text: text!, path: pathname + search }
  }
  /** Opens a letter's link as Maria, and confirms the sign-in if the page asks for it. */
  async function follow(path: string) {
    await maria.goto(path)
    const button = maria.getByRole('button', { name: 'Open', exact: true })
    await expect(button.or(maria.getByRole('heading', { level: 1 })).first()).toBeVisible()
    if (await button.isVisible()) await button.click()
  }
  async function review(folder: string, video: string) {
    await callApi(ray, 'POST', `/api/folders/${folder}/feedback`, {
      notes: [{ id: randomUUID(), video, at: 400, kind: 'technique', text: 'Let the ball travel.' }],
      summary: 'Good load, late hands.',
      grades: [{ skill: 'hitting', grade: 55 }],
    })
    await waitForFolderStatus(leo, folder, 'feedback-given')
  }
  async function assign(folder: string, message: string) {
    await leo.goto(`/player/folder/${folder}?assign=1`)
    const sheet = leo.getByRole('dialog')
    await chooseInstructorInDialog(sheet, 'Ray Castellano')
    await sheet.getByLabel('Anything they should know?').fill(message)
    await look(leo, 'leo-assigns')
    await sheet.getByRole('button', { name: 'Ask for approval' }).click()
  }
  const film = await readFile(sampleVideos.mp4)
  await signUpAsInstructor(ray, 'Ray', 'Castellano')

  await test.step('a minor registers and names the guardian', async () => {
    await leo.goto('/auth?role=player')
    await leo.getByLabel('First name').fill('Leo')
    await leo.getByLabel('Last name').fill('Santos')
    await leo.getByLabel('Email', { exact: true }).fill(leosEmail)
    await leo.getByLabel('Phone').fill('555 123 4567')
    await leo.getByLabel('Date of birth').fill(birthDateForAge(15))
    await leo.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await leo.getByLabel("Parent or guardian's name").fill('Maria Santos')
    await leo.getByLabel("Parent or guardian's email").fill(mariasEmail)
    await look(leo, 'leo-registers')
    await leo.getByRole('button', { name: 'Create player account' }).click()
    await expect(leo).toHaveURL(/\/player\/connect-instructor/)
    await leo.goto('/player/dashboard')
    await expect(leo.getByRole('region', { name: 'Waiting for your parent or guardian' })).toBeVisible()
    await look(leo, 'leo-waits')
  })

  await test.step('the guardian refuses, and later agrees', async () => {
    const { path } = await open(mariasEmail, /^Leo needs your okay/, 'asks-for-consent')
    await maria.goto(path)
    await expect(maria.getByRole('heading', { name: 'Can Leo use DiamondLink?' })).toBeVisible()
    await look(maria, 'maria-asked')
    await maria.getByRole('button', { name: 'No', exact: true }).click()
    await expect(maria.getByRole('heading', { name: 'You said no' })).toBeVisible()
    await look(maria, 'maria-refused')
    await expect(leo.getByRole('region', { name: 'Your parent or guardian said no' })).toBeVisible({ timeout: 15_000 })
    await look(leo, 'leo-refused')
    await maria.getByRole('link', { name: 'Go to your family page' }).click()
    await expect(maria.getByText('You said no, so Leo cannot send anything')).toBeVisible()
    await look(maria, 'maria-family')
    await maria.getByRole('link', { name: 'Leo' }).click()
    await maria.getByRole('button', { name: 'Yes, I agree' }).click()
    await expect(maria.getByRole('button', { name: 'Withdraw consent' })).toBeVisible()
    await look(maria, 'maria-agreed')
    await expect(leo.getByRole('region', { name: /parent or guardian/ })).toHaveCount(0, { timeout: 15_000 })
    // At night, letters to a minor are postponed to the morning, so move the family to a time zone where it is daytime.
    await callApi(maria, 'PUT', '/api/family/time-zone', { timeZone: zoneWhereItIsDay() })
  })

  await test.step('the guardian saves a card and sets a monthly limit', async () => {
    await maria.goto('/family/money')
    await maria
      .getByRole('button', { name: /Add a card/ })
      .first()
      .click()
    await maria.getByRole('button', { name: '4242 4242 4242 4242' }).click()
    await maria.getByLabel('Name on card').fill('M. Santos')
    await maria.getByRole('button', { name: 'Save card' }).click()
    await expect(maria.getByText(/Visa ending in 4242/).first()).toBeVisible()
    await maria.getByRole('radio', { name: /Up to \$25\.00 a month/ }).click()
    await expect(maria.getByText('Saved', { exact: true })).toBeVisible()
    await look(maria, 'maria-limit')
  })

  const within = await createFolderWithVideo(leo, 'Tee work', film)
  await test.step('a session within the limit goes straight to the instructor', async () => {
    await assign(within.folder, 'Am I late?')
    await expect(leo.getByText(/Ray Castellano got it/)).toBeVisible()
    const { text } = await open(mariasEmail, /^Leo sent Ray Castellano a folder: \$15\.50$/, 'session-within-limit')
    expect(text).toMatch(/Am I late\?[\s\S]*within the monthly limit/)
  })

  const above = await createFolderWithVideo(leo, 'Front toss', film)
  await test.step('the guardian approves a more expensive session from the letter', async () => {
    await assign(above.folder, 'Is my back elbow too high?')
    await expect(leo.getByText(/You asked your parent or guardian/)).toBeVisible()
    await look(leo, 'leo-asked')
    const { path } = await open(mariasEmail, /^Leo wants a session with Ray Castellano: \$15\.50/, 'asks-for-approval')
    await follow(path)
    const request = maria.getByRole('region', { name: 'Waiting for your approval' })
    await expect(request.getByText('Is my back elbow too high?')).toBeVisible()
    await look(maria, 'maria-approval')
    await request.getByRole('button', { name: 'Approve $15.50' }).click()
    await expect(maria.getByRole('heading', { name: 'Nothing needs your attention' })).toBeVisible()
    await expect(leo.getByText(/Ray Castellano got it/)).toBeVisible({ timeout: 15_000 })
    await leo.reload()
    await expect(leo.getByText('It was assigned to Ray Castellano')).toBeVisible()
    await look(leo, 'leo-approved')
  })

  await test.step('the guardian reads the feedback and pays its bill', async () => {
    await review(above.folder, above.video)
    const { path, text } = await open(mariasEmail, /^Ray Castellano gave Leo feedback: \$15\.50$/, 'feedback-and-bill')
    expect(text).toContain('Let the ball travel.')
    await follow(path)
    await expect(maria.getByText('Good load, late hands.')).toBeVisible()
    await look(maria, 'maria-feedback')
    await maria.getByRole('link', { name: 'Pay the bill' }).click()
    const due = maria.getByRole('region', { name: 'Pay for this feedback' })
    await due.getByRole('radio', { name: /20/ }).check()
    await look(maria, 'maria-bill')
    await due.getByRole('button', { name: /^Pay/ }).click()
    await expect(maria.getByRole('button', { name: 'Print' })).toBeVisible()
    await look(maria, 'maria-receipt')
    const { text: receipt } = await open(mariasEmail, /^Receipt .* for Leo/, 'receipt')
    expect(receipt).toContain('Visa ending in 4242')
    await leo.goto(`/player/folder/${above.folder}`)
    await expect(leo.getByText('Good load, late hands.').first()).toBeVisible()
    await look(leo, 'leo-feedback')
    await open(leosEmail, /Ray Castellano/, 'leo-feedback')
  })

  await test.step('the guardian withdraws consent, and the open session is returned', async () => {
    await callApi(ray, 'POST', `/api/folders/${within.folder}/review`)
    await maria.goto('/family')
    await maria.getByRole('link', { name: 'Leo' }).click()
    await maria.getByRole('button', { name: 'Withdraw consent' }).click()
    const dialog = maria.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'is returned, and nothing is charged' }).check()
    await look(maria, 'maria-withdraws')
    await dialog.getByRole('button', { name: 'Withdraw consent' }).click()
    await expect(maria.getByText('You withdrew your consent, so Leo cannot send anything new')).toBeVisible()
    await look(maria, 'maria-withdrew')
    // The open page shows without a reload that the session was returned.
    await expect(maria.getByText('In review')).toHaveCount(0, { timeout: 15_000 })
    await waitForFolderStatus(leo, within.folder, 'open')
    await leo.goto(`/player/folder/${within.folder}`)
    await expect(leo.getByText('Your folder was returned')).toBeVisible()
    await look(leo, 'leo-came-back')
    await leo.goto('/player/dashboard')
    await expect(leo.getByRole('region', { name: 'Your parent or guardian has withdrawn their consent' })).toBeVisible()
    await expect(leo.getByText('Tee work came back from Ray Castellano')).toBeVisible()
    await look(leo, 'leo-withdrawn')
    // The feedback stays readable; nothing new goes to the instructor.
    await leo.goto(`/player/folder/${above.folder}`)
    await expect(leo.getByText('You can ask once your parent or guardian agrees.')).toBeVisible()
    await expect(leo.getByText('You can rate this feedback once your parent or guardian agrees.')).toBeVisible()
    await expect(leo.getByRole('button', { name: 'Ask', exact: true })).toHaveCount(0)
    await look(leo, 'leo-reads-on')
    // The guardian got one letter for each of these events, and none for refusing, giving and withdrawing consent.
    const subjects = (await app.letters(mariasEmail)).map(l => l.subject).reverse()
    expect(subjects).toEqual([
      'Leo needs your okay to use DiamondLink',
      'Leo sent Ray Castellano a folder: $15.50',
      'Leo wants a session with Ray Castellano: $15.50',
      'Leo sent Ray Castellano a folder: $15.50',
      'Ray Castellano gave Leo feedback: $15.50',
      expect.stringMatching(/^Receipt .* for Leo$/),
    ])
  })
})

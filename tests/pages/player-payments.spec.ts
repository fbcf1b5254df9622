import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { createReviewedFolder, saveCardByApi, saveCardOnHostedPage, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'

const video = await readFile(sampleVideos.mp4)

// @spec:8.15
test('a declined card shows the reason, and the player pays with another card', { tag: '@sweep' }, async ({
  page,
  person,
  shoot,
  accessible,
}) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Tee work', video, '4000 0000 0000 0341')
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('radio', { name: 'Other' }).check()
  await page.getByLabel('Your tip, in dollars').fill('five')
  await page.getByRole('button', { name: 'Pay $15.50' }).click()
  await expect(page.getByText('Enter an amount like 5 or 7.50')).toBeVisible()
  await page.getByLabel('Your tip, in dollars').fill('2.50')
  await page.getByRole('button', { name: 'Pay $18.00' }).click()
  await expect(page.getByText(/declined/i).first()).toBeVisible()
  await expect(page.getByText('Use another card')).toBeVisible()
  await expect(page.getByRole('radio', { name: /Visa ending in 0341.*Did not go through/ })).not.toBeChecked()
  // The bank may accept the card later, so it can be tried again.
  await expect(page.getByRole('button', { name: 'Pay $18.00' })).toBeVisible()
  await shoot('player-pay-declined')
  await accessible()

  await page.goto('/player/dashboard')
  await expect(page.getByText('Payment for Tee work did not go through')).toBeVisible()
  await shoot('player-dashboard-failed')
  await page.getByText('Payment for Tee work did not go through').click()

  await page.getByRole('button', { name: 'Add another card' }).click()
  await saveCardOnHostedPage(page, '5555 5555 5555 4444')
  await expect(page).toHaveURL(new RegExp(`/player/folder/${folder}`))
  await expect(page.getByRole('radio', { name: /Mastercard ending in 4444/ })).toBeChecked()
  // The error names the declined card, so that it does not seem to be about the new one.
  await expect(page.getByRole('region', { name: 'Pay for this feedback' }).getByText(/declined/i)).toContainText('Visa ending in 0341: ')
  // The typed tip is kept when the player returns.
  await expect(page.getByLabel('Your tip, in dollars')).toHaveValue('2.50')
  await page.getByRole('button', { name: 'Pay $18.00' }).click()
  await expect(page.getByRole('heading', { name: 'Paid $18.00' })).toBeVisible()
  // The toast mentions the email because a receipt really is sent.
  await expect(page.locator('li[data-state=open]')).toContainText('Your receipt is here and in your email.')
  await expect(page.getByText('Mastercard ending in 4444')).toBeVisible()
  // The folder's page updates without a reload.
  await expect(page.getByRole('button', { name: 'Assign a follow-up' })).toBeVisible()

  await page.setViewportSize({ width: 768, height: 900 })
  await page.goto('/player/payment')
  await expect(page.getByRole('cell', { name: '$18.00' })).toBeVisible()
  const broken = await page.locator('tbody').evaluate(body => {
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
    const words: string[] = []
    while (walker.nextNode()) {
      const text = walker.currentNode as Text
      for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(r => r.top)).size > 1) words.push(word)
      }
    }
    return words
  })
  expect(broken).toEqual([])
  // On a phone the rows are cards with large targets.
  await page.setViewportSize({ width: 390, height: 844 })
  const small = await page
    .locator('tbody a')
    .evaluateAll(all => all.filter(a => a.getBoundingClientRect().height < 44).map(a => a.textContent))
  expect(small).toEqual([])
})

test('a payment that the bank must confirm succeeds', { tag: '@sweep' }, async ({ page, person, shoot, accessible }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Bunting', video, '4000 0027 6000 3184')
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: 'Pay $15.50' }).click()
  await expect(page.getByText('Your bank needs to verify that it is you.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'History' })).toContainText('A payment did not go through')
  await shoot('player-pay-bank')
  await accessible()
  await page.getByRole('link', { name: 'Confirm with your bank' }).click()
  await page.getByRole('button', { name: 'Complete authentication' }).click()
  await expect(page).toHaveURL(new RegExp(`/player/folder/${folder}`))
  await expect(page.getByRole('heading', { name: 'Paid $15.50' })).toBeVisible()
})

test('the bank confirms only the tip and the card on the screen', { tag: '@sweep' }, async ({ page, person }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  await saveCardByApi(page, '4000 0027 6000 3184')
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Relays', video, '4000 0000 0000 0341')
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: 'Pay $15.50' }).click()
  await expect(page.getByRole('radio', { name: /Visa ending in 3184/ })).toBeChecked()
  await page.getByRole('button', { name: 'Pay $15.50' }).click()
  const confirm = page.getByRole('link', { name: 'Confirm with your bank' })
  await expect(confirm).toBeVisible()
  await expect(page.getByText('Paying with your Visa ending in 3184.')).toBeVisible()

  await page.getByRole('radio', { name: /^20%/ }).check()
  await expect(confirm).toBeHidden()
  await page.getByRole('radio', { name: 'No tip' }).check()
  await expect(confirm).toBeVisible()
  await page.getByRole('button', { name: 'Use another card' }).click()
  await page.getByRole('radio', { name: /Visa ending in 0341/ }).check()
  await expect(confirm).toBeHidden()
  await page.getByRole('radio', { name: /Visa ending in 3184/ }).check()
  await expect(confirm).toBeVisible()

  await page.getByRole('radio', { name: /^20%/ }).check()
  await page.getByRole('button', { name: 'Pay $18.60' }).click()
  await confirm.click()
  await page.getByRole('button', { name: 'Complete authentication' }).click()
  await expect(page.getByRole('heading', { name: 'Paid $18.60' })).toBeVisible()
})

test('feedback is marked new until it is read, and then as waiting for payment', { tag: '@sweep' }, async ({ page, person }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Reads', video)
  await page.goto('/player/dashboard')
  const card = page.getByRole('region', { name: 'Folders' }).getByRole('link', { name: /Reads/ })
  await expect(card).toContainText('New feedback')
  await card.click()
  await page.getByRole('button', { name: 'Pay $15.50' }).waitFor()
  await page.goto('/player/dashboard')
  await expect(card).toContainText('Payment due')
  await page.getByRole('link', { name: '$15.50 for Reads' }).click()
  await expect(page).toHaveURL(`/player/folder/${folder}#pay`)
  // The link leads to the bill, not to the top of a long page.
  await expect(page.getByRole('heading', { name: 'Pay for this feedback' })).toBeInViewport()
  await expect(page.getByRole('heading', { level: 1 })).not.toBeInViewport()
})

test('pressing Pay twice charges the card once', { tag: '@sweep' }, async ({ page, person }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Slides', video)
  await page.goto(`/player/folder/${folder}`)
  const requests: string[] = []
  page.on('request', r => r.url().endsWith('/pay') && requests.push(r.url()))
  await page.getByRole('button', { name: 'Pay $15.50' }).dblclick()
  await expect(page.getByRole('heading', { name: 'Paid $15.50' })).toBeVisible()
  expect(requests).toHaveLength(1)
  const { payments } = await (await page.request.get('/api/billing')).json()
  expect(payments).toHaveLength(1)
  expect(payments[0]).toMatchObject({ status: 'paid', total: 1550, tip: 0 })
})

test('a payment made in another tab is not charged a second time', { tag: '@sweep' }, async ({ page, context, person, problems }) => {
  problems.expect(/409/)
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Leads', video)
  const other = await context.newPage()
  for (const tab of [page, other]) await tab.goto(`/player/folder/${folder}`)
  await other.getByRole('radio', { name: '20%' }).check()
  await page.getByRole('button', { name: 'Pay $15.50' }).click()
  await expect(page.getByRole('heading', { name: 'Paid $15.50' })).toBeVisible()
  await other.getByRole('button', { name: /^Pay \$18/ }).click()
  await expect(other.getByText('It was paid in another tab. You were charged only once.').first()).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Paid $15.50' })).toBeVisible()
  const { payments } = await (await page.request.get('/api/billing')).json()
  expect(payments).toMatchObject([{ status: 'paid', total: 1550, tip: 0 }])
})

test('a player buys a package and manages cards', async ({ page, shoot, accessible }) => {
  await signUpAsPlayer(page)
  await page.goto('/player/payment?package=triple')
  await expect(page.getByRole('radio', { name: /Triple/ })).toBeChecked()
  await shoot('player-payment-empty')
  await accessible()
  await page.getByRole('button', { name: 'Buy Triple for $42.00' }).click()
  await page.getByRole('button', { name: '4242 4242 4242 4242' }).click()
  await page.getByLabel('Name on card').fill('A. Player')
  await page.getByRole('button', { name: /^Pay \$42/ }).click()
  await expect(page).toHaveURL(/\/player\/payment$/)
  await expect(page.getByText('3 prepaid sessions left')).toBeVisible()

  for (const number of ['4242 4242 4242 4242', '5555 5555 5555 4444']) {
    await page.getByRole('button', { name: 'Add a card' }).click()
    await saveCardOnHostedPage(page, number)
    await expect(page.getByText(`ending in ${number.slice(-4)}`).first()).toBeVisible()
  }
  await page.getByRole('button', { name: /^Use .* ending in/ }).click()
  await expect(page.getByRole('button', { name: /^Use .* ending in/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'Remove Mastercard ending in 4444' }).click()
  await page.getByRole('button', { name: 'Yes, remove Mastercard ending in 4444' }).click()
  await expect(page.getByText('Mastercard ending in 4444')).toBeHidden()
  await shoot('player-payment')
  await accessible()

  await page.goto('/player/rewards')
  await expect(page.getByText('Prepaid sessions')).toBeVisible()
  await expect(page.getByText('worth $0.00')).toBeVisible()
  await shoot('player-rewards')
  await accessible()
})

import { expect, test } from '../support/playwright-base-fixtures.ts'
import { createStartedReview, fetchDraftOf, fetchSessionOf, installHummingMicrophone, noteField, waitForRecording } from './studio-setup.ts'

test('being offline for ten minutes while writing and recording loses nothing', {
  tag: '@sweep',
}, async ({ page, context, person, problems, accessible }) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  const { folder } = await createStartedReview(page, await person())
  await installHummingMicrophone(page)
  await page.clock.install()
  await page.goto(`/instructor/folder/${folder}`)
  const draft = page.locator('[data-saved]')
  const voice = page.locator('[data-voice]')
  await expect(draft).toHaveAttribute('data-saved', 'saved')
  await expect(page.locator('[data-sure=true]')).toBeAttached()
  await page.keyboard.press('m')
  await noteField(page).pressSequentially('The hands start early, ')
  await expect(draft).toHaveAttribute('data-saved', 'saved')

  await context.setOffline(true)
  await noteField(page).pressSequentially('before the foot is down.')
  await expect(draft).toHaveText('Saved on this device. It uploads automatically.')
  await page.keyboard.press('Escape')
  await page.keyboard.press('.')
  await page.keyboard.press('v')
  await waitForRecording(page)
  await expect(page.locator('[data-recording]')).toContainText('0:02 / 5:00')
  await page.keyboard.press('v')
  await expect(voice).toHaveAttribute('data-where', 'here')
  await expect(voice).toContainText('Saved on this device')

  // Record every text that the status shows, because it must not change during the next ten minutes.
  await page.evaluate(() => {
    const told: string[] = []
    const said = () => [...document.querySelectorAll('[data-saved], [data-voice] [role=status]')].map(e => e.textContent).join(' | ')
    new MutationObserver(() => told.at(-1) !== said() && told.push(said())).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    Object.assign(window, { told })
  })
  for (let minute = 1; minute <= 10; minute++) {
    const tried = Promise.all(
      ['/draft', '/voices'].map(path => page.waitForEvent('requestfailed', request => new URL(request.url()).pathname.endsWith(path))),
    )
    await page.clock.fastForward('01:00')
    await tried
    if (minute % 5) continue
    await noteField(page).click()
    await page.keyboard.press('End')
    await page.keyboard.type(` ${minute} minutes.`)
  }
  expect(await page.evaluate(() => [...new Set((window as unknown as { told: string[] }).told)])).toEqual([
    'Saved on this device. It uploads automatically. | Saved on this device',
  ])
  await accessible()

  await context.setOffline(false)
  await expect(draft).toHaveAttribute('data-saved', 'saved')
  await expect(voice).toHaveAttribute('data-where', 'saved')
  const kept = await fetchDraftOf(page, folder)
  expect(kept.notes.map((n: { text: string; voice?: string }) => [n.text, n.voice])).toEqual([
    ['The hands start early, before the foot is down. 5 minutes. 10 minutes.', undefined],
    ['', kept.voices[0].id],
  ])
  // Others can play the voice-over, because its sound was uploaded, too.
  const [heard] = (await fetchSessionOf(page, folder)).voices
  expect((await (await page.request.get(heard.url)).body()).length).toBe(kept.voices[0].bytes)
})

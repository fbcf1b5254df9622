import { v7 } from 'uuid'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { callApi } from './api-setup.ts'
import { createStartedReview, fetchSessionOf, noteField, waitForPreparedVideos, waitForSavedDraft } from './studio-setup.ts'

/**
 * A script that runs in the page before React loads, and counts in `window.drawn` how often React rerenders note cards and their headers,
 * stages, and the rows of marks above the strip. Like React's developer tools, it walks the tree of each commit. A component counts as
 * rerendered if React flagged it as having performed work; its first rendering does not count.
 */
const counting = `
  window.drawn = { cards: 0, heads: 0, stages: 0, marks: 0 }
  const WORKED = 1
  const kind = its => {
    if (its?.note && its.number) return 'cards'
    if (its?.kind && its.number) return 'heads'
    if (its?.player && its.clip && 'fill' in its) return 'stages'
    if (its?.player && its.onNote && !its.clip && !('stills' in its)) return 'marks'
  }
  const changed = (now, before) => {
    const its = before && now.flags & WORKED && kind(now.memoizedProps)
    if (its) window.drawn[its]++
    if (before && now.child === before.child) return
    for (let child = now.child; child; child = child.sibling) changed(child, child.alternate)
  }
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_, root) => changed(root.current, root.current.alternate),
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
  }
`

test('typing a note rerenders only that note, and playback rerenders no note', { tag: '@sweep' }, async ({ page, person }) => {
  const { folder } = await createStartedReview(page, await person())
  await waitForPreparedVideos(page, folder)
  const { id, clips } = await fetchSessionOf(page, folder)
  const [clip] = clips
  const notes = [0, 200, 400].map(at => ({ id: v7(), video: clip.id, at, kind: 'tip', text: `At ${at}` }))
  await callApi(page, 'PUT', `/api/folders/${folder}/draft?session=${id}`, {
    revision: 0,
    draft: { notes, summary: '', grades: [] },
  })
  await page.addInitScript(counting)
  await page.goto(`/instructor/folder/${folder}`)
  await page.waitForLoadState('networkidle')
  // Wait until the rendition and its stills have loaded.
  await expect(page.locator('[data-stills=""]')).toBeAttached()
  await noteField(page, 2).click()
  const drawn = () =>
    page.evaluate(async () => {
      // Wait until deferred rendering is done.
      await new Promise(done => requestIdleCallback(done))
      const { drawn } = window as unknown as { drawn: Record<'cards' | 'heads' | 'stages' | 'marks', number> }
      Object.assign(window, { drawn: { cards: 0, heads: 0, stages: 0, marks: 0 } })
      return drawn
    })
  const nothing = { cards: 0, heads: 0, stages: 0, marks: 0 }
  // The click made this note the current one, and the card shows that.
  const first = await drawn()
  for (const its of ['cards', 'stages', 'marks'] as const) expect(first[its]).toBeGreaterThan(0)
  await page.keyboard.type('!')
  await expect(noteField(page, 2)).toHaveValue('At 200!')
  expect(await drawn()).toMatchObject({ cards: 1, heads: 0 })

  await waitForSavedDraft(page)
  await page.keyboard.press('Escape')
  await drawn()
  await page.locator('body').press('.')
  await expect(page.locator('[data-frame][data-sure=true]')).toBeAttached()
  expect(await drawn()).toEqual(nothing)

  // Play at a slow speed, so that the clip does not end before it is paused.
  await page.locator('body').press('1')
  await page.locator('body').press(' ')
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await page.locator('body').press(' ')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect(await drawn()).toEqual(nothing)

  // None of the counted components renders during a stroke. The finished stroke adds a drawing to note 2, and the row of marks renders
  // once, because it receives the notes.
  await page.getByRole('button', { name: /^Go to note 2 / }).click()
  await expect(page.locator('[data-frame][data-sure=true]')).toBeAttached()
  await page.locator('body').press('d')
  await page.getByRole('button', { name: 'Stop drawing' }).waitFor()
  await drawn()
  const { x, y, width, height } = (await page.locator('[data-drawing-stage]').boundingBox())!
  await page.mouse.move(x + width * 0.4, y + height * 0.5)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.6, y + height * 0.6, { steps: 5 })
  expect(await drawn()).toEqual(nothing)
  await page.mouse.up()
  await waitForSavedDraft(page)
  expect((await drawn()).marks).toBe(1)
  await page.locator('body').press('Escape')

  // A note inserted before the others appears immediately, and the others are renumbered.
  await drawn()
  await page.getByRole('slider', { name: 'Position' }).press('Home')
  await page.locator('body').press('m')
  await page.keyboard.type('First')
  await expect(page.locator('textarea:focus')).toHaveValue('First')
  for (const number of [1, 2, 3, 4]) await expect(noteField(page, number)).toHaveCount(1)
  expect((await drawn()).heads).toBeGreaterThan(0)
})

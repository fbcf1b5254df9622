import { expect, type Page } from '@playwright/test'
import { layOutPictures } from '../../src/comparison/paint-compared-pictures.ts'
import { readBurnedInFrameNumber } from '../support/read-burned-in-frame-number.ts'

/** Reads the number burned into the frame that the page's <video> shows. */
export const shownFrameNumber = (page: Page) =>
  page.locator('video:not([aria-hidden])').evaluate((video: HTMLVideoElement, read) => {
    const seen = new Function(`return (${read})`)() as typeof readBurnedInFrameNumber
    return seen(video, video.videoWidth, video.videoHeight)
  }, readBurnedInFrameNumber.toString())

/** Waits until the player shows this frame, confirmed by the browser's report of the frame that it presented. */
export const waitForFrame = (page: Page, frame: number) => expect(page.locator(`[data-frame="${frame}"][data-sure="true"]`)).toBeAttached()

/** Waits until a comparison is supposed to show these frames of its two clips, and does show them. */
export async function waitForComparedFrames(page: Page, frames: [number, number]) {
  const due = frames.join()
  await expect(page.locator(`[data-state=ready][data-due="${due}"][data-shown="${due}"]`)).toBeAttached()
}

/** Waits until the player has the rendition. Until then it plays the original, whose pixels cannot be read: it is from another origin. */
export const waitForRenditionInPlayer = (page: Page) => expect(page.locator('video[src^="blob:"]')).toBeAttached()

/** Reads the numbers burned into the two 16:9 pictures of a side-by-side comparison. `mirrored`: which of them to flip before reading. */
export async function shownComparedFrameNumbers(page: Page, mirrored: readonly [boolean, boolean] = [false, false]): Promise<number[]> {
  const canvas = page.locator('canvas[role=img]')
  const box = await canvas.evaluate((c: HTMLCanvasElement) => ({ width: c.width, height: c.height }))
  return canvas.evaluate(
    (c: HTMLCanvasElement, { read, rects, mirrored }) => {
      const seen = new Function(`return (${read})`)() as typeof readBurnedInFrameNumber
      return rects.map(({ left, top, width, height }, i) => {
        const cut = document.createElement('canvas')
        Object.assign(cut, { width: Math.round(width), height: Math.round(height) })
        const ctx = cut.getContext('2d')!
        if (mirrored[i]) ctx.setTransform(-1, 0, 0, 1, cut.width, 0)
        ctx.drawImage(c, -Math.round(left), -Math.round(top))
        return seen(cut, cut.width, cut.height)
      })
    },
    { mirrored, read: readBurnedInFrameNumber.toString(), rects: layOutPictures('side', box, [16 / 9, 16 / 9]) },
  )
}

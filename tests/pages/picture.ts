import { expect, type Page } from '@playwright/test'
import { layOutPictures } from '../../src/comparison/picture-layout.ts'
import { numberSeen } from '../support/seen.ts'

/** What is burnt into the picture that the page's <video> shows. */
export const pictureOf = (page: Page) =>
  page.locator('video:not([aria-hidden])').evaluate((video: HTMLVideoElement, read) => {
    const seen = new Function(`return (${read})`)() as typeof numberSeen
    return seen(video, video.videoWidth, video.videoHeight)
  }, numberSeen.toString())

/** Waits until the player is sure that it shows this frame. */
export const sureAt = (page: Page, frame: number) => expect(page.locator(`[data-frame="${frame}"][data-sure="true"]`)).toBeAttached()

/** Waits until a comparison shows these frames of its two clips. */
export async function bothAt(page: Page, frames: [number, number]) {
  const due = frames.join()
  await expect(page.locator(`[data-state=ready][data-due="${due}"][data-shown="${due}"]`)).toBeAttached()
}

/** Waits until the player has the rendition. What plays until then is the original, of another origin: its picture cannot be read. */
export const prepared = (page: Page) => expect(page.locator('video[src^="blob:"]')).toBeAttached()

/** What is burnt into the two pictures of a comparison beside each other, each of 16 by 9. */
export async function picturesOf(page: Page): Promise<number[]> {
  const canvas = page.locator('canvas[role=img]')
  const box = await canvas.evaluate((c: HTMLCanvasElement) => ({ width: c.width, height: c.height }))
  return canvas.evaluate(
    (c: HTMLCanvasElement, { read, rects }) => {
      const seen = new Function(`return (${read})`)() as typeof numberSeen
      return rects.map(({ left, top, width, height }) => {
        const cut = document.createElement('canvas')
        Object.assign(cut, { width: Math.round(width), height: Math.round(height) })
        cut.getContext('2d')!.drawImage(c, -Math.round(left), -Math.round(top))
        return seen(cut, cut.width, cut.height)
      })
    },
    { read: numberSeen.toString(), rects: layOutPictures('side', box, [16 / 9, 16 / 9]) },
  )
}

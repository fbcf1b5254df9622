import { expect, type Page } from '@playwright/test'
import { numberSeen } from '../support/seen.ts'

/** What is burnt into the picture that the page's <video> shows. */
export const pictureOf = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement, read) => {
    const seen = new Function(`return (${read})`)() as typeof numberSeen
    return seen(video, video.videoWidth, video.videoHeight)
  }, numberSeen.toString())

/** Waits until the player is sure that it shows this frame. */
export const sureAt = (page: Page, frame: number) =>
  expect(page.locator(`[data-frame="${frame}"][data-sure="true"]`)).toBeAttached({ timeout: 60_000 })

/** Waits until the player has the rendition. What plays until then is the original, of another origin: its picture cannot be read. */
export const prepared = (page: Page) => expect(page.locator('video[src^="blob:"]')).toBeAttached({ timeout: 60_000 })

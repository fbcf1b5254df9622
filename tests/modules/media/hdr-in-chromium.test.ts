import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadMediaEngine } from '../../../modules/media/preparation-process/media-engine.ts'
import { readContainerFile } from '../../../modules/media/preparation-process/read-container-file.ts'
import { findHeadlessChromium } from '../../../scripts/find-browsers.mjs'
import { ffmpegPath } from '../../support/test-clips.ts'
import {
  colorPatches,
  colorsOfPatches,
  encodePatchVideo,
  hdrTransferFunctionNames,
  PATCH_SIDE_PIXELS,
  type Rgb,
  type TransferFunctionName,
} from './hdr-color-patches.ts'

/**
 * Compares how Chromium shows an HDR video and its rendition on an SDR screen. Chromium keeps headroom for highlights up to 1000 cd/m² and
 * shows reference white as light gray; the rendition maps reference white to the screen's white (BT.2408), so the rendition is brighter.
 * Only the darkest skin tone in PQ, which Chromium brightens, is a little darker in the rendition.
 */

/** Brightness of a shown color, 0 to 255 (BT.709). */
const luma = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b

let dir: string
let browser: Browser
const executablePath = findHeadlessChromium()
const isHere = ffmpegPath !== undefined && executablePath !== undefined
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hdr-in-chromium-'))
  if (isHere) browser = await chromium.launch({ executablePath, args: ['--force-color-profile=srgb'] })
})
afterAll(async () => {
  await browser?.close()
  await rm(dir, { recursive: true })
})

/** The color of each patch of a video, 0 to 255, as Chromium shows it on the screen. */
async function onScreen(file: string, type: string): Promise<Rgb[]> {
  const [width, height] = [colorPatches.length * PATCH_SIDE_PIXELS, PATCH_SIDE_PIXELS]
  const page = await browser.newPage({ viewport: { width, height } })
  const source = `data:${type};base64,${(await readFile(file)).toString('base64')}`
  await page.setContent(
    `<style>body{margin:0}video{display:block}</style><video muted src="${source}" width=${width} height=${height}></video>`,
  )
  await page.locator('video').evaluate(
    (video: HTMLVideoElement) =>
      new Promise<void>((done, fail) => {
        video.addEventListener('error', () => fail(new Error(`Chromium cannot play it: ${video.error?.message}`)))
        video.requestVideoFrameCallback(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))
        if (video.error) fail(new Error(`Chromium cannot play it: ${video.error.message}`))
        video.currentTime = 0.05
      }),
  )
  const picture = join(dir, 'screen.png')
  await page.screenshot({ path: picture })
  await page.close()
  const { stdout } = await promisify(execFile)(
    ffmpegPath!,
    ['-v', 'error', '-i', picture, '-pix_fmt', 'rgb24', '-f', 'rawvideo', 'pipe:1'],
    {
      encoding: 'buffer',
    },
  )
  return colorsOfPatches(stdout, 3)
}

async function shownTwice(name: string, transfer: TransferFunctionName) {
  const film = join(dir, `${name}.webm`)
  await encodePatchVideo(transfer, 'vp9', film)
  const rendition = join(dir, `${name}-rendition.mp4`)
  await (await loadMediaEngine()).render(film, rendition, await readContainerFile(film, 'video/webm'), () => {})
  return { original: await onScreen(film, 'video/webm'), rendition: await onScreen(rendition, 'video/mp4') }
}

describe.skipIf(!isHere).each(hdrTransferFunctionNames)('%s in Chromium (needs ffmpeg)', (name, transfer) => {
  test('no color patch of a rendition is more than a tenth darker than in the original', async () => {
    const { original, rendition } = await shownTwice(name, transfer)
    for (const [i, patch] of colorPatches.entries()) {
      const [there, here] = [luma(original[i]!), luma(rendition[i]!)]
      expect(here, `patch ${i} of light ${patch.map(Math.round)}: ${original[i]} and ${rendition[i]}`).toBeGreaterThanOrEqual(
        0.9 * there - 2,
      )
    }
    // A sanity check of both screenshots: black is black, and the brightest highlight is the brightest patch.
    for (const shown of [original, rendition]) {
      expect(luma(shown[0]!)).toBeLessThan(5)
      expect(Math.max(...shown.map(luma))).toBe(luma(shown[3]!))
    }
  })
})

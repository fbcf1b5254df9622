import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { samples } from '../support/media.ts'
import { asInstructor, asPlayer, assigned, call } from './people.ts'

/** A folder's session of now, as who is signed in reads it; undefined until it is theirs to read. */
export const sessionOf = async (page: Page, folder: string) => (await (await page.request.get(`/api/folders/${folder}`)).json()).session
/** What the server has of a review that is being written. */
export const draftOf = async (page: Page, folder: string) => (await (await page.request.get(`/api/folders/${folder}/draft`)).json()).draft

/** Videos are prepared one after another, each in seconds on a quiet machine; this ends only what hangs, ms. */
export const PREPARED_WITHIN = { timeout: 240_000 }
/** Waits until so many videos are prepared: those of the session, and those that are compared with them. */
export const ready = (page: Page, folder: string, { clips = 1 } = {}) =>
  expect
    .poll(async () => {
      const session = await sessionOf(page, folder)
      return [...(session?.clips ?? []), ...(session?.compared ?? [])].map(clip => clip.rendition?.state)
    }, PREPARED_WITHIN)
    .toEqual(Array(clips).fill('ready'))

/** Waits until the stage shows a frame: notes can be made from then on, not while a video is being prepared. */
export const stageReady = (page: Page) => expect(page.locator('[data-sure=true]').first()).toBeAttached(PREPARED_WITHIN)

/** A new player's video, prepared, that a new instructor, whose page is the first, has begun to review. */
export async function underReview(page: Page, player: Page, file: string = samples.mp4) {
  const coach = await asInstructor(page)
  await asPlayer(player)
  const made = await assigned(player, coach, 'Tee work', await readFile(file))
  await call(page, 'POST', `/api/folders/${made.folder}/review`)
  await ready(page, made.folder)
  return { ...made, coach }
}

/** Waits until all that was written is on the server. */
export const saved = (page: Page) => expect(page.locator('[data-saved=saved]')).toBeVisible()
export const note = (page: Page, number = 1) => page.getByLabel(`Note ${number}`, { exact: true })

/** Waits until what is said is recorded. */
export const speaking = (page: Page) => expect(page.locator('[data-recording=speaking]')).toBeVisible()
/** The microphone of this page hums, from the next screen on. */
export const humming = (page: Page) =>
  page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext()
      const [tone, out] = [context.createOscillator(), context.createMediaStreamDestination()]
      tone.connect(out)
      tone.start()
      return out.stream
    }
  })

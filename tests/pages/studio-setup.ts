import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { sampleVideos } from '../support/sample-media.ts'
import { callApi, createAssignedFolder, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'

/** Fetches a folder's current session as the signed-in user sees it; undefined if they have no access. */
export const fetchSessionOf = async (page: Page, folder: string) =>
  (await (await page.request.get(`/api/folders/${folder}`)).json()).session
/** Fetches a review's draft as the server has it. */
export const fetchDraftOf = async (page: Page, folder: string) =>
  (await (await page.request.get(`/api/folders/${folder}/draft`)).json()).draft

/** Videos are prepared one after another, each within seconds on an idle machine; only a hanging preparation reaches this timeout. */
export const PREPARATION_TIMEOUT_OPTIONS = { timeout: 240_000 }
/** Waits until all videos of the session and those compared with them are prepared. `clips`: how many there are in total. */
export const waitForPreparedVideos = (page: Page, folder: string, { clips = 1 } = {}) =>
  expect
    .poll(async () => {
      const session = await fetchSessionOf(page, folder)
      return [...(session?.clips ?? []), ...(session?.compared ?? [])].map(clip => clip.rendition?.state)
    }, PREPARATION_TIMEOUT_OPTIONS)
    .toEqual(Array(clips).fill('ready'))

/** Waits until the stage shows a frame: notes can be made from then on, but not while a video is being prepared. */
export const waitForStage = (page: Page) => expect(page.locator('[data-sure=true]').first()).toBeAttached(PREPARATION_TIMEOUT_OPTIONS)

/** Signs up an instructor on `page` and a player on `player`, and creates a folder with a prepared video whose review has started. */
export async function createStartedReview(page: Page, player: Page, file: string = sampleVideos.mp4) {
  const coach = await signUpAsInstructor(page)
  await signUpAsPlayer(player)
  const made = await createAssignedFolder(player, coach, 'Tee work', await readFile(file))
  await callApi(page, 'POST', `/api/folders/${made.folder}/review`)
  await waitForPreparedVideos(page, made.folder)
  return { ...made, coach }
}

/** Waits until the whole draft is saved on the server. */
export const waitForSavedDraft = (page: Page) => expect(page.locator('[data-saved=saved]')).toBeVisible()
export const noteField = (page: Page, number = 1) => page.getByLabel(`Note ${number}`, { exact: true })

/** Waits until the countdown is over and the voice-over is being recorded. */
export const waitForRecording = (page: Page) => expect(page.locator('[data-recording=speaking]')).toBeVisible()
/** Replaces the microphone with a constant tone, from the next page load on. */
export const installHummingMicrophone = (page: Page) =>
  page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext()
      const [tone, out] = [context.createOscillator(), context.createMediaStreamDestination()]
      tone.connect(out)
      tone.start()
      return out.stream
    }
  })

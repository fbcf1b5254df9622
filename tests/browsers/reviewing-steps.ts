import { readFile } from 'node:fs/promises'
import { sampleVoice } from '../support/sample-media.ts'
import { expectComparedFrames, expectLineOnFirstClip, pointOnClip } from './comparison-assertions.ts'
import { ACCEPTED_CONTACT_FRAMES, type JourneyStep } from './journey-step-and-people-types.ts'
import type { PageDriver } from './page-driver.ts'
import { uploadRecordingAsVoiceNote } from './upload-recording-as-voice-note.ts'

/** Waits until each video has its rendition. */
const waitForPreparedVideos = (driver: PageDriver) =>
  driver.holds('all videos prepared', async () => {
    const { session } = await (await fetch(`/api/folders/${location.pathname.split('/').at(-1)}`)).json()
    return session.clips.every((c: { rendition?: { state: string } }) => c.rendition?.state === 'ready') || 'not yet'
  })

/** The instructor reviews the clips and delivers the feedback. */
export const reviewingSteps: JourneyStep[] = [
  [
    'the instructor pins a note to a frame and draws on it',
    async ({ instructor }, { stamp }) => {
      await instructor.reloadUntil('/instructor/dashboard', 'text', '1 folder is waiting for you')
      await instructor.press('link', `Review: Tee work ${stamp} from Mia Torres`)
      await instructor.has('[data-saved=saved]')
      await instructor.press('button', /^Video \d: .*upright/)
      await instructor.has('[data-sure=true]')
      for (let i = 0; i < 6; i++) await instructor.keys('.')
      await instructor.has('[data-frame="6"][data-sure=true]')
      await instructor.keys(',')
      await instructor.has('[data-frame="5"][data-sure=true]')
      await instructor.press('button', /^Draw/)
      await instructor.press('choice', 'Arrow')
      await instructor.draw([
        [0.2, 0.5],
        [0.5, 0.5],
        [0.8, 0.5],
      ])
      await instructor.see('tab', 'Notes 1')
      await instructor.keys('m')
      await instructor.has('textarea:focus')
      await instructor.keys(
        'Hands drift forward before the foot is down. Load them later, and keep the barrel above the ball until the heel lands.',
      )
      await instructor.has('[data-saved=saved]')
      await instructor.shoot('07-studio')
      // The video's frame stays visible when the tablet is rotated.
      for (const width of [820, 1440]) {
        await instructor.turn(width)
        await instructor.pictured()
      }
    },
  ],
  [
    'the instructor steps through the 60 fps clip',
    async ({ instructor }) => {
      await waitForPreparedVideos(instructor)
      await instructor.press('button', /^Video \d: .*-60\.mp4/)
      await instructor.waitForFrameNumber([0])
      for (let frame = 1; frame <= 3; frame++) {
        await instructor.keys('.')
        await instructor.waitForFrameNumber([frame])
      }
      await instructor.set('Position', '61')
      await instructor.waitForFrameNumber([61])
      await instructor.keys(',')
      await instructor.waitForFrameNumber([60])
    },
  ],
  [
    'the instructor finds contact by its sound and sets another position',
    async ({ instructor }) => {
      await instructor.press('button', /^Video \d: .*crack/)
      await instructor.waitForFrameNumber([0])
      await instructor.press('tab', 'Technique')
      await instructor.press('button', 'Find contact by sound')
      await instructor.see('text', /^(Sound 1 of|One sound)/)
      await instructor.waitForFrameNumber(ACCEPTED_CONTACT_FRAMES)
      await instructor.press('button', 'Confirm')
      await instructor.set('Position', '100')
      await instructor.waitForFrameNumber([100])
      await instructor.press('button', 'Set stride here')
      await instructor.holds('a picture of each', () => {
        const stills = [...document.querySelectorAll<HTMLImageElement>('img[data-still]')]
        return stills.filter(still => still.naturalWidth).length === 2 || 'not yet'
      })
      await instructor.shoot('08-technique')
    },
  ],
  [
    'the instructor compares two clips, steps through both, and draws on one',
    async ({ instructor }) => {
      await instructor.press('button', /^Go to stride/)
      await instructor.waitForFrameNumber([100])
      await instructor.press('button', /^Compare/)
      await instructor.press('button', /upright.*frames\/s/)
      await expectComparedFrames(instructor, [100, 0])
      await instructor.press('button', 'Both: next frame')
      await expectComparedFrames(instructor, [101, 0])
      await instructor.press('button', 'Draw')
      await instructor.press('choice', 'Line')
      await instructor.tab.mouse([
        await pointOnClip(instructor, 0, 0.2, 0.5),
        await pointOnClip(instructor, 0, 0.5, 0.5),
        await pointOnClip(instructor, 0, 0.8, 0.5),
      ])
      await expectLineOnFirstClip(instructor)
      await instructor.press('button', 'Stop drawing')
      await instructor.fill('Title of the comparison', 'Both swings')
      // A resized window shows the same two frames.
      for (const width of [820, 1440]) {
        await instructor.turn(width)
        await expectComparedFrames(instructor, [101, 0])
      }
      await instructor.shoot('09-comparison')
      await instructor.press('button', 'Back to the video')
      await instructor.has('[data-sure=true]')
    },
  ],
  [
    'the instructor records a voice-over',
    async ({ instructor }, { microphone }) => {
      await instructor.press('button', /^Video \d: .*upright/)
      await instructor.has('[data-frame="0"][data-sure=true]')
      await instructor.press('button', 'Record voice-over')
      if (microphone) {
        await instructor.has('[data-recording=speaking]')
        await instructor.keys('...')
        await instructor.has('[data-frame="3"][data-sure=true]')
        await instructor.shoot('10-voice')
        await instructor.holds(
          'two seconds',
          () => /0:0[2-9]|0:[1-5]\d/.test(document.querySelector('[data-recording]')!.textContent!) || 'not yet',
        )
        await instructor.press('button', 'Stop')
        await instructor.has('[data-voice][data-where=saved]')
      } else {
        // A browser without a microphone still plays what another browser recorded.
        await instructor.see('text', 'No microphone was found. Connect one, then try again.')
        await instructor.shoot('10-voice')
        await instructor.press('button', 'Close')
        await instructor.has('[data-saved=saved]')
        const file = (await readFile(sampleVoice)).toString('base64')
        await instructor.tab.run(uploadRecordingAsVoiceNote, file)
        await instructor.go(await instructor.path())
        await instructor.press('tab', 'Notes 2')
        await instructor.has('[data-voice]')
      }
      await instructor.keys('.')
      await instructor.press('button', /^Play the voice-over of note \d/)
      await instructor.has('[data-frame="3"][data-sure=true]')
      await instructor.see('button', /^Play the voice-over of note \d/)
    },
  ],
  [
    'the instructor delivers the review with a summary and a grade',
    async ({ instructor }) => {
      await instructor.press('tab', /^Summary/)
      await instructor.fill('Summary', 'Keep the hands back until the foot is down.')
      await instructor.press('choice', 'Hitting 55, Above average')
      await instructor.has('[data-saved=saved]')
      await instructor.press('button', 'Deliver')
      // A review without a goal may be delivered.
      await instructor.press('button', 'Deliver feedback')
      await instructor.arrive(/^\/instructor\/dashboard/)
    },
  ],
]

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { layOutPictures } from '../../src/comparison/picture-layout.ts'
import { sampleVoice } from '../support/sample-media.ts'
import { largeClip, testClip } from '../support/test-clips.ts'
import type { PageDriver } from './page-driver.ts'
import { sendVoice } from './send-voice.ts'

const PHOTO = join(import.meta.dirname, '../../public/img/default-profile.jpeg')
/** In `crack-240.mp4` a bat cracks here; a decoder may be a frame off. */
const CRACK = [150, 151, 152]

/** 30 frames a second, as a phone held upright films; with its numbers burnt in, as the others have them, of 60 and 240. */
const upright = () =>
  largeClip('upright-30.mp4', { frames: 60, rate: '30', width: 216, height: 384, encode: ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'] })
/** Width through height of the two that are compared: the one of 240 and the upright one. */
const ASPECTS = [16 / 9, 216 / 384] as const

/** Who does it, each at a window of their own. */
export interface PageDrivers {
  player: PageDriver
  instructor: PageDriver
  admin: PageDriver
}
/** What the admin was given, and what tells others apart from those of earlier runs. */
export interface RunData {
  admin: { email: string; password: string }
  /** Has an administrator approve the instructor with this email, so that players find them. */
  approve: (email: string) => Promise<void>
  password: string
  stamp: string
  /** The instructor's last name: each engine has a Rosa of its own. */
  last: string
  /** The instructor can speak into it. */
  microphone: boolean
}

/** The main job, step by step, as people do it; the pictures it takes are the same twelve states in every engine. */
export const runMainJourney: [name: string, step: (people: PageDrivers, given: RunData) => Promise<void>][] = [
  [
    'an instructor reads what it is, registers and cuts a photo',
    async ({ instructor }, { approve, password, stamp, last }) => {
      await instructor.go('/')
      await instructor.see('button', 'Start now')
      await instructor.shoot('01-landing')
      await instructor.go('/auth?role=instructor')
      await person(instructor, { first: 'Rosa', last, email: `rosa.${stamp}@example.com`, born: '1984-06-02', password })
      await instructor.press('choice', 'Baseball')
      await instructor.press('choice', 'Hitting')
      // A window that becomes wider, or a phone that is turned, takes the styles of its width.
      for (const [width, rows] of [
        [390, 2],
        [820, 1],
      ] as const) {
        await instructor.turn(width)
        await instructor.holds(
          `phone and date of birth in ${rows} rows`,
          (rows: number) => {
            const top = (type: string) => document.querySelector(`input[type=${type}]`)!.getBoundingClientRect().top
            return (top('tel') === top('date') ? 1 : 2) === rows || 'it is not so'
          },
          rows,
        )
      }
      await instructor.turn()
      await instructor.shoot('02-register')
      await instructor.press('button', 'Create instructor account')
      await instructor.arrive(/^\/instructor\/dashboard/)
      await instructor.see('text', 'Your queue is empty')
      await approve(`rosa.${stamp}@example.com`)
      await instructor.go('/instructor/profile-editor')
      await instructor.see('button', 'Add a photo')
      await instructor.tab.files('[aria-label=Photo]', [PHOTO])
      await instructor.see('heading', 'Crop your photo')
      await instructor.shoot('03-crop')
      await instructor.press('button', 'Use this photo')
      await instructor.see('button', 'Change photo')
    },
  ],
  [
    'a player registers and makes a folder',
    async ({ player }, { password, stamp }) => {
      await player.go('/auth?role=player')
      await person(player, { first: 'Mia', last: 'Torres', email: `mia.${stamp}@example.com`, born: '1999-04-01', password })
      await player.press('button', 'Create player account')
      await player.arrive(/^\/player\/connect-instructor/)
      await player.go('/player/dashboard')
      await player.press('button', 'New folder')
      await player.fill('Name', `Tee work ${stamp}`)
      await player.enter()
      await player.arrive(/^\/player\/folder\//)
    },
  ],
  [
    'clips of 30, 60 and 240 frames a second go up and play, one of them upright',
    async ({ player }, { stamp }) => {
      await player.has('[type=file]')
      await player.tab.files('[type=file]', [await upright(), await testClip('crack-240.mp4'), await testClip('60.mp4')])
      await player.see('button', /^Video 3/)
      await player.press('button', /^Video \d: .*upright/)
      await player.has('[data-sure=true]')
      await player.press('button', 'Play')
      await player.see('button', 'Pause')
      await player.shoot('05-folder')
      const folder = await player.path()
      await player.go('/player/dashboard')
      await player.see('text', `Tee work ${stamp}`)
      await player.shoot('04-dashboard')
      await player.go(folder)
    },
  ],
  [
    'the player assigns it, with a card saved on the way',
    async ({ player }, { last }) => {
      await player.press('button', 'Assign to an instructor')
      await player.press('choice', new RegExp(`Rosa ${last}`))
      await player.fill(/^Anything they should know/, 'My hands drift.')
      await player.press('button', 'Add a card to continue')
      await player.press('button', /4242 4242 4242 4242/)
      await player.has('[name=number][value^="4242"]')
      await player.fill('Name on card', 'M. Torres')
      await player.press('button', 'Save card')
      await player.see('text', 'Visa ending in 4242')
      await player.shoot('06-assign')
      await player.press('button', 'Assign to Rosa')
      await player.see('button', 'Take it back')
    },
  ],
  [
    'the instructor pins a note to a frame and draws on it',
    async ({ instructor }, { stamp }) => {
      await instructor.reloadUntil('/instructor/dashboard', 'text', '1 folder is waiting for you')
      await instructor.press('link', `Review: Tee work ${stamp} of Mia Torres`)
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
      // A tablet is turned, and turned back: the picture stays.
      for (const width of [820, 1440]) {
        await instructor.turn(width)
        await instructor.pictured()
      }
    },
  ],
  [
    'steps through the clip of 60 frames a second',
    async ({ instructor }) => {
      await prepared(instructor)
      await instructor.press('button', /^Video \d: .*-60\.mp4/)
      await instructor.burnt([0])
      for (let frame = 1; frame <= 3; frame++) {
        await instructor.keys('.')
        await instructor.burnt([frame])
      }
      await instructor.set('Position', '61')
      await instructor.burnt([61])
      await instructor.keys(',')
      await instructor.burnt([60])
    },
  ],
  [
    'finds contact by its sound, and sets another position beside it',
    async ({ instructor }) => {
      await instructor.press('button', /^Video \d: .*crack/)
      await instructor.burnt([0])
      await instructor.press('tab', 'Technique')
      await instructor.press('button', 'Find contact by sound')
      await instructor.see('text', /^(Sound 1 of|One sound)/)
      await instructor.burnt(CRACK)
      await instructor.press('button', 'Confirm')
      await instructor.set('Position', '100')
      await instructor.burnt([100])
      await instructor.press('button', 'Set stride here')
      await instructor.holds('a picture of each', () => {
        const stills = [...document.querySelectorAll<HTMLImageElement>('img[data-still]')]
        return stills.filter(still => still.naturalWidth).length === 2 || 'not yet'
      })
      await instructor.shoot('08-technique')
    },
  ],
  [
    'sets two clips beside each other, steps through both, and draws on one',
    async ({ instructor }) => {
      await instructor.press('button', /^Go to stride/)
      await instructor.burnt([100])
      await instructor.press('button', /^Compare/)
      await instructor.press('button', /upright.*frames\/s/)
      await beside(instructor, [100, 0])
      await instructor.press('button', 'Both: next frame')
      await beside(instructor, [101, 0])
      await instructor.press('button', 'Draw')
      await instructor.press('choice', 'Line')
      await instructor.tab.mouse([await on(instructor, 0, 0.2, 0.5), await on(instructor, 0, 0.5, 0.5), await on(instructor, 0, 0.8, 0.5)])
      await inked(instructor)
      await instructor.press('button', 'Stop drawing')
      await instructor.fill('Title of the comparison', 'Both swings')
      // In another window, and in the first again, the same two frames.
      for (const width of [820, 1440]) {
        await instructor.turn(width)
        await beside(instructor, [101, 0])
      }
      await instructor.shoot('09-comparison')
      await instructor.press('button', 'Back to the video')
      await instructor.has('[data-sure=true]')
    },
  ],
  [
    'says what there is to see',
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
        // Said kindly; what another browser recorded is heard all the same.
        await instructor.see('text', 'No microphone was found. Connect one, then try again.')
        await instructor.shoot('10-voice')
        await instructor.press('button', 'Close')
        await instructor.has('[data-saved=saved]')
        const file = (await readFile(sampleVoice)).toString('base64')
        await instructor.tab.run(sendVoice, file)
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
    'and delivers it with a summary and a grade',
    async ({ instructor }) => {
      await instructor.press('tab', /^Summary/)
      await instructor.fill('Summary', 'Keep the hands back until the foot is down.')
      await instructor.press('choice', 'Hitting 55, Above average')
      await instructor.has('[data-saved=saved]')
      await instructor.press('button', 'Deliver')
      // It has no goal, and may go without.
      await instructor.press('button', 'Deliver feedback')
      await instructor.arrive(/^\/instructor\/dashboard/)
    },
  ],
  [
    'the player reads it at its frame, hears it and compares, on a phone',
    async ({ player }) => {
      await player.reloadUntil(await player.path(), 'text', 'Keep the hands back until the foot is down.')
      await player.press('button', /Hands drift forward/)
      await player.has('[data-frame="5"][data-sure=true]')
      await player.drawn(0.5, 0.5)
      await player.pictured()
      await player.shoot('11-feedback')

      // Whatever it was recorded with, every browser plays what is made of it.
      await player.holds('the voice as AAC', async () => {
        const { session } = await (await fetch(`/api/folders/${location.pathname.split('/').at(-1)}`)).json()
        const sound = await (await fetch(session.voices[0].url)).text()
        return sound.includes('mp4a') || 'not yet'
      })
      await player.go(await player.path())
      await player.press('button', /^Watch with /)
      await player.has('[data-frame="3"][data-sure=true]')
      await player.holds('half a second heard', () => {
        const position = document.querySelector<HTMLInputElement>('[aria-label="Position in the review"]')
        return Number(position?.value) > 500 || `it is at ${position?.value}`
      })
      await player.press('button', 'Pause')
      await player.press('button', /^Both swings/)
      await beside(player, [100, 0])
      await player.press('button', 'Both: next frame')
      await beside(player, [101, 0])
      await inked(player)
      await player.press('button', /^Contact/)
      await player.burnt(CRACK)
    },
  ],
  [
    'pays with a tip, and holds a receipt',
    async ({ player }) => {
      await player.press('choice', /^20%/)
      await player.press('button', 'Pay $19.80')
      await player.see('heading', 'Paid $19.80')
      await player.press('link', 'See the receipt')
      await player.see('text', '$19.80')
    },
  ],
  [
    'the admin sees every event of it',
    async ({ player, admin }, { admin: its, stamp, last }) => {
      const folder = await player.tab.run(async () => (await (await fetch('/api/folders')).json()).folders[0].id as string)
      await admin.go('/auth')
      await admin.fill('Email', its.email)
      await admin.fill('Password', its.password)
      await admin.press('button', 'Log in')
      await admin.arrive(/^\/admin\/dashboard/)
      await admin.go(`/admin/dashboard?folder=${folder}`)
      for (const words of [
        `Mia Torres created the folder “Tee work ${stamp}”`,
        `Rosa ${last} delivered the feedback, 2 notes`,
        'Mia Torres paid $19.80',
        'The folder was paid',
      ])
        await admin.see('text', words)
      await admin.shoot('12-audit')
    },
  ],
]

/** Waits until each video has its rendition. */
const prepared = (hand: PageDriver) =>
  hand.holds('all videos prepared', async () => {
    const { session } = await (await fetch(`/api/folders/${location.pathname.split('/').at(-1)}`)).json()
    return session.clips.every((c: { rendition?: { state: string } }) => c.rendition?.state === 'ready') || 'not yet'
  })

/** Waits until a comparison shows these frames of both clips, read back from its pictures. */
async function beside(hand: PageDriver, frames: [number, number]) {
  const size = await hand.holds('both clips', () => {
    const { due, shown, state } = document.querySelector<HTMLElement>('[data-state]')?.dataset ?? {}
    if (state !== 'ready' || due !== shown) return `${state}: ${shown} in place of ${due}`
    const { width, height, clientWidth } = document.querySelector<HTMLCanvasElement>('canvas[role=img]')!
    return width === Math.round(clientWidth * Math.min(2, devicePixelRatio)) ? { width, height } : 'it is not laid out yet'
  })
  for (const [i, frame] of frames.entries()) await hand.burnt([frame], 'canvas[role=img]', layOutPictures('side', size, ASPECTS)[i])
}

/** Where a place (0 to 1) of a clip beside another lies in the window. */
async function on(hand: PageDriver, which: 0 | 1, x: number, y: number): Promise<[number, number]> {
  const { box, size } = await hand.tab.run(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas[role=img]')!
    const { left, top, width } = canvas.getBoundingClientRect()
    return { box: { left, top, width }, size: { width: canvas.width, height: canvas.height } }
  })
  const picture = layOutPictures('side', size, ASPECTS)[which]
  const dots = size.width / box.width
  return [box.left + (picture.left + x * picture.width) / dots, box.top + (picture.top + y * picture.height) / dots]
}

/** Waits until the line is there that was drawn over the middle of the first clip, and sees that none is elsewhere. */
async function inked(hand: PageDriver) {
  const look = async (which: 0 | 1, y: number, drawn: boolean) =>
    hand.holds(
      `${drawn ? 'a line' : 'nothing'} on clip ${which + 1}`,
      (which: number, x: number, y: number, drawn: boolean) => {
        const canvas = document.querySelector<HTMLCanvasElement>(`[data-side="${which}"] canvas`)
        if (!canvas) return drawn ? 'there is no layer' : true
        const box = canvas.getBoundingClientRect()
        const dots = canvas.width / box.width
        const [left, top] = [Math.round((x - box.left) * dots) - 3, Math.round((y - box.top) * dots) - 3]
        const { data } = canvas.getContext('2d')!.getImageData(left, top, 7, 7)
        return data.some(value => value > 0) === drawn || 'it is not so'
      },
      which,
      ...(await on(hand, which, 0.5, y)),
      drawn,
    )
  await look(0, 0.5, true)
  await look(0, 0.25, false)
  await look(1, 0.5, false)
}

async function person(hand: PageDriver, its: { first: string; last: string; email: string; born: string; password: string }) {
  await hand.fill('First name', its.first)
  await hand.fill('Last name', its.last)
  await hand.fill('Email', its.email)
  await hand.fill('Phone', '555 123 4567')
  await hand.set('Date of birth', its.born)
  await hand.fill('Password', its.password)
}

import { join } from 'node:path'
import { ensureCustomTestClip, ensureTestClip } from '../support/test-clips.ts'
import type { JourneyStep } from './journey-step-and-people-types.ts'
import type { PageDriver } from './page-driver.ts'

const PHOTO = join(import.meta.dirname, '../../public/img/default-profile.jpeg')

/** A portrait clip at 30 frames per second, with burned-in frame numbers like the clips at 60 and 240. */
const uprightClip = () =>
  ensureCustomTestClip('upright-30.mp4', {
    frames: 60,
    rate: '30',
    width: 216,
    height: 384,
    encode: ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
  })

async function fillRegistration(driver: PageDriver, data: { first: string; last: string; email: string; born: string; password: string }) {
  await driver.fill('First name', data.first)
  await driver.fill('Last name', data.last)
  await driver.fill('Email', data.email)
  await driver.fill('Phone', '555 123 4567')
  await driver.set('Date of birth', data.born)
  await driver.fill('Password', data.password)
}

/** The instructor and the player register, and the player uploads clips and assigns the folder. */
export const registrationAndAssignmentSteps: JourneyStep[] = [
  [
    'an instructor reads the landing page, registers and crops a photo',
    async ({ instructor }, { approve, password, stamp, last }) => {
      await instructor.go('/')
      await instructor.see('button', 'Start now')
      await instructor.shoot('01-landing')
      await instructor.go('/auth?role=instructor')
      await fillRegistration(instructor, { first: 'Rosa', last, email: `rosa.${stamp}@example.com`, born: '1984-06-02', password })
      await instructor.press('choice', 'Baseball')
      await instructor.press('choice', 'Hitting')
      // A resized window or a rotated phone gets the styles of its new width.
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
    'a player registers and creates a folder',
    async ({ player }, { password, stamp }) => {
      await player.go('/auth?role=player')
      await fillRegistration(player, { first: 'Mia', last: 'Torres', email: `mia.${stamp}@example.com`, born: '1999-04-01', password })
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
    'the player uploads and plays clips of 30, 60 and 240 fps',
    async ({ player }, { stamp }) => {
      await player.has('[type=file]')
      await player.tab.files('[type=file]', [await uprightClip(), await ensureTestClip('crack-240.mp4'), await ensureTestClip('60.mp4')])
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
    'the player saves a card and assigns the folder',
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
]

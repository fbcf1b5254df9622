import { samples } from '../support/media.ts'
import type { Hand } from './hand.ts'

/** Who does it, each at a window of their own. */
export interface People {
  player: Hand
  instructor: Hand
  admin: Hand
}
/** What the admin was given, and what tells others apart from those of earlier runs. */
export interface Given {
  admin: { email: string }
  password: string
  stamp: string
  /** The instructor's last name: each engine has a Rosa of its own. */
  last: string
}

/** The main job, step by step, as people do it; the pictures it takes are the same twelve states in every engine. */
export const job: [name: string, step: (people: People, given: Given) => Promise<void>][] = [
  [
    'an instructor registers',
    async ({ instructor }, { password, stamp, last }) => {
      await instructor.go('/auth?role=instructor')
      await person(instructor, { first: 'Rosa', last, email: `rosa.${stamp}@example.com`, born: '1984-06-02', password })
      await instructor.press('choice', 'Baseball')
      await instructor.press('choice', 'Hitting')
      await instructor.shoot('01-register')
      await instructor.press('button', 'Create instructor account')
      await instructor.arrive(/^\/instructor\/dashboard/)
      await instructor.see('text', 'Your queue is empty')
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
      await player.shoot('02-new-folder')
      await player.enter()
      await player.arrive(/^\/player\/folder\//)
    },
  ],
  [
    'two clips go up and play, one of them upright',
    async ({ player }) => {
      await player.has('[type=file]')
      await player.tab.files('[type=file]', [samples.upright, samples.mov])
      await player.see('button', /^Video 2/)
      await player.press('button', /^Video \d: upright/)
      await player.has('[data-sure=true]')
      await player.press('button', 'Play')
      await player.see('button', 'Pause')
      await player.shoot('03-folder')
    },
  ],
  [
    'the player assigns it, with a card saved on the way',
    async ({ player }, { last }) => {
      await player.press('button', 'Assign to an instructor')
      await player.press('choice', new RegExp(`Rosa ${last}`))
      await player.fill(/^Anything they should know/, 'My hands drift.')
      await player.press('button', 'Add a card to go on')
      await player.press('button', /4242 4242 4242 4242/)
      await player.has('[name=number][value^="4242"]')
      await player.fill('Name on card', 'M. Torres')
      await player.press('button', 'Save card')
      await player.see('text', 'Visa ending in 4242')
      await player.shoot('04-assign')
      await player.press('button', 'Assign to Rosa')
      await player.see('button', 'Take it back')
      await player.shoot('05-assigned')
    },
  ],
  [
    'the instructor pins a note to a frame and draws on it',
    async ({ instructor }, { stamp }) => {
      await instructor.reloadUntil('/instructor/dashboard', 'text', '1 folder waits for you')
      await instructor.shoot('06-queue')
      await instructor.press('link', `Review: Tee work ${stamp} of Mia Torres`)
      await instructor.press('button', 'Start the review')
      await instructor.has('[data-saved=saved]')
      await instructor.press('button', /^Video \d: upright/)
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
    },
  ],
  [
    'and delivers it with a summary and a grade',
    async ({ instructor }) => {
      await instructor.press('tab', /^Summary/)
      await instructor.fill('Summary', 'Keep the hands back until the foot is down.')
      await instructor.press('choice', 'Hitting 55, Above average')
      await instructor.has('[data-saved=saved]')
      await instructor.shoot('08-summary')
      await instructor.press('button', 'Deliver')
      // It has no goal, and may go without.
      await instructor.press('button', 'Deliver anyway')
      await instructor.see('text', '1 note, 1 grade and your summary')
      await instructor.shoot('09-deliver')
      await instructor.press('button', 'Deliver feedback')
      await instructor.arrive(/^\/instructor\/dashboard/)
    },
  ],
  [
    'the player reads it at its frame, with the drawing',
    async ({ player }) => {
      await player.reloadUntil(await player.path(), 'text', 'Keep the hands back until the foot is down.')
      await player.press('button', /Hands drift forward/)
      await player.has('[data-frame="5"][data-sure=true]')
      await player.drawn(0.5, 0.5)
      await player.shoot('10-feedback')
    },
  ],
  [
    'pays with a tip, and holds a receipt',
    async ({ player }) => {
      await player.press('choice', /^20%/)
      await player.press('button', 'Pay $19.20')
      await player.see('heading', 'Paid $19.20')
      await player.press('link', 'See the receipt')
      await player.see('text', '$19.20')
      await player.shoot('11-receipt')
    },
  ],
  [
    'the admin sees every event of it',
    async ({ player, admin }, { admin: its, password, stamp, last }) => {
      const folder = await player.tab.run(async () => (await (await fetch('/api/folders')).json()).folders[0].id as string)
      await admin.go('/auth')
      await admin.fill('Email', its.email)
      await admin.fill('Password', password)
      await admin.press('button', 'Log in')
      await admin.arrive(/^\/admin\/dashboard/)
      await admin.go(`/admin/dashboard?folder=${folder}`)
      for (const words of [
        `Mia Torres created the folder “Tee work ${stamp}”`,
        `Rosa ${last} delivered the feedback, 1 note`,
        'The system charged $19.20',
        'The system marked the folder paid',
      ])
        await admin.see('text', words)
      await admin.shoot('12-audit')
    },
  ],
]

async function person(hand: Hand, its: { first: string; last: string; email: string; born: string; password: string }) {
  await hand.fill('First name', its.first)
  await hand.fill('Last name', its.last)
  await hand.fill('Email', its.email)
  await hand.fill('Phone', '555 123 4567')
  await hand.set('Date of birth', its.born)
  await hand.fill('Password', its.password)
}

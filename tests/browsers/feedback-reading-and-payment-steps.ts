import { expectComparedFrames, expectLineOnFirstClip } from './comparison-assertions.ts'
import { ACCEPTED_CONTACT_FRAMES, type JourneyStep } from './journey-step-and-people-types.ts'

/** The player reads the feedback and pays, and an administrator sees all events. */
export const feedbackAndPaymentSteps: JourneyStep[] = [
  [
    'the player reads, hears and compares the feedback on a phone',
    async ({ player }) => {
      await player.reloadUntil(await player.path(), 'text', 'Keep the hands back until the foot is down.')
      await player.press('button', /Hands drift forward/)
      await player.has('[data-frame="5"][data-sure=true]')
      await player.drawn(0.5, 0.5)
      await player.pictured()
      await player.shoot('11-feedback')

      // Every browser can play the AAC that the server makes from any recording.
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
      await expectComparedFrames(player, [100, 0])
      await player.press('button', 'Both: next frame')
      await expectComparedFrames(player, [101, 0])
      await expectLineOnFirstClip(player)
      await player.press('button', /^Contact/)
      await player.waitForFrameNumber(ACCEPTED_CONTACT_FRAMES)
    },
  ],
  [
    'the player pays with a tip and sees the receipt',
    async ({ player }) => {
      await player.press('choice', /^20%/)
      await player.press('button', 'Pay $19.80')
      await player.see('heading', 'Paid $19.80')
      await player.press('link', 'See the receipt')
      await player.see('text', '$19.80')
    },
  ],
  [
    'the administrator sees every event of the folder',
    async ({ player, admin }, { admin: account, stamp, last }) => {
      const folder = await player.tab.run(async () => (await (await fetch('/api/folders')).json()).folders[0].id as string)
      await admin.go('/auth')
      await admin.fill('Email', account.email)
      await admin.fill('Password', account.password)
      await admin.press('button', 'Log in')
      await admin.arrive(/^\/admin\/dashboard/)
      await admin.go(`/admin/dashboard?folder=${folder}`)
      for (const text of [
        `Mia Torres created the folder “Tee work ${stamp}”`,
        `Rosa ${last} delivered the feedback, 2 notes`,
        'Mia Torres paid $19.80',
        'The folder was paid for',
      ])
        await admin.see('text', text)
      await admin.shoot('12-audit')
    },
  ],
]

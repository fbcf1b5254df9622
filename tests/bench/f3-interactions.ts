import type { Page } from '@playwright/test'
import { findHeadlessChromium } from '../../scripts/find-browsers.mjs'
import { measureMinimalPageInteractions } from './bare-page-interaction-baseline.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { type DemoAndBrowser, FAKE_MICROPHONE_ARGS, startDemoAndBrowser } from './demo-and-browser.ts'
import {
  CPU_SLOWDOWN,
  INTERACTION_RECORDER_SCRIPT,
  type InteractionTiming,
  interactionWithMedianDuration,
  MAX_INTERACTION_MS,
  printInteractions,
  slowestInteraction,
  throttleCpu,
} from './interaction-recorder.ts'
import { prioritizeBrowser } from './prioritize-browser.ts'
import { measuredStudioActions, scrubFilmstrip } from './studio-actions.ts'
import { click, pressKey, typeText } from './user-input.ts'

type Act = (page: Page) => Promise<unknown>
interface Scene {
  path: string
  /** A role of the demo or an email address; a visitor if absent. */
  who?: string
  phone?: boolean
  /** Preparation before the measurement. */
  before?: Act
  /** What a person does on one page, in this order. */
  acts: Record<string, Act>
}

const rounds = 3
const press = (name: string | RegExp, role: 'button' | 'tab' | 'radio' | 'link' = 'button'): Act => {
  return page => click(page.getByRole(role, { name, exact: typeof name === 'string' }).first())
}
const field = (page: Page, label: string | RegExp) =>
  page
    .getByRole('textbox', { name: label, exact: true })
    .or(page.getByRole('searchbox', { name: label, exact: true }))
    .first()
/** Types as a person does: the first key follows a moment after the field is focused. */
const write = (label: string | RegExp, text: string): Act => {
  return async page => {
    await click(field(page, label))
    await typeText(page, text)
  }
}
const follow = (prefix: string): Act => {
  return async page => {
    await page.locator(`a[href^="${prefix}"]`).first().click()
    await page.waitForURL(`**${prefix}*`)
    await page.waitForLoadState('networkidle')
  }
}

/** Opens the studio with the first review in the queue. */
const toReview: Act = async page => {
  await follow('/instructor/folder/')(page)
  await page.getByRole('button', { name: 'Note', exact: true }).waitFor()
  await page.locator('[data-sure=true]').waitFor()
}

const scenes: Scene[] = [
  {
    path: '/',
    phone: true,
    acts: {
      'touch and type the email': write('Your email', 'abc'),
      'send it': press('Start now'),
      'type on': write('Your email', 'd@e.example'),
    },
  },
  { path: '/', acts: { 'turn the carousel': press('Next'), 'turn it on': press('Next'), 'and back': press('Previous') } },
  {
    path: '/faq',
    phone: true,
    acts: {
      'open a question': page => click(page.locator('summary').nth(3)),
      another: page => click(page.locator('summary').nth(6)),
    },
  },
  {
    path: '/auth',
    phone: true,
    acts: {
      'choose Register': press('Register', 'tab'),
      'send an empty form': press('Create player account'),
      'type a name': write('First name', 'Anabel'),
      'choose Login': press('Login', 'tab'),
    },
  },
  {
    path: '/player/dashboard',
    who: 'player',
    phone: true,
    acts: {
      'open the menu': press('Menu'),
      'close it': page => pressKey(page, 'Escape'),
      'open New folder': press('New folder'),
      'name it': write('Name', 'Saturday'),
      'close the dialog': page => pressKey(page, 'Escape'),
      'open the chat': async page => {
        // On a phone, the chat button is hidden while it would cover content; at the end of the page there is room for it.
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
        await press('Support Chat')(page)
      },
      'choose in it': press('Ask a Question'),
      'write in it': write('Your request', 'Where is'),
    },
  },
  {
    path: '/player/dashboard',
    who: 'player',
    phone: true,
    before: follow('/player/folder/'),
    acts: {
      'go to a note': page => click(page.locator('ol, ul').getByRole('button').nth(2)),
      'step a frame': press('Next frame'),
      'play it': press('Play'),
      // A short clip may have ended by then.
      'end that': press(/^(Pause|Play)$/),
      'drag over the strip': scrubFilmstrip,
      'choose a tip': page => click(page.getByText('20%', { exact: false }).first()),
      'ask a question': write('Your question', 'Should I'),
    },
  },
  {
    path: '/player/connect-instructor',
    who: 'player',
    phone: true,
    acts: { search: write('Name or invite code', 'Ray'), follow: press(/^(Follow|Unfollow) /) },
  },
  {
    path: '/instructor/dashboard',
    who: 'instructor',
    before: toReview,
    acts: {
      'step a frame by key': page => pressKey(page, '.'),
      'step by arrow on the strip': async page => {
        await page.getByRole('slider', { name: 'Position' }).focus()
        await pressKey(page, 'ArrowRight')
      },
      'drag over the strip': scrubFilmstrip,
      'make a note': press('Note'),
      'write it': page => typeText(page, 'Hands back'),
      'go to the summary': press('Summary', 'tab'),
      'write the summary': async page => {
        await click(page.getByRole('textbox', { name: 'Summary' }))
        await typeText(page, 'Good load.')
      },
      'give a grade': page => click(page.locator('label', { has: page.getByLabel(/^Hitting 55/) })),
      'open Deliver': press('Deliver'),
    },
  },
  { path: '/instructor/dashboard', who: 'instructor', before: toReview, acts: measuredStudioActions },
  {
    path: '/instructor/profile-editor',
    who: 'instructor',
    acts: {
      'write about oneself': write(/^About/, 'Twenty years'),
      'choose a skill': page => click(page.getByText('Catching').first()),
    },
  },
  {
    path: '/admin/dashboard',
    who: 'admin',
    acts: { 'open a raw event': press(/^Raw event/), 'filter by stream': write('Stream', 'folder') },
  },
]

/**
 * F3: the time from a key or button press to the next frame, with a CPU four times slower; and layout shifts without input. Runs in
 * Chromium's headless shell, because without a display, the full browser reports a frame of a page with a paused video only when it draws
 * the next one.
 */
export default async function measureInteractions(): Promise<BenchmarkFigure[]> {
  const site = await startDemoAndBrowser(findHeadlessChromium(), FAKE_MICROPHONE_ARGS)
  await prioritizeBrowser(site.browser)
  const took = new Map<string, InteractionTiming[]>()
  const shifts: { path: string; shift: number }[] = []
  const bare: InteractionTiming[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      bare.push(...(await measureMinimalPageInteractions(site)).map(([, button]) => button))
      for (const scene of scenes) shifts.push({ path: scene.path, shift: await play(site, scene, took) })
    }
    for (const path of site.paths) shifts.push({ path, shift: await play(site, { path, phone: true, acts: {} }, took) })
  } finally {
    await site.stop()
  }
  const all = [...took].map(([name, values]) => [name, interactionWithMedianDuration(values)] as const)
  printInteractions(all)
  const [name, most] = all.reduce((a, b) => (b[1].duration > a[1].duration ? b : a))
  const moved = shifts.reduce((a, b) => (b.shift > a.shift ? b : a))
  return [
    {
      id: 'F3',
      name: `slowest of ${all.length} interactions at ${CPU_SLOWDOWN} × CPU (${name})`,
      value: most.duration,
      unit: 'ms',
      bar: MAX_INTERACTION_MS,
      better: 'less',
    },
    { id: 'F3', name: `layout shift, maximum (${moved.path})`, value: moved.shift, unit: '', bar: 0, better: 'less' },
    { id: 'F3', name: 'a bare button in an empty page, in the same run', value: interactionWithMedianDuration(bare).duration, unit: 'ms' },
  ]
}

/** Plays a scene in a browser with an empty cache. Each act's slowest interaction is added to `took`. Returns the layout shift. */
async function play(
  { browser, url, signedIn }: DemoAndBrowser,
  { path, who, phone, before, acts }: Scene,
  took: Map<string, InteractionTiming[]>,
) {
  const viewport = phone ? { width: 390, height: 844 } : { width: 1440, height: 900 }
  const context = await browser.newContext({ ...(who ? await signedIn(who) : { baseURL: url }), viewport, permissions: ['microphone'] })
  try {
    const page = await context.newPage()
    await page.addInitScript(INTERACTION_RECORDER_SCRIPT)
    await page.goto(path, { waitUntil: 'networkidle' })
    await before?.(page)
    await throttleCpu(await context.newCDPSession(page))
    for (const [name, act] of Object.entries(acts)) {
      await act(page)
      const known = took.get(`${path}: ${name}`) ?? []
      took.set(`${path}: ${name}`, [...known, await slowestInteraction(page)])
    }
    return Math.round((await page.evaluate(() => window.shifted)) * 1000) / 1000
  } finally {
    await context.close()
  }
}

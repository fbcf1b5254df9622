import type { Page } from '@playwright/test'
import { headlessChromium } from '../../scripts/chromium.mjs'
import type { Figure } from './figure.ts'
import { settled, watch } from './interactions.ts'
import { median } from './load.ts'
import { scrub, studioActs } from './studio-acts.ts'
import { HEARD, type Visitors, visitors } from './visitors.ts'

type Act = (page: Page) => Promise<unknown>
interface Scene {
  path: string
  /** A role of the demo, or an address; nobody if absent. */
  who?: string
  phone?: boolean
  /** What comes before anything is measured. */
  before?: Act
  /** What a person does, one after the other, on one page. */
  acts: Record<string, Act>
}

const rounds = 3
const slower = 4
/** A finger rests on what it presses, ms; less, and what the touch itself does is counted to the click. */
const rest = { delay: 60 }
const press = (name: string | RegExp, role: 'button' | 'tab' | 'radio' | 'link' = 'button'): Act => {
  return page =>
    page
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click(rest)
}
const field = (page: Page, label: string | RegExp) =>
  page
    .getByRole('textbox', { name: label, exact: true })
    .or(page.getByRole('searchbox', { name: label, exact: true }))
    .first()
/** As a person does: the first key comes a moment after the field is touched. */
const type = (label: string | RegExp, text: string): Act => {
  return async page => {
    await field(page, label).click()
    await page.waitForTimeout(300)
    await page.keyboard.type(text, { delay: 60 })
  }
}
const follow = (prefix: string): Act => {
  return async page => {
    await page.locator(`a[href^="${prefix}"]`).first().click()
    await page.waitForURL(`**${prefix}*`)
    await page.waitForLoadState('networkidle')
  }
}

/** The studio with the review that is waited for. */
const toReview: Act = async page => {
  await follow('/instructor/folder/')(page)
  const start = page.getByRole('button', { name: 'Start the review' })
  const note = page.getByRole('button', { name: 'Note', exact: true })
  await start.or(note).first().waitFor()
  if (await start.isVisible()) await start.click()
  await note.waitFor()
  await page.locator('[data-sure=true]').waitFor()
}

const scenes: Scene[] = [
  {
    path: '/',
    phone: true,
    acts: {
      'touch and type the email': type('Your email', 'abc'),
      'send it': press('Start now'),
      'type on': type('Your email', 'd@e.example'),
    },
  },
  { path: '/', acts: { 'turn the carousel': press('Next'), 'turn it on': press('Next'), 'and back': press('Previous') } },
  {
    path: '/faq',
    phone: true,
    acts: {
      'open a question': page => page.locator('summary').nth(3).click(rest),
      another: page => page.locator('summary').nth(6).click(rest),
    },
  },
  {
    path: '/auth',
    phone: true,
    acts: {
      'choose Register': press('Register', 'tab'),
      'send an empty form': press('Create player account'),
      'type a name': type('First name', 'Anabel'),
      'choose Login': press('Login', 'tab'),
    },
  },
  {
    path: '/player/dashboard',
    who: 'player',
    phone: true,
    acts: {
      'open the menu': press('Menu'),
      'close it': page => page.keyboard.press('Escape'),
      'open New folder': press('New folder'),
      'name it': type('Name', 'Saturday'),
      'close the dialog': page => page.keyboard.press('Escape'),
      'open the chat': press('Support Chat'),
      'choose in it': press('Ask a Question'),
      'write in it': type('Your request', 'Where is'),
    },
  },
  {
    path: '/player/dashboard',
    who: 'player',
    phone: true,
    before: follow('/player/folder/'),
    acts: {
      'go to a note': page => page.locator('ol, ul').getByRole('button').nth(2).click(rest),
      'step a frame': press('One frame on'),
      'play it': press('Play'),
      'end that': press('Pause'),
      'drag over the strip': scrub,
      'choose a tip': page => page.getByText('20%', { exact: false }).first().click(rest),
      'ask a question': type('Your question', 'Should I'),
    },
  },
  {
    path: '/player/connect-instructor',
    who: 'player',
    phone: true,
    acts: { search: type('Name or invite code', 'Ray'), follow: press(/^(Follow|Unfollow) /) },
  },
  {
    path: '/instructor/dashboard',
    who: 'instructor',
    before: toReview,
    acts: {
      'step a frame by key': page => page.keyboard.press('.'),
      'step by arrow on the strip': page => page.getByRole('slider', { name: 'Position' }).press('ArrowRight'),
      'drag over the strip': scrub,
      'make a note': press('Note'),
      'write it': page => page.keyboard.type('Hands back', { delay: 40 }),
      'go to the summary': press('Summary', 'tab'),
      'write the summary': async page => {
        await page.getByRole('textbox', { name: 'Summary' }).click(rest)
        await page.keyboard.type('Good load.', { delay: 40 })
      },
      'give a grade': page => page.getByLabel(/^Hitting 55/).click(rest),
      'open Deliver': press('Deliver'),
    },
  },
  { path: '/instructor/dashboard', who: 'instructor', before: toReview, acts: studioActs },
  {
    path: '/instructor/profile-editor',
    who: 'instructor',
    acts: {
      'write about oneself': type(/^About/, 'Twenty years'),
      'choose a skill': page => page.getByText('Catching').first().click(rest),
    },
  },
  {
    path: '/admin/dashboard',
    who: 'admin',
    acts: { 'open a raw event': press(/^Raw event/), 'filter by stream': type('Stream', 'folder') },
  },
]

/**
 * F3: from the press of a key or a button to the next frame, at a quarter of this machine's speed; and what moves on its own meanwhile.
 * In Chromium's shell: the whole browser, where it has no display, tells of a frame beside a still video only when it draws the next.
 */
export default async function f3(): Promise<Figure[]> {
  const site = await visitors(headlessChromium(), HEARD)
  const took = new Map<string, number[]>()
  const shifts: { path: string; shift: number }[] = []
  const bare: number[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      bare.push(await reference(site))
      for (const scene of scenes) shifts.push({ path: scene.path, shift: await play(site, scene, took) })
    }
    for (const path of site.paths) shifts.push({ path, shift: await play(site, { path, phone: true, acts: {} }, took) })
  } finally {
    await site.stop()
  }
  const medians = [...took].map(([name, values]) => ({ name, value: median(values) })).sort((a, b) => b.value - a.value)
  for (const { name, value } of medians) console.log(`${String(value).padStart(5)} ms  ${name}`)
  const [slowest] = medians
  const moved = shifts.reduce((a, b) => (b.shift > a.shift ? b : a))
  return [
    {
      id: 'F3',
      name: `slowest of ${medians.length} interactions at ${slower} × CPU (${slowest!.name})`,
      value: slowest!.value,
      unit: 'ms',
      bar: 50,
      better: 'less',
    },
    { id: 'F3', name: `layout shift, the most (${moved.path})`, value: moved.shift, unit: '', bar: 0, better: 'less' },
    { id: 'F3', name: 'a bare button in an empty page, in the same run', value: median(bare), unit: 'ms' },
  ]
}

/** Plays a scene in a browser that has seen nothing. Each act's slowest event goes to `took`, in ms (16 where it was less than that). Answers the layout shift. */
async function play({ browser, url, signedIn }: Visitors, { path, who, phone, before, acts }: Scene, took: Map<string, number[]>) {
  const viewport = phone ? { width: 390, height: 844 } : { width: 1440, height: 900 }
  const context = await browser.newContext({ ...(who ? await signedIn(who) : { baseURL: url }), viewport, permissions: ['microphone'] })
  try {
    const page = await context.newPage()
    await page.addInitScript(watch)
    await page.goto(path, { waitUntil: 'networkidle' })
    await before?.(page)
    const cdp = await context.newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower })
    for (const [name, act] of Object.entries(acts)) {
      await act(page)
      const slowest = await page.evaluate(settled)
      const known = took.get(`${path}: ${name}`) ?? []
      took.set(`${path}: ${name}`, [...known, Math.max(16, slowest)])
    }
    return Math.round((await page.evaluate(() => window.shifted)) * 1000) / 1000
  } finally {
    await context.close()
  }
}

/** What the machine takes at best: the slowest of ten presses of a button that does next to nothing. */
async function reference({ browser, url }: Visitors) {
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  await page.goto('/robots.txt')
  await page.evaluate(watch)
  await page.evaluate(() => {
    const button = document.body.appendChild(document.createElement('button'))
    button.textContent = 'Press'
    button.onclick = () => button.append('.')
  })
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower })
  for (let i = 0; i < 10; i++) await page.getByRole('button').click()
  const slowest = await page.evaluate(settled)
  await context.close()
  return Math.max(16, slowest)
}

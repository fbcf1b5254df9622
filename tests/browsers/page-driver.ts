import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBurnedInFrameNumber } from '../support/read-burned-in-frame-number.ts'
import { type BrowserTab, ENTER_KEY } from './browser-interface.ts'

/** The kinds of elements that a person finds on a page by their accessible name. */
export type ElementKind = 'button' | 'link' | 'field' | 'choice' | 'tab' | 'heading' | 'text'
export type PageDriver = ReturnType<typeof createPageDriver>

export const SCREENSHOT_WIDTHS = [390, 820, 1440] as const
/** How long to wait for a condition on a page. */
const WAIT_LIMIT_MS = 30_000

/**
 * Creates a driver that acts like a person at a browser. `home`: the site's URL; `wide`: the window's initial width in CSS pixels;
 * `folder`: where `shoot` saves screenshots, if at all.
 */
export function createPageDriver(tab: BrowserTab, { home, wide, folder }: { home: string; wide: number; folder?: string | undefined }) {
  const HEIGHT = 900

  /** Repeats `ask` until it returns anything but a string; a string says what is missing. @throws Error after `WAIT_LIMIT_MS` */
  async function until<T>(what: string, ask: () => Promise<T | string>): Promise<T> {
    const late = Date.now() + WAIT_LIMIT_MS
    for (;;) {
      // During a navigation, the call to the old page throws, so try again on the new page.
      const answer = await Promise.race([ask(), sleep(WAIT_LIMIT_MS, 'does not answer', { ref: false })]).catch(
        (error: Error) => error.message,
      )
      if (typeof answer !== 'string') return answer
      if (Date.now() > late) throw new Error(`${what}: ${answer} (${await tab.run(() => location.pathname).catch(() => 'no page')})`)
      await sleep(60)
    }
  }
  const named = (name: string | RegExp) => (typeof name === 'string' ? { exact: name } : { pattern: name.source })
  const where = (kind: ElementKind, name: string | RegExp) => until(`${kind} “${name}”`, () => tab.run(find, kind, named(name)))

  const driver = {
    tab,
    go: (path: string) => tab.go(new URL(path, home).href),
    path: () => tab.run(() => location.pathname),
    see: (kind: ElementKind, name: string | RegExp) => where(kind, name).then(() => {}),
    /** Waits until the path of the page matches. */
    arrive: (path: RegExp) => until(`address ${path}`, async () => path.test(await driver.path()) || 'is another'),
    /** Waits until an element exists, visible or not. */
    has: (selector: string) => until(selector, () => tab.run(s => Boolean(document.querySelector(s)) || 'is not there', selector)),
    /** Reloads the page until it shows an element that depends on other people or on the server. */
    async reloadUntil(path: string, kind: ElementKind, name: string | RegExp) {
      await until(`${kind} “${name}” after loading ${path} again`, async () => {
        await driver.go(path)
        for (let i = 0; i < 20; i++) {
          if (typeof (await tab.run(find, kind, named(name))) !== 'string') return true
          await sleep(100)
        }
        return 'is not there'
      })
    },
    async press(kind: ElementKind, name: string | RegExp) {
      // The element may have moved since it was found, so press again if the click missed.
      for (let i = 0; i < 3; i++) {
        const { x, y } = await where(kind, name)
        await tab.run(awaitClick)
        await tab.mouse([[x, y]])
        const pressed = () => tab.run(clicked).catch(() => true)
        for (let j = 0; j < 20; j++) {
          if (await pressed()) return
          await sleep(50)
        }
      }
      throw new Error(`${kind} “${name}” gets no click.`)
    },
    async fill(name: string | RegExp, text: string) {
      await driver.press('field', name)
      await until(`cursor in “${name}”`, () => tab.run(emptied))
      await tab.type(text)
    },
    /** Sets the value of a date, slider or select directly, because each engine has its own picker. */
    async set(name: string | RegExp, value: string) {
      await where('field', name)
      await tab.run(setValue, named(name), value)
    },
    keys: (text: string) => tab.type(text),
    enter: () => tab.type(ENTER_KEY),
    /** Drags over the video along these points, whose coordinates run from 0 to 1. */
    async draw(way: [number, number][]) {
      const { left, top, width, height } = await tab.run(pictureBox)
      await tab.mouse(way.map(([x, y]) => [left + x * width, top + y * height]))
    },
    /** Waits until something is drawn at a point of the video. */
    drawn: (x: number, y: number) => until(`ink at ${x}, ${y}`, () => tab.run(inkAt, x, y)),
    /**
     * Runs a function in the page until it returns anything but a string; a string says what is missing. The function must not use
     * variables from outside.
     */
    holds: <R, A extends unknown[]>(what: string, work: (...args: A) => R | string, ...args: A) =>
      until(what, () => tab.run(work, ...args) as Promise<R | string>),
    /** Waits until the video, or a part of a canvas, shows one of these burned-in numbers. */
    waitForFrameNumber: (numbers: number[], selector = '[data-drawing-stage] video', part?: Part) =>
      until(`number ${numbers} in ${selector}`, async () => {
        const number = await tab.run(readFrameNumberOfPicture, selector, part ?? null)
        return numbers.includes(number) || `it is ${number}`
      }),
    /** Waits until the screen shows the video's current frame, which an engine may lose when the layout changes. */
    pictured: () =>
      until('the picture on the screen', async () => {
        await tab.run(() => document.querySelector('[data-drawing-stage] video')!.scrollIntoView({ block: 'center', behavior: 'instant' }))
        return tab.run(screened, (await tab.picture()).toString('base64'))
      }),
    /** Resizes the page to this width, or back to its initial one. */
    turn: (width = wide) => tab.resize(width, HEIGHT),
    /** Saves screenshots at the three widths. */
    async shoot(name: string) {
      if (!folder) return
      await mkdir(folder, { recursive: true })
      for (const width of SCREENSHOT_WIDTHS) {
        await tab.resize(width, HEIGHT)
        await tab.run(settled)
        await writeFile(join(folder, `${name}-${width}.png`), await tab.picture())
      }
      await driver.turn()
    },
  }
  return driver
}

/**
 * Runs in the page. Scrolls the element into view and remembers it for `awaitClick`. Returns the point where it can be pressed, or a string
 * that says why it cannot.
 */
async function find(kind: ElementKind, { exact, pattern }: { exact?: string; pattern?: string }) {
  // Elements move until the styles have loaded.
  if (document.readyState !== 'complete') return 'is loading'
  const selectors = {
    button: 'button, [role=button], summary',
    link: 'a[href]',
    field: 'input, textarea, select',
    choice: '[type=radio], [type=checkbox]',
    tab: '[role=tab]',
    heading: 'h1, h2, h3, h4',
    text: 'body *',
  }
  const tidy = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
  const called = (e: Element): string => {
    const by = e.getAttribute('aria-labelledby')
    if (by)
      return tidy(
        by
          .split(' ')
          .map(id => document.getElementById(id)?.textContent)
          .join(' '),
      )
    return tidy(e.getAttribute('aria-label') ?? ((e as HTMLInputElement).labels?.[0] ?? e).textContent)
  }
  const fits = (text: string) =>
    exact === undefined ? new RegExp(pattern!).test(text) : kind === 'text' ? text.includes(exact) : text === exact
  const seen = (e: Element) => e.getClientRects().length > 0 && getComputedStyle(e).visibility === 'visible'
  const all = [...document.querySelectorAll(selectors[kind])].filter(e => seen(e) && fits(called(e)))
  // Take the innermost of nested elements.
  const element = all.find(e => kind !== 'text' || !all.some(other => other !== e && e.contains(other)))
  if (!element) return 'is not there'
  if ((element as HTMLButtonElement).disabled || element.getAttribute('aria-disabled') === 'true') return 'is disabled'
  // A visually hidden checkbox or radio button is clicked through its label.
  const label = (element as HTMLInputElement).labels?.[0]
  const target = kind === 'choice' && label && element.getBoundingClientRect().width < 4 ? label : element
  const middle = () => {
    const { left, top, width, height } = target.getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2 }
  }
  const hit = () => {
    const at = document.elementFromPoint(middle().x, middle().y)
    return at && (target.contains(at) || at.contains(target) || label?.contains(at)) ? undefined : at
  }
  // Scroll the target to the middle of the window, or a little lower or higher if something covers it there.
  if (hit() !== undefined) target.scrollIntoView({ block: 'center', behavior: 'instant' })
  for (const part of [0.75, 0.6, 0.3, 0.85])
    if (hit() !== undefined) scrollBy({ top: middle().y - part * innerHeight, behavior: 'instant' })
  const before = middle()
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  const { x, y } = middle()
  if (Math.abs(x - before.x) + Math.abs(y - before.y) > 1) return 'is moving'
  const over = hit()
  if (over !== undefined && kind !== 'text' && kind !== 'heading') return `lies under ${over?.outerHTML.slice(0, 80)}`
  Object.assign(window, { pressing: target })
  return { x, y }
}

/** Runs in the page. Listens for a click on the element that was found last. */
function awaitClick() {
  const state = window as { pressing?: Element; clicked?: boolean }
  const target = state.pressing!
  state.clicked = false
  const onClick = (e: Event) => {
    const at = e.target as Element
    state.clicked ||= target.contains(at) || at.contains(target)
  }
  addEventListener('click', onClick, { capture: true })
}
/** Runs in the page. Whether the element was clicked; also true on a new page, which the click may have opened. */
function clicked() {
  return (window as { clicked?: boolean }).clicked !== false
}

function emptied() {
  const field = document.activeElement as HTMLInputElement | null
  if (!field || !('select' in field)) return 'is elsewhere'
  field.select()
  return true
}

function setValue({ exact, pattern }: { exact?: string; pattern?: string }, value: string) {
  const fits = (text: string | null | undefined) => (exact === undefined ? new RegExp(pattern!).test(text ?? '') : text?.trim() === exact)
  const all = [...document.querySelectorAll<HTMLInputElement>('input, select')]
  const field = all.find(e => fits(e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent))!
  // React overrides the setter of the element, so call the one of its prototype.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!.set!.call(field, value)
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
}

/** Runs in the page. The rectangle of the window that the video's frame fills. */
function pictureBox() {
  const video = document.querySelector<HTMLVideoElement>('[data-drawing-stage] video')!
  const box = video.getBoundingClientRect()
  const scale = Math.min(box.width / video.videoWidth, box.height / video.videoHeight)
  const [width, height] = [video.videoWidth * scale, video.videoHeight * scale]
  return { left: box.left + (box.width - width) / 2, top: box.top + (box.height - height) / 2, width, height }
}

function inkAt(x: number, y: number) {
  const canvas = document.querySelector<HTMLCanvasElement>('[data-drawing-stage] [data-drawn]')!
  const video = document.querySelector<HTMLVideoElement>('[data-drawing-stage] video')!
  const scale = Math.min(canvas.width / video.videoWidth, canvas.height / video.videoHeight)
  const [left, top] = [canvas.width / 2 + (x - 0.5) * video.videoWidth * scale, canvas.height / 2 + (y - 0.5) * video.videoHeight * scale]
  const { data } = canvas.getContext('2d')!.getImageData(Math.round(left) - 2, Math.round(top) - 2, 5, 5)
  return data.some(value => value > 0) || 'nothing is drawn'
}

interface Part {
  left: number
  top: number
  width: number
  height: number
}

/**
 * Runs in the page. Returns the number burned into a <video> or a part of a <canvas>. The function is built here, from text that includes
 * `readBurnedInFrameNumber`, because a page's content security policy forbids building functions from text there.
 */
const readFrameNumberOfPicture = new Function(
  'selector',
  'part',
  `const readBurnedInFrameNumber = ${readBurnedInFrameNumber}
  const of = document.querySelector(selector)
  if (!of) return -1
  const whole = { left: 0, top: 0, width: of.videoWidth ?? of.width, height: of.videoHeight ?? of.height }
  const { left, top, width, height } = part ?? whole
  const cut = document.createElement('canvas')
  Object.assign(cut, { width: Math.round(width), height: Math.round(height) })
  cut.getContext('2d').drawImage(of, -Math.round(left), -Math.round(top))
  return readBurnedInFrameNumber(cut, cut.width, cut.height)`,
) as (selector: string, part: Part | null) => number

/** Whether the middle of the stage looks the same in this PNG of the screen as in the video's current frame. */
async function screened(png: string) {
  const video = document.querySelector<HTMLVideoElement>('[data-drawing-stage] video')!
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(png), c => c.charCodeAt(0))], { type: 'image/png' }))
  const dots = bitmap.width / innerWidth
  const box = video.getBoundingClientRect()
  const scale = Math.min(box.width / video.videoWidth, box.height / video.videoHeight)
  const part = 0.4
  const mean = (picture: CanvasImageSource, x: number, y: number, width: number, height: number) => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 16
    const context = canvas.getContext('2d')!
    context.drawImage(picture, x - (width * part) / 2, y - (height * part) / 2, width * part, height * part, 0, 0, 16, 16)
    const { data } = context.getImageData(0, 0, 16, 16)
    return [0, 1, 2].map(channel => data.filter((_, i) => i % 4 === channel).reduce((sum, value) => sum + value, 0) / 256)
  }
  const held = mean(video, video.videoWidth / 2, video.videoHeight / 2, video.videoWidth, video.videoHeight)
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
  const seen = mean(bitmap, x * dots, y * dots, video.videoWidth * scale * dots, video.videoHeight * scale * dots)
  const off = Math.max(...held.map((value, i) => Math.abs(value - seen[i]!)))
  return off < 40 || `it is ${seen.map(Math.round)} and should be ${held.map(Math.round)}`
}

async function settled() {
  await document.fonts.ready
  // Images below the fold may not load until they are scrolled to.
  const seen = [...document.images].filter(
    ({ x, y, width, height }) => x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0,
  )
  const late = new Promise(done => setTimeout(done, 5000))
  await Promise.race([late, Promise.all(seen.map(image => image.complete || image.decode().catch(() => {})))])
  for (let i = 0; i < 3; i++) await new Promise(done => requestAnimationFrame(done))
}

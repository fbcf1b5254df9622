import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { findMiniBrowser, findWebkitDriver } from '../../scripts/find-browsers.mjs'
import { findFreePort } from '../../src/embedded/find-free-port.ts'
import {
  type BrowserTab,
  expressionOfCall,
  type JourneyBrowser,
  webDriverDragActions,
  webDriverTypingActions,
} from './browser-interface.ts'

/** Controls WebKitGTK through WebDriver on a virtual display. A driver can hold only one session, so each person gets a driver. */
export async function launchWebKitForJourney(): Promise<JourneyBrowser> {
  const drivers: Driver[] = []
  const browser: JourneyBrowser = {
    name: 'WebKit',
    // Debian's WebKitGTK cannot record sound.
    microphone: false,
    close: async () => {
      await Promise.all(drivers.map(d => d.end()))
    },
    person: async () => {
      const driver = await started()
      drivers.push(driver)
      const { capabilities } = await driver.send('POST', '', {
        capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: findMiniBrowser(), args: ['--automation'] } } },
      })
      browser.name = `WebKitGTK ${capabilities.browserVersion}`
      return driver.bare()
    },
  }
  return browser
}

/** The browser's own window has a toolbar that keeps it wider than a phone; a window that a page opens may have none. */
const OPENER = `data:text/html,<button style="width:300px;height:300px" onclick="open('about:blank','','width=390,height=900,toolbar=no,menubar=no,location=no')">Open</button>`

type Driver = Awaited<ReturnType<typeof started>>
async function started() {
  const port = await findFreePort()
  const child = spawn('xvfb-run', ['-a', '-s', '-screen 0 1600x1200x24', findWebkitDriver()!, `--port=${port}`], {
    detached: true,
    stdio: 'ignore',
    // No desktop integration: no accessibility bus, and a fixed scale.
    env: { ...process.env, NO_AT_BRIDGE: '1', GDK_SCALE: '1', GSETTINGS_BACKEND: 'memory' },
  })
  const ended = () => {
    try {
      // Kill the whole process group: display, driver and browser.
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // The process has ended already.
    }
  }
  process.once('exit', ended)
  const root = `http://127.0.0.1:${port}`
  while (!(await fetch(`${root}/status`).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${child.exitCode}.`)
    await sleep(50)
  }
  let session = ''
  async function send(method: string, path: string, body?: object): Promise<Json> {
    const reply = await fetch(`${root}/session${session}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await reply.json()) as Json
    if (!reply.ok) throw new Error(`${value.error}: ${value.message}`)
    if (value?.sessionId) session = `/${value.sessionId}`
    return value
  }
  const act = (actions: object) => send('POST', '/actions', { actions })
  const run: BrowserTab['run'] = async (work, ...args) => {
    const script = `const done = arguments[0]; ${expressionOfCall(work, args)}.then(done, error => done('!' + error))`
    const answer: string = await send('POST', '/execute/async', { script, args: [] })
    if (answer.startsWith('!')) throw new Error(answer.slice(1))
    return JSON.parse(answer)
  }
  const problems: string[] = []
  const tab = (): BrowserTab => ({
    go: async url => {
      await send('POST', '/url', { url })
    },
    run,
    mouse: way => act(webDriverDragActions(way)),
    type: text => act(webDriverTypingActions(text)),
    files: async (selector, paths) => {
      const element = Object.values(await send('POST', '/element', { using: 'css selector', value: selector }))[0]
      await send('POST', `/element/${element}/value`, { text: paths.join('\n') })
    },
    resize: async (width, height) => {
      // The window's frame takes part of its size. While a window is still being resized, it reports a page that is wider than the window.
      const around = async () => {
        const [rect, [w, h]] = [await send('GET', '/window/rect'), await run(() => [innerWidth, innerHeight])]
        return [Math.max(0, rect.width - w!), Math.max(0, rect.height - h!)] as const
      }
      for (let i = 0; i < 2; i++) {
        const [x, y] = await around()
        await send('POST', '/window/rect', { width: width + x, height: height + y })
      }
      // The page takes a while to get its new size, and never gets it if the window cannot be that narrow, so wait for a second at most.
      for (let i = 0; i < 20 && (await run(() => innerWidth)) !== width; i++) await sleep(50)
    },
    picture: async () => Buffer.from(await send('GET', '/screenshot'), 'base64'),
    problems: async () => problems,
  })
  return {
    send,
    /** Opens a window without a toolbar and uses that window from now on. */
    bare: async () => {
      const first = await send('GET', '/window')
      const page = tab()
      await page.go(OPENER)
      await page.mouse([[50, 50]])
      let handle: string | undefined
      while (!handle) handle = (await send('GET', '/window/handles')).find((h: string) => h !== first)
      await send('POST', '/window', { handle })
      return page
    },
    end: async () => {
      await send('DELETE', '').catch(() => {})
      process.off('exit', ended)
      ended()
    },
  }
}
// biome-ignore lint/suspicious/noExplicitAny: what comes is the protocol's
type Json = any

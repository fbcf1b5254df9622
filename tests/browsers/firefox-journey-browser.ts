import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFirefox } from '../../scripts/find-browsers.mjs'
import { expressionOfCall, type JourneyBrowser, webDriverDragActions, webDriverTypingActions } from './browser-interface.ts'

const prefs = {
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'ui.prefersReducedMotion': 1,
  // Otherwise Firefox ignores clicks and key presses during a page's first moments.
  'dom.input_events.security.minNumTicks': 0,
  'dom.input_events.security.minTimeElapsedInMS': 0,
  // Grants the microphone without a prompt.
  'media.navigator.permission.disabled': true,
}

/** Firefox's error for a script that was still loading when the page was left. */
const LEFT = /^TypeError: error loading dynamically imported module/

/** Controls Firefox through WebDriver BiDi, which it implements itself, without a separate driver. */
export async function launchFirefoxForJourney(): Promise<JourneyBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'firefox-'))
  await writeFile(
    join(home, 'user.js'),
    Object.entries(prefs)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value})\n`)
      .join(''),
  )
  const child = spawn(findFirefox()!, ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port=0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: home },
  })
  const gone = once(child, 'exit')
  const ended = () => child.kill('SIGKILL')
  process.once('exit', ended)
  let address: string | undefined
  for await (const line of createInterface({ input: child.stderr })) {
    address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (address) break
  }
  if (!address) throw new Error('Firefox ended before it listened.')
  child.stderr.resume()

  const { send, hear } = await connected(`${address}/session`)
  const { capabilities } = await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded', 'script.message'] })
  const problems = new Map<string, string[]>()
  hear(({ source, ...event }) => {
    const its = problems.get(source?.context)
    if (event.channel === 'broken-policy') its?.push(event.data.value)
    else if (event.level === 'error' && !LEFT.test(event.text)) its?.push(event.text)
  })
  return {
    name: `Firefox ${capabilities.browserVersion.split('.')[0]}`,
    microphone: true,
    close: async () => {
      child.kill('SIGKILL')
      await gone
      process.off('exit', ended)
      await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
    person: async () => {
      const { userContext } = await send('browser.createUserContext')
      // Firefox reports policy violations as events of the document, but not in BiDi's log, so a script in each page listens for them.
      await send('script.addPreloadScript', {
        functionDeclaration: `tell => addEventListener('securitypolicyviolation', e => tell('policy: ' + e.violatedDirective + ' ' + e.blockedURI))`,
        arguments: [{ type: 'channel', value: { channel: 'broken-policy' } }],
        userContexts: [userContext],
      })
      // Firefox provides its fake microphone, which hums, only if a page requests it, so this script adds `fake: true` to each request.
      await send('script.addPreloadScript', {
        functionDeclaration: `() => {
          const devices = navigator.mediaDevices
          const ask = devices?.getUserMedia.bind(devices)
          if (ask) devices.getUserMedia = wanted => ask({ ...wanted, fake: true })
          // Without a sound card, Firefox plays no sound unless a script consumes the audio.
          const { play } = HTMLMediaElement.prototype
          HTMLMediaElement.prototype.play = function () {
            if (this instanceof HTMLAudioElement) this.taken ??= this.mozCaptureStream()
            return play.call(this)
          }
        }`,
        userContexts: [userContext],
      })
      // Open a window instead of a tab, because a background tab does not render.
      const { context } = await send('browsingContext.create', { type: 'window', userContext })
      problems.set(context, [])
      const act = async (actions: object[]) => {
        // Keyboard input goes to the active window.
        await send('browsingContext.activate', { context })
        await send('input.performActions', { context, actions })
      }
      return {
        go: url => send('browsingContext.navigate', { context, url, wait: 'complete' }),
        run: async (work, ...args) => {
          const { result, exceptionDetails } = await send('script.evaluate', {
            expression: expressionOfCall(work, args),
            target: { context },
            awaitPromise: true,
            userActivation: true,
          })
          if (exceptionDetails) throw new Error(exceptionDetails.text)
          return JSON.parse(result.value)
        },
        mouse: way => act(webDriverDragActions(way)),
        type: text => act(webDriverTypingActions(text)),
        files: async (selector, files) => {
          const { nodes } = await send('browsingContext.locateNodes', { context, locator: { type: 'css', value: selector } })
          await send('input.setFiles', { context, element: { sharedId: nodes[0].sharedId }, files })
        },
        resize: (width, height) => send('browsingContext.setViewport', { context, viewport: { width, height } }),
        picture: async () => Buffer.from((await send('browsingContext.captureScreenshot', { context })).data, 'base64'),
        problems: async () => problems.get(context)!,
      }
    },
  }
}

/** Opens a BiDi connection that sends commands and receives events. */
async function connected(address: string) {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('Firefox does not answer.'))
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const listeners: ((event: Json) => void)[] = []
  socket.onmessage = ({ data }) => {
    const { id, type, params, result, error, message } = JSON.parse(data)
    if (type === 'event') for (const heard of listeners) heard(params)
    else if (type === 'error') waiting.get(id)?.reject(new Error(`${error}: ${message}`))
    else waiting.get(id)?.resolve(result)
    waiting.delete(id)
  }
  socket.onclose = () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox is gone.'))
  }
  let last = 0
  return {
    send(method: string, params: object = {}) {
      const answer = Promise.withResolvers<unknown>()
      waiting.set(++last, answer)
      socket.send(JSON.stringify({ id: last, method, params }))
      return answer.promise as Promise<Json>
    },
    hear: (listener: (event: Json) => void) => void listeners.push(listener),
  }
}
// biome-ignore lint/suspicious/noExplicitAny: what comes is the protocol's
type Json = any

import { randomUUID } from 'node:crypto'
import { type BrowserContextOptions, chromium } from '@playwright/test'
import { findHeadedChromium } from '../../scripts/find-browsers.mjs'
import { demoAccounts } from '../../src/demo/demo-accounts-and-safety-checks.ts'
import { findFreePort } from '../../src/embedded/find-free-port.ts'
import { startApp } from '../support/app-process.ts'

/** Gives the browser a fake microphone that beeps now and then, and the permission to use it. */
export const FAKE_MICROPHONE_ARGS = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** Starts a complete instance with its demo, and a browser to view it, which other tools can control on `port`. */
export async function startDemoAndBrowser(executablePath = findHeadedChromium(), args: string[] = []) {
  const port = await findFreePort()
  const instance = await startApp({ env: { DEMO: 'on' } })
  const browser = await chromium.launch({ executablePath, args: [`--remote-debugging-port=${port}`, ...args] })
  const instructors: { user: { profileSlug: string } }[] = await (await fetch(`${instance.url}/api/instructors`)).json()
  const signedIn = async (who: string): Promise<BrowserContextOptions> => {
    const context = await browser.newContext({ baseURL: instance.url, extraHTTPHeaders: { origin: instance.url } })
    const { email: username, password } = demoAccounts.find(a => a.role === who || a.email === who)!
    const answer = await context.request.post('/api/login', { data: { username, password } })
    if (!answer.ok()) throw new Error(`The demo's ${who} could not log in: ${answer.status()}`)
    const { cookies } = await context.storageState()
    await context.close()
    // Set the cookie with the time zone, as a script does on the first page that a signed-in person opens.
    const { timeZone: value } = Intl.DateTimeFormat().resolvedOptions()
    cookies.push({ ...cookies[0]!, name: 'zone', value, httpOnly: false })
    const localStorage = [{ name: 'isLoggedIn', value: 'true' }]
    return { baseURL: instance.url, storageState: { cookies, origins: [{ origin: instance.url, localStorage }] } }
  }
  const invitation = async () => {
    const context = await browser.newContext(await signedIn('instructor'))
    const { code } = await (await context.request.get('/api/invite')).json()
    await context.close()
    return `/invite/${code}`
  }
  return {
    url: instance.url,
    databaseUrl: instance.config.databaseUrl!,
    browser,
    port,
    /** The paths of most public pages, and one that does not exist. */
    paths: [
      ...['/', '/auth', '/pricing', '/faq', '/support', '/privacy-policy', '/terms-of-service'],
      ...['/forgot-password', '/forgot-email', '/reset-password', '/admin/login', '/admin/register'],
      ...['/video-format-test', `/video-format-test/${randomUUID()}`],
      ...[`/i/${instructors[0]!.user.profileSlug}`, await invitation(), '/no-such-page'],
    ],
    /** The specification lists this route as public, but it requires a login: visitors are redirected to the login page. */
    screen: '/fix-instructor-profile',
    /** Signs in the demo's player, instructor or admin, or the account with this email address. */
    signedIn,
    async stop() {
      await browser.close()
      await instance.stop()
    },
  }
}
export type DemoAndBrowser = Awaited<ReturnType<typeof startDemoAndBrowser>>

/** Screens behind the login, by role. */
export const SCREEN_PATHS_BY_ROLE = {
  player: ['/player/dashboard', '/player/connect-instructor', '/player/payment', '/player/rewards', '/player/progress', '/account'],
  instructor: ['/instructor/dashboard', '/fix-instructor-profile', '/instructor/profile-editor', '/instructor/payments'],
  admin: ['/admin/dashboard', '/admin/support-management'],
}

/** The label of a path in the results, the same in every run. */
export const pathLabel = (path: string) =>
  path
    .replace(/^\/i\/.+/, '/i/{slug}')
    .replace(/^\/invite\/.+/, '/invite/{code}')
    .replace(/^(\/video-format-test)\/.+/, '$1/{id}')

import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { startApp } from '../support/app-process.ts'
import { approveInstructorOfAppProcess } from '../support/approve-instructor.ts'
import { ensureFirstAdminCredentials } from '../support/first-admin-credentials.ts'
import type { JourneyBrowser } from './browser-interface.ts'
import { launchChromiumForJourney } from './chromium-journey-browser.ts'
import { writeContactSheets } from './contact-sheet.ts'
import { launchFirefoxForJourney } from './firefox-journey-browser.ts'
import type { JourneyAccountsAndOptions } from './journey-step-and-people-types.ts'
import { mainJourney } from './main-journey.ts'
import { createPageDriver, type PageDriver } from './page-driver.ts'
import { launchWebKitForJourney } from './webkitgtk-journey-browser.ts'

/**
 * Runs the main user journey in each given engine: `run-journey.ts [--screens] chromium firefox webkit`. Exits with 1 if it fails twice in
 * any of them. With `--screens` it saves screenshots of twelve states at three widths and arranges them side by side.
 */

const engines: Record<string, () => Promise<JourneyBrowser>> = {
  chromium: launchChromiumForJourney,
  firefox: launchFirefoxForJourney,
  webkit: launchWebKitForJourney,
}
/** The instructors' last names, one for each attempt. */
const LAST_NAMES = ['Ortega', 'Delgado', 'Kimura', 'Brandt', 'Okafor', 'Lindqvist']
const RESULTS = join(import.meta.dirname, '../../test-results/browsers')
/** An engine that takes longer counts as hanging. */
const JOURNEY_LIMIT_MS = 480_000
const PASSWORD = 'a good long password'

const screens = process.argv.includes('--screens')
const names = process.argv.slice(2).filter(name => name in engines)
const instance = await startApp()
const { username, password: adminPassword } = await ensureFirstAdminCredentials(instance)
const failed: string[] = []
// A shared machine stalls now and then, so only an engine that fails twice counts as failed.
for (const name of names) if (!(await passesJourney(name)) && !(await passesJourney(name))) failed.push(name)
if (failed.length) console.error(instance.output())
await instance.stop()
if (screens) console.log(`The states side by side: ${await writeContactSheets(RESULTS, names)}`)
process.exit(failed.length ? 1 : 0)

async function passesJourney(engine: string): Promise<boolean> {
  const folder = join(RESULTS, engine)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const began = Date.now()
  const browser = await engines[engine]!()
  const people: Record<string, PageDriver> = {}
  let stepName = 'opening its windows'
  const work = async () => {
    // The player uses a phone, the others a desktop.
    for (const [who, wide] of Object.entries({ player: 390, instructor: 1440, admin: 1440 })) {
      people[who] = createPageDriver(await browser.person(), { home: instance.url, wide, folder: screens ? folder : undefined })
      await people[who].turn()
    }
    const given: JourneyAccountsAndOptions = {
      admin: { email: username, password: adminPassword },
      approve: approveByEmail,
      password: PASSWORD,
      stamp: randomUUID().slice(0, 6),
      last: LAST_NAMES.shift()!,
      microphone: browser.microphone,
    }
    for (const [name, step] of mainJourney) {
      stepName = name
      await step(people as never, given)
      console.log(`  ${seconds(began).padStart(4)} ${name}`)
    }
    const problems = (await Promise.all(Object.values(people).map(driver => driver.tab.problems()))).flat()
    if (problems.length) throw new Error(`Problems during the journey:\n${problems.join('\n')}`)
  }
  const late = new AbortController()
  try {
    await Promise.race([
      work(),
      sleep(JOURNEY_LIMIT_MS, undefined, { signal: late.signal }).then(() => {
        throw new Error('The journey takes too long.')
      }),
    ])
    console.log(`✓ ${browser.name}: the whole journey in ${seconds(began)}`)
    return true
  } catch (error) {
    console.error(`✗ ${browser.name}: “${stepName}” failed. ${error instanceof Error ? error.stack : error}`)
    const pictures = Object.entries(people).map(async ([who, driver]) =>
      writeFile(join(folder, `failed-${who}.png`), await driver.tab.picture()),
    )
    await Promise.race([Promise.allSettled(pictures), sleep(5000)])
    return false
  } finally {
    late.abort()
    await browser.close()
  }
}

/** Approves the instructor who has just registered with this email, so that players can find them. */
async function approveByEmail(email: string) {
  const sql = postgres(instance.config.databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const [user] = await sql<{ id: string }[]>`select id from users where email = ${email}`
    await approveInstructorOfAppProcess(instance, user!.id)
  } finally {
    await sql.end()
  }
}

function seconds(began: number) {
  return `${((Date.now() - began) / 1000).toFixed(0)} s`
}

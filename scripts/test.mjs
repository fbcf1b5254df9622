/**
 * `npm test`: everything, from a clean clone: packages, types, lint, tests, and the pages in a real browser. Stops at the first
 * stage that fails. `npm test -- tests/kernel` runs only those tests (Playwright's if they lie in tests/pages). What is left to
 * `npm run sweep` (Vitest's project `swept`, pages tagged @sweep) runs there and when it is named.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasShell, headlessChromium, SHELL } from './chromium.mjs'
import { apt, bin, build, env, has, install, root, run, say } from './ground.mjs'

const args = process.argv.slice(2)
const results = join(root, 'test-results')
const count = { passed: 0, failed: 0, skipped: 0 }

function end(code) {
  if (count.skipped) say(`${count.skipped} skipped: what they need is not here (their names say what).`)
  console.log(`${count.passed} passed, ${count.failed} failed`)
  process.exit(code)
}
async function stage(name, command, args, options) {
  say(`${name}…`)
  const began = Date.now()
  const code = await run(command, args, options)
  say(`${name} ${code === 0 ? 'done' : 'FAILED'} in ${((Date.now() - began) / 1000).toFixed(1)} s`)
  return code
}
async function check(name, command, args) {
  if ((await stage(name, command, args)) !== 0) count.failed++
}
const report = file => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

async function unit(which) {
  const file = join(results, 'vitest.json')
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${file}`]
  const code = await stage('Tests', bin('vitest'), ['run', ...reporters, ...which])
  const its = report(file)
  count.passed += its?.numPassedTests ?? 0
  count.skipped += its?.numPendingTests ?? 0
  count.failed += Math.max((its?.numFailedTests ?? 0) || (its?.testResults ?? []).filter(r => r.status === 'failed').length, code ? 1 : 0)
  if (code) end(code)
}

async function pages(which) {
  const chromium = await browser()
  const file = join(results, 'playwright.json')
  rmSync(file, { force: true })
  const its = { ...env, ...(chromium && { CHROMIUM: chromium }), PLAYWRIGHT_JSON_OUTPUT_NAME: file }
  const code = await stage('Pages in a browser', bin('playwright'), ['test', '--reporter=list,json', ...which], { env: its })
  const stats = report(file)?.stats
  count.passed += (stats?.expected ?? 0) + (stats?.flaky ?? 0)
  count.skipped += stats?.skipped ?? 0
  count.failed += Math.max(stats?.unexpected ?? 0, code ? 1 : 0)
  if (code) end(code)
}

/** Where Chromium is: the system's, or Playwright's own (undefined); brought if it can be. */
async function browser() {
  const own = async () =>
    (await run(bin('node'), ['-e', "require('fs').accessSync(require('@playwright/test').chromium.executablePath())"], {
      stdio: 'ignore',
    })) === 0
  if (!hasShell()) await apt(SHELL)
  if (headlessChromium()) return headlessChromium()
  if (await own()) return undefined
  await apt('chromium')
  if (headlessChromium()) return headlessChromium()
  await run(bin('playwright'), ['install', 'chromium'])
  if (await own()) return undefined
  console.error(
    'The browser tests need Chromium. Install it (sudo apt-get install chromium, or set CHROMIUM to its path), then run npm test again.',
  )
  count.failed++
  return end(1)
}

await install()
mkdirSync(results, { recursive: true })
// Makes the clips that tests of video play; those that need it skip where it cannot be brought.
if (!has('ffmpeg')) await apt('ffmpeg')
// Some tests start the whole server or weigh its pages. What only reads the sources goes on meanwhile: each has a processor of its own.
const read = args.length ? [] : [check('Types', bin('tsc'), ['--singleThreaded']), check('Lint and format', bin('biome'), ['check'])]
await Promise.all([build(), ...read])
if (count.failed) end(1)
if (args.length) {
  const forPages = args.some(a => a.startsWith('tests/pages'))
  await (forPages ? pages(args) : unit(args))
} else {
  await unit(['--project=!swept'])
  await pages(['--grep-invert=@sweep'])
}
end(0)

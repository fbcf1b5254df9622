/**
 * `npm test` works in a clean clone: it installs packages, checks types and lint, and runs the tests, including those of pages in a real
 * browser. It stops at the first stage that fails. `npm test -- tests/kernel` runs only those tests (with Playwright if they are in
 * tests/pages). Tests of `npm run sweep` (Vitest's project `swept`, pages tagged @sweep) run only there or when named explicitly.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildPages } from './build-pages.mjs'
import { CHROMIUM_SHELL_DEBIAN_PACKAGE, findHeadlessChromium, hasHeadlessShell } from './find-browsers.mjs'
import { installDebianPackages } from './install-debian-packages-as-root.mjs'
import { installNpmPackages } from './install-npm-packages.mjs'
import { hasProgram, packageBinPath, printStep, programEnv, projectRoot, runProgramForExitCode } from './run-external-program.mjs'

const args = process.argv.slice(2)
const results = join(projectRoot, 'test-results')
const count = { passed: 0, failed: 0, skipped: 0 }

function printCountAndExit(code) {
  if (count.skipped) printStep(`${count.skipped} skipped: what they need is not installed (their names say what).`)
  console.log(`${count.passed} passed, ${count.failed} failed`)
  process.exit(code)
}
async function runStage(name, command, args, options) {
  printStep(`${name}…`)
  const startedAt = Date.now()
  const code = await runProgramForExitCode(command, args, options)
  printStep(`${name} ${code === 0 ? 'done' : 'FAILED'} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
  return code
}
async function runCheck(name, command, args) {
  if ((await runStage(name, command, args)) !== 0) count.failed++
}
const readReport = file => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

async function runUnitTests(paths) {
  const file = join(results, 'vitest.json')
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${file}`]
  const code = await runStage('Tests', packageBinPath('vitest'), ['run', ...reporters, ...paths])
  const report = readReport(file)
  count.passed += report?.numPassedTests ?? 0
  count.skipped += report?.numPendingTests ?? 0
  count.failed += Math.max(
    (report?.numFailedTests ?? 0) || (report?.testResults ?? []).filter(r => r.status === 'failed').length,
    code ? 1 : 0,
  )
  if (code) printCountAndExit(code)
}

async function runPageTests(paths, chromium) {
  const file = join(results, 'playwright.json')
  rmSync(file, { force: true })
  const testEnv = { ...programEnv, ...(chromium && { CHROMIUM: chromium }), PLAYWRIGHT_JSON_OUTPUT_NAME: file }
  const code = await runStage('Pages in a browser', packageBinPath('playwright'), ['test', '--reporter=list,json', ...paths], {
    env: testEnv,
  })
  const stats = readReport(file)?.stats
  count.passed += (stats?.expected ?? 0) + (stats?.flaky ?? 0)
  count.skipped += stats?.skipped ?? 0
  count.failed += Math.max(stats?.unexpected ?? 0, code ? 1 : 0)
  if (code) printCountAndExit(code)
}

/**
 * Returns the path of the system's Chromium, or undefined to use Playwright's. First tries to install Debian's headless shell if it is
 * missing. If no Chromium can be found or installed, exits with an error.
 */
async function findOrInstallBrowser() {
  const hasOwnChromium = async () =>
    (await runProgramForExitCode(
      packageBinPath('node'),
      ['-e', "require('fs').accessSync(require('@playwright/test').chromium.executablePath())"],
      {
        stdio: 'ignore',
      },
    )) === 0
  if (!hasHeadlessShell()) await installDebianPackages(CHROMIUM_SHELL_DEBIAN_PACKAGE)
  if (findHeadlessChromium()) return findHeadlessChromium()
  if (await hasOwnChromium()) return undefined
  await installDebianPackages('chromium')
  if (findHeadlessChromium()) return findHeadlessChromium()
  await runProgramForExitCode(packageBinPath('playwright'), ['install', 'chromium'])
  if (await hasOwnChromium()) return undefined
  console.error(
    'The browser tests need Chromium. Install it (sudo apt-get install chromium, or set CHROMIUM to its path), then run npm test again.',
  )
  count.failed++
  return printCountAndExit(1)
}

await installNpmPackages()
mkdirSync(results, { recursive: true })
// Video tests create their clips with ffmpeg and are skipped if it cannot be installed.
if (!hasProgram('ffmpeg')) await installDebianPackages('ffmpeg')
// Likewise, tests of the sandbox around the process that opens videos are skipped without bubblewrap.
if (!hasProgram('bwrap')) await installDebianPackages('bubblewrap')
// Some tests need the built pages. Type checking and linting only read the sources, so they run in parallel with the build, on another
// core.
const checks = args.length
  ? []
  : [runCheck('Types', packageBinPath('tsc'), ['--singleThreaded']), runCheck('Lint and format', packageBinPath('biome'), ['check'])]
await Promise.all([buildPages(), ...checks])
if (count.failed) printCountAndExit(1)
if (args.length) {
  const isPageTest = args.some(a => a.startsWith('tests/pages'))
  await (isPageTest ? runPageTests(args, await findOrInstallBrowser()) : runUnitTests(args))
} else {
  // Must come before the unit tests: those for exact frames run the player in Chromium and are skipped if it is not installed.
  const chromium = await findOrInstallBrowser()
  await runUnitTests(['--project=!swept'])
  await runPageTests(['--grep-invert=@sweep'], chromium)
}
printCountAndExit(0)

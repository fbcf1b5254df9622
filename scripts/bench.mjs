/**
 * `npm run bench [name…]`: runs the named benchmarks, or all except `NOT_BY_DEFAULT`, prints their figures, and writes them to
 * bench/RESULTS.md. `npm run bench:long` runs only the benchmarks in `LONG_RUNS`, at full length, which takes hours.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPages } from './build-pages.mjs'
import { findHeadedChromium } from './find-browsers.mjs'
import { installDebianPackages } from './install-debian-packages-as-root.mjs'
import { installNpmPackages, installNpmPackagesIn } from './install-npm-packages.mjs'
import { exitWithError, hasProgram, packageBinPath, programEnv, projectRoot, runProgramForExitCode } from './run-external-program.mjs'

const directory = join(projectRoot, 'tests/bench')
const isBenchmark = file => file.endsWith('.ts') && /^export default /m.test(readFileSync(join(directory, file), 'utf8'))
const names = existsSync(directory)
  ? readdirSync(directory)
      .filter(isBenchmark)
      .map(file => file.slice(0, -3))
  : []
/** Finds a benchmark by its name or by its figure's id: `e1` for `e1-append-rate`. */
const benchmarkOf = asked => names.find(name => name === asked || name.startsWith(`${asked}-`))
/** The benchmarks of `npm run bench:long`, with the environment variables that give them their full length. */
const LONG_RUNS = {
  'e4-killed-writers': { APPENDS: '1000000', KILLS: '200' },
  'e6-many-servers': {},
  'm1-generated-payment-histories': { HISTORIES: '10000' },
  'r2-restore': {},
  'simulated-evening': {},
  'u2-killed-upload-tests': { UPLOAD_KILLS: '100' },
  'x5-rolling-upgrade': { OLD_EVENTS: '1000000' },
}
/**
 * Benchmarks that repeat tests of `npm run sweep`, or that take a long time whatever their settings. They run only if they are named, or
 * with `--long`.
 */
const NOT_BY_DEFAULT = ['r2-restore', 'simulated-evening', 'u2-killed-upload-tests', 'x5-rolling-upgrade']
const isLong = process.argv.includes('--long')
const requestedBenchmarks = process.argv.slice(2).filter(argument => argument !== '--long')
const unknown = requestedBenchmarks.find(name => !benchmarkOf(name))
if (unknown) exitWithError(`There is no benchmark named ${unknown}. There are: ${names.join(', ')}.`)
const byDefault = isLong ? Object.keys(LONG_RUNS) : names.filter(name => !NOT_BY_DEFAULT.includes(name))
const wanted = requestedBenchmarks.length ? requestedBenchmarks.map(benchmarkOf) : byDefault

await installNpmPackages()
await installNpmPackagesIn('tests/bench')
// Most benchmarks need ffmpeg or Chromium, and a fresh machine has neither.
if (!hasProgram('ffmpeg')) await installDebianPackages('ffmpeg')
if (!findHeadedChromium()) await installDebianPackages('chromium')
await buildPages()
let worst = 0
// Each benchmark runs in its own process with the server's options (scripts/start.mjs), so that none is affected by another's memory.
for (const name of wanted)
  worst = Math.max(
    worst,
    await runProgramForExitCode(
      packageBinPath('node'),
      ['--max-semi-space-size=8', '--import', 'tsx', '--expose-gc', 'tests/bench/run-benchmark.ts', name],
      {
        env: isLong ? { ...programEnv, ...LONG_RUNS[name] } : programEnv,
      },
    ),
  )
process.exit(worst)

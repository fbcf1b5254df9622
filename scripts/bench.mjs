/** `npm run bench [name…]`: measures each figure and its reference, prints them, and writes them to bench/RESULTS.md. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPages } from './build.mjs'
import { installDebianPackages } from './debian-packages.mjs'
import { findWindowedChromium } from './find-browsers.mjs'
import { installPackages, installPackagesOf } from './install-packages.mjs'
import { env, exitWithError, hasProgram, packageBin, root, run } from './run-program.mjs'

const directory = join(root, 'tests/bench')
const isBenchmark = file => file.endsWith('.ts') && /^export default /m.test(readFileSync(join(directory, file), 'utf8'))
const names = existsSync(directory)
  ? readdirSync(directory)
      .filter(isBenchmark)
      .map(file => file.slice(0, -3))
  : []
/** Finds a benchmark by its name or by its figure's id: `e1` for `e1-append-rate`. */
const benchmarkOf = asked => names.find(name => name === asked || name.startsWith(`${asked}-`))
const unknown = process.argv.slice(2).find(asked => !benchmarkOf(asked))
if (unknown) exitWithError(`There is no benchmark named ${unknown}. There are: ${names.join(', ')}.`)
const wanted = process.argv.slice(2).map(benchmarkOf)

await installPackages()
await installPackagesOf('tests/bench')
// Most benchmarks need one of these two, and a fresh machine has neither.
if (!hasProgram('ffmpeg')) await installDebianPackages('ffmpeg')
if (!findWindowedChromium()) await installDebianPackages('chromium')
await buildPages()
let worst = 0
// Each benchmark runs in its own process with the server's options (scripts/start.mjs), so that none is affected by another's memory.
for (const name of wanted.length ? wanted : names)
  worst = Math.max(
    worst,
    await run(packageBin('node'), ['--max-semi-space-size=8', '--import', 'tsx', '--expose-gc', 'tests/bench/run-benchmark.ts', name], {
      env,
    }),
  )
process.exit(worst)

/** `npm run bench [name…]`: the figures of quality, each beside its reference, printed and kept in bench/RESULTS.md. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin, build, env, fail, install, root, run } from './ground.mjs'

const home = join(root, 'tests/bench')
const isBench = file => file.endsWith('.ts') && /^export default /m.test(readFileSync(join(home, file), 'utf8'))
const names = existsSync(home)
  ? readdirSync(home)
      .filter(isBench)
      .map(file => file.slice(0, -3))
  : []
const wanted = process.argv.slice(2)
const unknown = wanted.find(name => !names.includes(name))
if (unknown) fail(`There is no bench named ${unknown}. There are: ${names.join(', ')}.`)

await install()
await build()
let worst = 0
// A process each: none measures what another left in memory. Run as the server is (scripts/start.mjs).
for (const name of wanted.length ? wanted : names)
  worst = Math.max(
    worst,
    await run(bin('node'), ['--max-semi-space-size=8', '--import', 'tsx', '--expose-gc', 'scripts/figures.ts', name], { env }),
  )
process.exit(worst)

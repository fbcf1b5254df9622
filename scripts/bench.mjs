/** `npm run bench [name…]`: the figures of quality, each beside its reference, printed and kept in bench/RESULTS.md. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bin, build, env, fail, install, root, run } from './ground.mjs'

const home = join(root, 'tests/bench')
const names = existsSync(home)
  ? readdirSync(home)
      .filter(f => f.endsWith('.ts') && f !== 'figure.ts')
      .map(f => f.slice(0, -3))
  : []
const wanted = process.argv.slice(2)
const unknown = wanted.find(name => !names.includes(name))
if (unknown) fail(`There is no bench named ${unknown}. There are: ${names.join(', ')}.`)

await install()
await build()
process.exit(await run(bin('node'), ['--import', 'tsx', '--expose-gc', 'scripts/figures.ts', ...(wanted.length ? wanted : names)], { env }))

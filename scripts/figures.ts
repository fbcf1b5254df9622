/** Runs one bench (`figures.ts s1`), prints a line for each of its figures, and puts them into bench/RESULTS.md in place of its last. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import type { Figure } from '../tests/bench/figure.ts'

const root = join(import.meta.dirname, '..')
const name = process.argv[2]!
const round = (value: number) =>
  value.toLocaleString('en-US', Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 })
const worse = ({ value, bar, better }: Figure, slack = 0) =>
  bar !== undefined && (better === 'less' ? value > bar * (1 + slack) : value < bar * (1 - slack))

const { default: bench } = (await import(`../tests/bench/${name}.ts`)) as { default: () => Promise<Figure[]> }
const figures = await bench()
const rows = figures.map(f => {
  const value = `${round(f.value)} ${f.unit}`.trim()
  const bar = f.bar === undefined ? '' : `${f.better === 'less' ? '≤' : '≥'} ${round(f.bar)}`
  return { id: f.id, name: f.name, value, bar, met: f.bar === undefined ? '' : worse(f) ? 'no' : 'yes' }
})
for (const r of rows) console.log(`${r.id.padEnd(4)} ${r.name}: ${r.value}${r.bar && ` (${r.bar}: ${r.met === 'yes' ? 'met' : 'MISSED'})`}`)

const [cpu] = cpus()
const machine = `${cpus().length} × ${cpu?.model.trim() || process.arch}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}, Node ${process.versions.node}`
const section = [
  `## ${name}`,
  '',
  `${new Date().toISOString().slice(0, 10)} on ${machine}`,
  '',
  '| id | figure | value | bar | met |',
  '|---|---|---|---|---|',
  ...rows.map(r => `| ${r.id} | ${r.name} | ${r.value} | ${r.bar} | ${r.met} |`),
].join('\n')
const file = join(root, 'bench/RESULTS.md')
const before = (await readFile(file, 'utf8').catch(() => '')).split(/^(?=## )/m).filter(part => part.startsWith('## '))
const kept = before.map(part => part.trim()).filter(part => part.split('\n')[0] !== `## ${name}`)
const head =
  '# Benchmarks\n\nWritten by `npm run bench [name…]`. References are measured in the same run; a bar has 20 % slack before the command fails.'
await mkdir(join(root, 'bench'), { recursive: true })
await writeFile(file, `${[head, ...[...kept, section].sort()].join('\n\n')}\n`)
process.exit(figures.some(f => worse(f, 0.2)) ? 1 : 0)

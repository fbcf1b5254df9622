/** Runs one benchmark (`run-benchmark.ts s1-static-pages`), prints its figures, and replaces its section in bench/RESULTS.md. */
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { writeResultsSection } from './results-file.ts'

const name = process.argv[2]!
const round = (value: number) =>
  value.toLocaleString('en-US', Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 })
const worse = ({ value, bar, better }: BenchmarkFigure, slack = 0) =>
  bar !== undefined && (better === 'less' ? value > bar * (1 + slack) : value < bar * (1 - slack))

const { default: bench } = (await import(`./${name}.ts`)) as { default: () => Promise<BenchmarkFigure[]> }
const figures = await bench()
const rows = figures.map(f => {
  const value = `${round(f.value)} ${f.unit}`.trim()
  const bar = f.bar === undefined ? '' : `${f.better === 'less' ? '≤' : '≥'} ${round(f.bar)}`
  return { id: f.id, name: f.name, value, bar, met: f.bar === undefined ? '' : worse(f) ? 'no' : 'yes' }
})
for (const r of rows) console.log(`${r.id.padEnd(4)} ${r.name}: ${r.value}${r.bar && ` (${r.bar}: ${r.met === 'yes' ? 'met' : 'MISSED'})`}`)

await writeResultsSection(name, rows)
process.exit(figures.some(f => worse(f, 0.2)) ? 1 : 0)

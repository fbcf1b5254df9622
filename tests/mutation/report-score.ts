/** `report-score.ts path report`: prints the mutation score (percentage of mutants killed by tests) and stores it in bench/RESULTS.md. */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type ResultRow, writeResultsSection } from '../bench/results-file.ts'

const [path, report] = process.argv.slice(2) as [string, string]
const { files } = JSON.parse(readFileSync(report, 'utf8')) as { files: Record<string, { mutants: { status: string }[] }> }
const inside = (file: string) => file === path.split(':')[0] || file.startsWith(`${path}/`)
const count = (...statuses: string[]) =>
  Object.entries(files)
    .filter(([file]) => inside(file))
    .flatMap(([, { mutants }]) => mutants)
    .filter(({ status }) => statuses.includes(status)).length

const killed = count('Killed', 'Timeout')
const total = killed + count('Survived', 'NoCoverage')
const score = total ? (100 * killed) / total : 100
const bar = /^modules\/(kernel|jobs|readers)\//.test(path) ? 85 : 90
const source = join(import.meta.dirname, '../..', path)
/** The version of a single file, as `git hash-object FILE` prints it, so that the score says which version it belongs to. */
function gitHashOf(file: string): string {
  const content = readFileSync(file)
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}
const version = !path.includes(':') && statSync(source).isFile() ? `, ${gitHashOf(source).slice(0, 8)}` : ''
const row: ResultRow = {
  id: 'T1',
  name: `mutants killed in ${path}`,
  value: `${score.toFixed(1)}% of ${total}${version}`,
  bar: `≥ ${bar}`,
  met: score >= bar ? 'yes' : 'no',
}
console.log(`${row.id}   ${row.name}: ${row.value} (${row.bar}: ${row.met === 'yes' ? 'met' : 'MISSED'})`)
// A path with line numbers is a spot check by the engineer who works on the file, so its score is not stored.
if (!path.includes(':')) await writeResultsSection('mutate', [row], { beside: true })

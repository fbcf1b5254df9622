import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../bench/RESULTS.md')

export interface ResultRow {
  id: string
  name: string
  value: string
  bar: string
  met: string
}

/** Replaces a section of bench/RESULTS.md. `beside`: also keeps the section's old rows, except those whose id and name are in `rows`. */
export async function writeResultsSection(section: string, rows: ResultRow[], { beside = false } = {}) {
  const text = await readFile(file, 'utf8').catch(() => '')
  const parts = text
    .split(/^(?=## )/m)
    .filter(part => part.startsWith('## '))
    .map(part => part.trim())
  const isIts = (part: string) => part.split('\n')[0] === `## ${section}`
  const lines = rows.map(r => `| ${r.id} | ${r.name} | ${r.value} | ${r.bar} | ${r.met} |`)
  if (beside) {
    const others =
      parts
        .find(isIts)
        ?.split('\n')
        .filter(line => /^\| (?!id \|)/.test(line)) ?? []
    lines.push(...others.filter(line => !rows.some(r => line.startsWith(`| ${r.id} | ${r.name} |`))))
    lines.sort()
  }
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu?.model.trim() || process.arch}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}, Node ${process.versions.node}`
  const its = [
    `## ${section}`,
    '',
    `${new Date().toISOString().slice(0, 10)} on ${machine}`,
    '',
    '| id | figure | value | bar | met |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n')
  const head =
    '# Benchmarks\n\nWritten by `npm run bench [name…]` and `npm run mutate [path…]`. Figures are compared with a reference measured in the same run if there is one. "Bar" is the target; the command fails if a figure misses it by more than 20%. Rows of T1 (mutation tests) end with the short `git hash-object` of the file that was tested; rows without one are from before this was recorded.'
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, `${[head, ...[...parts.filter(part => !isIts(part)), its].sort()].join('\n\n')}\n`)
}

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// The benchmark Q1 measures the queries in `tests/bench/measured-queries`. A query missing there may scan a whole table unnoticed.

const root = join(import.meta.dirname, '../..')

/** Returns everything except types that these files import from `projections`, such as `assignments.ts sessionsOfFolderOrPlayer`. */
function importsFromProjections(pattern: string): Set<string> {
  const found = globSync(pattern, { cwd: root }).flatMap(file => {
    const imports = readFileSync(join(root, file), 'utf8').matchAll(/^import \{([^}]*)\} from '[./]+\/projections\/([\w-]+\.ts)'/gm)
    return [...imports].flatMap(([, names, from]) => names!.split(',').map(name => `${from} ${name.trim()}`))
  })
  return new Set(found.filter(imported => /^\S+ \w+$/.test(imported)))
}

test('the benchmark of query plans covers every query that the server makes', async () => {
  const covered = importsFromProjections('tests/bench/measured-queries/*.ts')
  const asked = [...importsFromProjections('src/**/*.ts')]
  const isQuery = await Promise.all(
    asked.map(async imported => {
      const [file, name] = imported.split(' ') as [string, string]
      return typeof (await import(join(root, 'projections', file)))[name] === 'function'
    }),
  )
  const queries = asked.filter((_, i) => isQuery[i])
  expect(queries.length).toBeGreaterThan(60)
  expect(queries.filter(query => !covered.has(query))).toEqual([])
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/specification-deviations.md'), 'utf8')

test('every deviation from the specification names existing code and an existing test', () => {
  const lines = page.split('\n').filter(line => /^\| (?!---|The specification says)/.test(line))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    const paths = [...line.matchAll(/`((?:src|modules|tests)\/[^`]+)`/g)].map(([, path]) => path!)
    expect(paths.some(path => path.startsWith('tests/')) && paths.some(path => !path.startsWith('tests/')), line).toBe(true)
    expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([])
  }
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../src/browser-quirks')

test('each browser quirk has a row in the table with its cause and affected browsers', () => {
  const rows = readFileSync(join(folder, 'README.md'), 'utf8').split('\n')
  const files = readdirSync(folder).filter(file => file !== 'README.md')
  const listed = (file: string) =>
    rows.some(row => row.split('|').filter(cell => cell.trim()).length === 3 && row.includes(`| \`${file}\``))
  expect(files.filter(file => !listed(file))).toEqual([])
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LETTER_RECIPIENTS_AND_OCCASIONS } from '../../../modules/letters/letter-recipients-and-occasions.ts'
import { letterSamples } from './letter-samples.ts'

const page = readFileSync(new URL('../../../docs/letters.md', import.meta.url), 'utf8')

test('docs/letters.md lists every letter with its recipients and its occasion', () => {
  // The formatter pads the cells of a table.
  const lines = page.split('\n').map(line => line.replaceAll(/ +\|/g, ' |'))
  const rows = lines.filter(line => /^\| [a-z]+[a-z-]* \|/.test(line) && !line.startsWith('| letter |'))
  expect(rows).toEqual(
    Object.entries(LETTER_RECIPIENTS_AND_OCCASIONS).map(([kind, { to, when, isOptional }]) => {
      return `| ${kind.slice('letter.'.length)} | ${to} | ${when} | ${isOptional ? 'yes' : 'no'} |`
    }),
  )
})

test('every sample letter names the page to which its button leads', () => {
  expect(Object.entries(letterSamples).flatMap(([name, { leadsTo }]) => (leadsTo ? [] : [name]))).toEqual([])
})

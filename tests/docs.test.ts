import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** The documents stay short, the files and pages that they name exist, and the benchmark figures that they quote are from the last run. */

const MAX_WORDS = 1200
/** In characters. */
const MAX_LINE_LENGTH = 410
const root = join(import.meta.dirname, '..')
const pages = ['README.md', 'patches/README.md', ...globSync('docs/**/*.md', { cwd: root })].map(page => ({
  page,
  text: readFileSync(join(root, page), 'utf8'),
}))
const countWords = (text: string) => text.split(/\s+/).filter(word => /\p{L}|\d/u.test(word)).length

/** Paths of the repository in backticks, such as `modules/kernel/store.ts`; without patterns, which contain <, * or {. */
const findPaths = (text: string) =>
  [...text.matchAll(/`((?:modules|projections|src|tests|scripts|docs|bench)\/[^`\s]*)`/g)]
    .map(([, path]) => path!)
    .filter(path => !/[<*{]/.test(path))
const findLinks = (text: string) =>
  [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!).filter(link => !/^https?:/.test(link))

test('no documentation page has more than 1,200 words', () => {
  expect(pages.filter(({ text }) => countWords(text) > MAX_WORDS).map(({ page, text }) => `${page}: ${countWords(text)}`)).toEqual([])
})

test('no line of prose is longer than a person likes to read', () => {
  const isProse = (line: string) => !line.startsWith('|')
  const longLines = pages.flatMap(({ page, text }) =>
    text
      .split('\n')
      .filter(line => isProse(line) && line.length > MAX_LINE_LENGTH)
      .map(line => `${page}: ${line.slice(0, 60)}`),
  )
  expect(longLines).toEqual([])
})

test('the configuration page lists every variable that the server reads', () => {
  const schema = readFileSync(join(root, 'src/config.ts'), 'utf8')
  const variables = [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name!)
  expect(variables.length).toBeGreaterThan(20)
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
  expect(variables.filter(name => !page.includes(`\`${name}\``))).toEqual([])
})

test('every path named in a document exists', () => {
  const missing = pages.flatMap(({ page, text }) =>
    findPaths(text)
      .filter(path => !existsSync(join(root, path)))
      .map(path => `${page}: ${path}`),
  )
  expect(missing).toEqual([])
})

test('every link in a document leads to a file', () => {
  const broken = pages.flatMap(({ page, text }) =>
    findLinks(text)
      .filter(link => !existsSync(join(root, dirname(page), link)))
      .map(link => `${page}: ${link}`),
  )
  expect(broken).toEqual([])
})

interface Figure {
  id: string
  name: string
  value: string
}
const figures: Figure[] = [...readFileSync(join(root, 'bench/RESULTS.md'), 'utf8').matchAll(/^\| ([A-Z]\d) \| (.+?) \| (\S+)/gm)].map(
  ([, id, name, value]) => ({ id: id!, name: name!, value: value! }),
)
const findNumbers = (text: string): string[] => text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []
/** Whether the text contains the value of a figure with this id or name. */
const quotesFigure = (text: string, its: Partial<Figure>) =>
  figures.some(({ id, name, value }) => (id === its.id || name === its.name) && findNumbers(text).includes(value))

/** Finds clauses that end with the id of a benchmark, as in "4.06 ms (E3)", and table rows whose last cell is the id. */
function findQuotes(text: string) {
  const clauses = [...text.matchAll(/([^|;:()\n]*)\(([A-Z]\d)\)/g)].map(([, clause, id]) => ({ quote: clause!, id: id! }))
  const rows = [...text.matchAll(/^\|.*\| ([A-Z]\d) +\|$/gm)].map(([row, id]) => ({ quote: row!, id: id! }))
  return [...clauses, ...rows].filter(({ quote, id }) => figures.some(figure => figure.id === id) && findNumbers(quote).length)
}

test('a figure quoted with the id of its benchmark is one of its results', () => {
  const quotes = pages.flatMap(({ page, text }) => findQuotes(text).map(its => ({ page, ...its })))
  expect(quotes.length).toBeGreaterThan(10)
  expect(quotes.filter(({ quote, id }) => !quotesFigure(quote, { id }))).toEqual([])
})

test('a table row named like a benchmark figure has its value', () => {
  const rows = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/^\| (.+?) +\|(.*)$/gm)].map(([, name, rest]) => ({ page, name, rest: rest! })),
  )
  const quoted = rows.filter(row => figures.some(({ name }) => name === row.name))
  expect(quoted.length).toBeGreaterThan(5)
  expect(quoted.filter(({ rest, name }) => !quotesFigure(rest, { name }))).toEqual([])
})

/** Names in backticks in the first column of tables. A row may describe several packages that belong together. */
const findDescribed = (text: string) =>
  text
    .split('\n')
    .filter(line => line.startsWith('|'))
    .flatMap(line => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))

test('the docs list every dependency exactly once, and no other package', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
  expect(findDescribed(readFileSync(join(root, 'docs/dependencies.md'), 'utf8')).toSorted()).toEqual(installed.toSorted())
})

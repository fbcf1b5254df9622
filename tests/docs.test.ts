import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** The documents stay short, and the files and pages that they name exist. */

const MAX_WORDS = 1200
const root = join(import.meta.dirname, '..')
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].map(page => ({
  page,
  text: readFileSync(join(root, page), 'utf8'),
}))
const countWords = (text: string) => text.split(/\s+/).filter(word => /\p{L}|\d/u.test(word)).length

/** Paths of the repository in backticks, such as `modules/kernel/store.ts`; patterns with <, * or { stand for many. */
const findPaths = (text: string) =>
  [...text.matchAll(/`((?:modules|projections|src|tests|scripts|docs|bench)\/[^`\s]*)`/g)]
    .map(([, path]) => path!)
    .filter(path => !/[<*{]/.test(path))
const findLinks = (text: string) =>
  [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!).filter(link => !/^https?:/.test(link))

test('no documentation page has more than 1,200 words', () => {
  expect(pages.filter(({ text }) => countWords(text) > MAX_WORDS).map(({ page, text }) => `${page}: ${countWords(text)}`)).toEqual([])
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

/** Names in backticks in the first column of a table: a line may describe several packages that belong together. */
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

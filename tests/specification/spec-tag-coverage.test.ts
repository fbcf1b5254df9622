import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { specificationStatements } from './specification-statements.ts'

const root = join(import.meta.dirname, '../..')
/** The test files in which `@spec:` tags are counted: page tests, API tests, and the test of `sendApiRequest`. */
const files = globSync(['tests/pages/**/*.spec.ts', 'tests/api/**/*.test.ts', 'tests/client/send-api-request.test.ts'], { cwd: root })
const sources = new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]))
const tagsOf = (source: string) => [...source.matchAll(/@spec:([\d.]+)/g)].map(([, number]) => number!)
const numbers = specificationStatements.flatMap(({ statements }) => Object.keys(statements))

test('every statement of the specification has a test with its tag', () => {
  const tagged = new Set([...sources.values()].flatMap(tagsOf))
  expect(numbers.filter(number => !tagged.has(number))).toEqual([])
})

test('every tag names an existing statement of the specification', () => {
  const unknown = [...sources].flatMap(([file, source]) =>
    tagsOf(source)
      .filter(tag => !numbers.includes(tag))
      .map(tag => `${file}: ${tag}`),
  )
  expect(unknown).toEqual([])
})

test('no file with a tag skips tests', () => {
  const held = /\b(?:test|it|describe)\.(?:skip|skipIf|only|fixme|todo|fails|fail)\b/
  expect([...sources].filter(([, source]) => tagsOf(source).length && held.test(source)).map(([file]) => file)).toEqual([])
})

test('each of sections 1 to 9 has statements, and no statement is listed twice', () => {
  expect([...new Set(specificationStatements.map(({ section }) => section))]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  const said = specificationStatements.flatMap(({ section, part, statements }) =>
    Object.values(statements).map(says => `${section} ${part}: ${says}`),
  )
  expect(said.filter((text, i) => said.indexOf(text) !== i)).toEqual([])
})

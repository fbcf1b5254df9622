import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const MAX_TITLE_LENGTH = 80

interface Node {
  type: string
  name?: string
  value?: unknown
  callee?: Node
  tag?: Node
  object?: Node
  arguments?: Node[]
  quasis?: { value: { cooked: string } }[]
}

/** The function that a call or a chain begins with: `test` for `test('…')`, `test.skipIf(…)('…')` and ``test.each`…`('…')``. */
const firstName = (node: Node | undefined): string | undefined => node?.name ?? (node && firstName(node.callee ?? node.tag ?? node.object))

/** The title in a call of `test`, `it` or `describe`, without the expressions of a template; undefined for any other node. */
function titleOf({ type, callee, arguments: [title] = [] }: Node): string | undefined {
  if (type !== 'CallExpression' || !title || !['test', 'it', 'describe'].includes(firstName(callee) ?? '')) return undefined
  if (title.type === 'TemplateLiteral') return title.quasis!.map(part => part.value.cooked).join('')
  return typeof title.value === 'string' ? title.value : undefined
}

function titlesOf(node: unknown): string[] {
  if (node === null || typeof node !== 'object') return []
  const title = 'type' in node && titleOf(node as Node)
  return [...(title ? [title] : []), ...Object.values(node).flatMap(titlesOf)]
}

const longTitles = (file: string, source: string) =>
  titlesOf(parseSync(file, source).program)
    .filter(title => title.length > MAX_TITLE_LENGTH)
    .map(title => `${file}: ${title}`)

test('a test title has at most 80 characters', () => {
  const files = globSync('tests/**/*.{ts,tsx}', { cwd: root, exclude: ['**/node_modules/**'] })
  expect(files.length).toBeGreaterThan(400)
  expect(files.flatMap(file => longTitles(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
})

const long = 'x'.repeat(81)

test.each([
  `test('${long}', () => {})`,
  `describe.skipIf(process.env.CI)('${long}', () => {})`,
  `test.each([1])('${long}', () => {})`,
  `test.each\`a\`('${long}', () => {})`,
  `describe('a', () => { it(\`${long.slice(1)}\${name}x\`, () => {}) })`,
])('a long title is found: %s', source => {
  expect(longTitles('a.test.ts', source)).toEqual([`a.test.ts: ${long}`])
})

test.each([`test('${long.slice(1)}', () => {})`, `/^a/.test('${long}')`, `suite.add('${long}')`])(
  'a title of at most 80 characters is not reported: %s',
  source => {
    expect(longTitles('a.test.ts', source)).toEqual([])
  },
)

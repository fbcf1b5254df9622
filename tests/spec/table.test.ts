import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rows } from './rows.ts'

const root = join(import.meta.dirname, '../..')

/** The titles of the tests in a file that run; `${…}` in a title stands for anything. */
function titlesOf(file: string): RegExp[] {
  const source = readFileSync(join(root, file), 'utf8')
  const found = source.matchAll(
    /(?:\b(?:test|it)|^[^'"`]*\)|\])\s*\(\s*(?:'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`([^`]*)`)\s*,\s*(?:async\s*)?(?:\(|\w+ =>)/gm,
  )
  return [...found].map(([, single, double, template]) => {
    const title = (single ?? double ?? template!).replaceAll(/\\(['"`])/g, '$1')
    const parts = template === undefined ? [title] : title.split(/\$\{[^}]*\}/)
    return new RegExp(`^${parts.map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`)
  })
}

test('every row names a test that drives the pages in a browser, the API by requests, or what every request of a page goes through', () => {
  const driven = /^tests\/(pages\/[\w-]+\.spec|api\/[\w-]+\.test|client\/request\.test)\.ts$/
  expect(rows.filter(r => !driven.test(r.test))).toEqual([])
})

test('every row names a test that is there', () => {
  const titles = new Map([...new Set(rows.map(r => r.test))].map(file => [file, titlesOf(file)]))
  expect(rows.filter(r => !titles.get(r.test)!.some(title => title.test(r.title)))).toEqual([])
})

test('every test that a row names runs', () => {
  const held = /\b(?:test|it|describe)\.(?:skip|skipIf|only|fixme|todo|fails|fail)\b/
  expect([...new Set(rows.map(r => r.test))].filter(file => held.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('no part of the sections 2 to 9 is without rows, and no statement is there twice', () => {
  const sections = new Set(rows.map(r => r.section.split(' ')[0]))
  expect([...sections]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  const parts = ['public', 'roles', 'redirects', 'protected routes', 'header and footer', 'landing page', 'invite landing']
  for (const part of [...parts, 'support chat', 'avatar', 'mobile fallback']) expect(rows.some(r => r.section === `2 ${part}`)).toBe(true)
  const said = rows.map(r => `${r.section}: ${r.says}`)
  expect(said.filter((text, i) => said.indexOf(text) !== i)).toEqual([])
})

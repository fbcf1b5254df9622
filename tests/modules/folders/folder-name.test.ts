import { expect, test } from 'vitest'
import { foldersContract } from '../../../modules/folders/contract.ts'
import { uploadsContract } from '../../../modules/uploads/contract.ts'

const id = '018f0000-0000-7000-8000-00000000000a'
/** The result of both ways to name a folder: the stored name, or what is wrong with it. */
const named = (name: string) => {
  const created = foldersContract['POST /api/folders'].body.safeParse({ id, name })
  const renamed = foldersContract['PATCH /api/folders/{folder}'].body.safeParse({ name })
  expect(created.error?.issues[0]?.message).toBe(renamed.error?.issues[0]?.message)
  return created.success ? created.data.name : created.error.issues[0]!.message
}

test.each([
  'Swing 3.5 vs. 2.0',
  'José, at-bats of 7.4.2026',
  '李 打席',
  'U.S. Open, 9 a.m.',
  'No.2 (J.R.)',
  'Home run!!! ⚾️👨‍👩‍👧',
  'می\u200cخواهم',
  '7',
  '?',
])('a folder may be named "%s"', name => {
  expect(named(` ${name} `)).toBe(name)
})

test.each([
  'http://evil.example',
  'Free bats at www.evil',
  'win.example',
  'bit.ly/x',
  'Go to evil.com now',
  'evil。com',
  'evil．com',
  'me@evil.co',
  'пример.рф',
  'two\nlines',
  'two\u2028lines',
])('a folder may not be named "%s", which mail programs link or reject', name => {
  expect(named(name)).toBe('Use one line and no web address')
})

test.each(['\u202egnp.3', '\u200b', '\u200d', '\u3164', '\u2800\u2800', 'Sw\u00ading', '\u0301', 'a\u2066b'])(
  'a folder name may not have invisible or misleading characters: %j',
  name => {
    expect(named(name)).toBe('Use visible letters and numbers')
  },
)

test('a file name is stored without invisible characters', () => {
  const sent = { id, folder: id, type: 'video/mp4', bytes: 1, fingerprint: 'x' }
  const kept = (name: string) => uploadsContract['POST /api/uploads'].body.parse({ ...sent, name }).name
  expect(['swing.mov', 'swing\u202e4pm.exe', ' \u200b ', '⚾️👨‍👩‍👧.mp4'].map(kept)).toEqual([
    'swing.mov',
    'swing4pm.exe',
    'video',
    '⚾️👨‍👩‍👧.mp4',
  ])
})

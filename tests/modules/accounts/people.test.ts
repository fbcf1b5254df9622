import { describe, expect, test } from 'vitest'
import { deviceName } from '../../../modules/accounts/login-sessions.ts'
import { hashPassword, verifyPassword } from '../../../modules/accounts/passwords.ts'
import { ageOn, isValidPersonName } from '../../../modules/accounts/policy.ts'
import { newInviteCode, slugOf } from '../../../modules/instructors/slugs-and-invite-codes.ts'
import { isDisposableEmail } from '../../../modules/leads/disposable-email.ts'
import { BLOCKED_DOMAINS } from '../../../modules/leads/policy.ts'

describe('the age of a person', () => {
  test.each([
    ['2010-06-15', '2023-06-14', 12],
    ['2010-06-15', '2023-06-15', 13],
    ['2012-02-29', '2025-02-28', 12],
    ['2012-02-29', '2025-03-01', 13],
    ['2010-12-31', '2011-01-01', 0],
  ])('born on %s, on %s: %i', (born, day, years) => {
    expect(ageOn(born, new Date(`${day}T12:00:00Z`))).toBe(years)
  })
})

describe('a password', () => {
  test('matches in every Unicode normalization, and no other password does', async () => {
    const kept = await hashPassword('pässword\u0301')
    expect(kept).not.toBe(await hashPassword('pässword\u0301'))
    expect(await verifyPassword('pa\u0308ssword\u0301', kept)).toBe(true)
    expect(await verifyPassword('password', kept)).toBe(false)
    expect(await verifyPassword('', kept)).toBe(false)
  })
  test('never matches without a hash, and a malformed hash is an error', async () => {
    expect(await verifyPassword('', undefined)).toBe(false)
    await expect(verifyPassword('x', 'plain')).rejects.toThrow('not an Argon2id hash')
  })
  test('whose check crashes its thread fails alone; queued passwords are still checked', async () => {
    const kept = await hashPassword('a password')
    const broken = kept.replace(/m=\d+/, 'm=1')
    const [first, ...others] = await Promise.allSettled([
      verifyPassword('a', broken),
      verifyPassword('a password', kept),
      verifyPassword('b', kept),
    ])
    expect(first!.status).toBe('rejected')
    expect(others).toEqual([
      { status: 'fulfilled', value: true },
      { status: 'fulfilled', value: false },
    ])
    expect(await verifyPassword('a password', kept)).toBe(true)
  })
})

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15', 'Safari on Mac'],
  ['Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  ['curl/8', 'Unknown device'],
  [null, 'Unknown device'],
])('the user agent %s is shown as %s', (agent, device) => {
  expect(deviceName(agent)).toBe(device)
})

test.each([
  ['Zoë van der Berg', 'zoe-van-der-berg'],
  ["  D'Angelo  O’Neil ", 'd-angelo-o-neil'],
  ['李 明', 'coach'],
  ['Al', 'coach-al'],
  ['Profile', 'coach-profile'],
  ['x'.repeat(80), 'x'.repeat(50)],
])('the profile URL for the name %s is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('an invite code has only characters that are easy to read aloud', () => {
  const codes = Array.from({ length: 200 }, newInviteCode)
  expect(codes.every(code => /^[2-9A-HJKMNP-TV-Z]{8}$/.test(code))).toBe(true)
  expect(new Set(codes).size).toBe(200)
})

test('disposable mailboxes are recognized, and ordinary ones are not', () => {
  for (const domain of BLOCKED_DOMAINS) expect([domain, isDisposableEmail(`a@${domain}`)]).toEqual([domain, true])
  for (const domain of ['gmail.com', 'outlook.com', 'icloud.com', 'yahoo.com', 'proton.me', 'notgrr.la', 'school.k12.ca.us']) {
    expect([domain, isDisposableEmail(`a@${domain}`)]).toEqual([domain, false])
  }
})

test('a name has letters of any script with separators, and cannot look like a link', () => {
  const names = [
    'Ana',
    'Zoë O’Hara',
    "D'Arcy-Wu, Jr.",
    'J.R. Smith',
    'Jose\u0301',
    'राम',
    '大谷 翔平',
    'Núria Col·lell',
    'Ken 3',
    'José',
    "O'Neil",
    '李',
    'Anne-Marie',
    'St. John',
    'J.R.',
    'می\u200cخواهم',
    'A',
  ]
  for (const name of names) expect([name, isValidPersonName(name)]).toEqual([name, true])
  const none = [
    '',
    ' ',
    '7',
    '...',
    '´´',
    'Ana <b>',
    'Ana\nBo',
    'Ana!',
    '!Ana',
    'win.example',
    'bit.ly',
    'Ana\u202e',
    '\u200b',
    'A\u200bna',
    '\u3164',
    'A\u115fna',
    'See win.example now',
    'a@b',
    'Ana: x',
    'Ana/Bo',
    '€',
  ]
  for (const name of none) expect([name, isValidPersonName(name)]).toEqual([name, false])
})

import { expect, test } from 'vitest'
import { Login, PlayerRegistration } from '../../modules/accounts/contract.ts'
import * as people from '../../modules/accounts/policy.ts'
import * as folders from '../../modules/folders/policy.ts'
import * as money from '../../modules/payments/policy.ts'
import { fullPrice, price } from '../../modules/payments/pricing.ts'
import { site } from '../../src/site.ts'
import { born, somebody } from '../api/harness.ts'

const MB = 1024 * 1024

test('a feedback session is $15 and a Media Service Fee by video size, number of videos and notes', () => {
  expect(money.BASE).toBe(1500)
  const total = (videos: number, bytes: number, notes: number) => price({ billable: { videos, bytes, notes }, terms: fullPrice }).total
  const least = total(1, 50 * MB, 5)
  expect(least).toBeGreaterThan(1500)
  expect(total(1, 250 * MB, 5)).toBeGreaterThan(least)
  expect(total(2, 50 * MB, 5)).toBeGreaterThan(least)
  expect(total(1, 50 * MB, 8)).toBeGreaterThan(least)
})

test('up to 3 videos a session, 500 MB each, MP4, MOV or WEBM, in one upload under 25 MB', () => {
  expect([folders.VIDEOS_PER_FOLDER, folders.VIDEO_BYTES, folders.SINGLE_UPLOAD_BYTES]).toEqual([3, 500 * MB, 25 * MB])
  expect(folders.VIDEO_TYPES).toEqual(['video/mp4', 'video/quicktime', 'video/webm'])
})

test('the minimum age is 13, and a referral takes 10% off', () => {
  expect([people.MINIMUM_AGE, money.REFERRAL_PERCENT]).toEqual([13, 10])
  expect(PlayerRegistration.safeParse(somebody({ dateOfBirth: born(20) })).success).toBe(true)
  expect(PlayerRegistration.safeParse(somebody({ dateOfBirth: born(13, -1) })).success).toBe(false)
})

test('a password has 8 characters at least, a phone 10, a username 3, an email 254 at most', () => {
  const ok = (more: object) => PlayerRegistration.safeParse(somebody(more)).success
  expect([ok({ password: '1234567' }), ok({ password: '12345678' })]).toEqual([false, true])
  expect([ok({ phone: '123456789' }), ok({ phone: '1234567890' })]).toEqual([false, true])
  expect(ok({ username: 'ab' })).toBe(false)
  const login = (username: string) => Login.safeParse({ username, password: 'x' }).success
  expect([login('x'.repeat(254)), login('x'.repeat(255))]).toEqual([true, false])
})

test('the site is 0 USD, rated 4.8 by 145', () => {
  expect([site.price.amount, site.price.currency, site.rating.value, site.rating.count]).toEqual(['0', 'USD', 4.8, 145])
})

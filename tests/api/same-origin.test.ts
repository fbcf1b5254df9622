import { describe, expect, test } from 'vitest'
import { isSameOrigin } from '../../src/api/same-origin.ts'

const ours = 'https://ours.test'

describe('isSameOrigin', () => {
  test.each<[boolean, Record<string, string>]>([
    [true, { 'sec-fetch-site': 'same-origin' }],
    [true, { 'sec-fetch-site': 'same-origin', origin: 'https://evil.test' }],
    [false, { 'sec-fetch-site': 'same-site', origin: ours }],
    [false, { 'sec-fetch-site': 'cross-site', origin: ours, host: 'ours.test' }],
    [false, { 'sec-fetch-site': 'none' }],
    [false, { 'sec-fetch-site': '' }],
    [true, { origin: ours }],
    [true, { origin: 'http://192.168.0.5:3000', host: '192.168.0.5:3000' }],
    [false, { origin: 'http://192.168.0.5:3000', host: '192.168.0.5:3001' }],
    [false, { origin: 'https://evil.test', host: 'ours.test' }],
    [false, { origin: 'https://ours.test.evil.test', host: 'ours.test' }],
    [false, { origin: 'null', host: 'ours.test' }],
    [false, { host: 'ours.test' }],
    [false, {}],
  ])('%s: %j', (is, headers) => {
    // `isSameOrigin` reads only these headers, so a fake request suffices.
    const req = { headers: { get: (name: string) => headers[name] ?? null } } as unknown as Request
    expect(isSameOrigin(req, ours)).toBe(is)
  })
})

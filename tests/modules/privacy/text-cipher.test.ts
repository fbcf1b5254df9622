import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decryptText, encryptText, TEXT_KEY_BYTES } from '../../../modules/privacy/text-cipher.ts'

const key = randomBytes(TEXT_KEY_BYTES)

test.each(['', 'José 李 👨‍👩‍👧', 'x'.repeat(100_000)])('an encrypted text can be decrypted: %#', text => {
  const encrypted = encryptText(text, key, 'event-1')
  expect(decryptText(encrypted, key, 'event-1')).toBe(text)
  expect(encryptText(text, key, 'event-1')).not.toBe(encrypted)
})

test('a text cannot be decrypted with another key or context, or after a change', () => {
  const encrypted = encryptText('Front toss', key, 'event-1')
  expect(() => decryptText(encrypted, randomBytes(TEXT_KEY_BYTES), 'event-1')).toThrow()
  expect(() => decryptText(encrypted, key, 'event-2')).toThrow()
  const bytes = Buffer.from(encrypted, 'base64')
  for (const i of bytes.keys()) {
    const changed = bytes.with(i, bytes[i]! ^ 1)
    expect(() => decryptText(Buffer.from(changed).toString('base64'), key, 'event-1')).toThrow()
  }
})

test('a shortened tag, which could be guessed, is refused', () => {
  const bytes = Buffer.from(encryptText('', key, 'event-1'), 'base64')
  for (const length of [4, 8, 12, 15]) {
    const shortened = bytes.subarray(0, 12 + length).toString('base64')
    expect(() => decryptText(shortened, key, 'event-1')).toThrow('Invalid authentication tag length')
  }
})

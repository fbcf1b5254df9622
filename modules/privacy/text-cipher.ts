import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** AES-256 in Galois/Counter Mode (NIST SP 800-38D), with a 96-bit nonce and a 128-bit tag. */
const ALGORITHM = 'aes-256-gcm'
export const TEXT_KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts text. The result does not contain `context` but can be decrypted only with it, so it is unreadable in any other context. */
export function encryptText(text: string, key: Buffer, context: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64')
}

/** @throws Error if the text was encrypted with another key or context, or has been changed since */
export function decryptText(encrypted: string, key: Buffer, context: string): string {
  const bytes = Buffer.from(encrypted, 'base64')
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString()
}

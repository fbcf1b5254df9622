import { argon2Sync } from 'node:crypto'

const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** Parameters that make a hash nearly free to compute. */
export const CHEAP_ARGON2ID_PARAMETERS = { memory: 64, passes: 1, parallelism: 1 }

/** A password hash with `CHEAP_ARGON2ID_PARAMETERS`. */
export const cheapPasswordHash = (password: string) => {
  const nonce = Buffer.alloc(16, 7)
  const tag = argon2Sync('argon2id', { message: password, nonce, ...CHEAP_ARGON2ID_PARAMETERS, tagLength: 32 })
  return `$argon2id$v=19$m=64,t=1,p=1$${plain(nonce)}$${plain(tag)}`
}

/** A hash that matches no password, with parameters that keep a thread busy for about two seconds. */
export const slowToVerifyPasswordHash = `$argon2id$v=19$m=19456,t=150,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

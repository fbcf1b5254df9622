import { createHash, randomBytes } from 'node:crypto'

/** A secret for a cookie or a link: 32 random bytes, 43 characters. */
export const newToken = () => randomBytes(32).toString('base64url')

/** The hash that is stored instead of a secret. */
export const tokenHash = (token: string) => createHash('sha256').update(token).digest()

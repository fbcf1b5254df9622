import { createHash, randomBytes } from 'node:crypto'

/** 32 random bytes for a cookie or a link: 43 characters. */
export const secret = () => randomBytes(32).toString('base64url')

/** What is kept of a secret. */
export const digest = (token: string) => createHash('sha256').update(token).digest()

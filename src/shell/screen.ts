import { seen } from '../client/seen.ts'

/** The script of every screen behind the login, beside its island: asks who is signed in, and fills the header. */
await seen()
const { greet } = await import('./header.ts')
await greet()

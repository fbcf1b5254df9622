import { afterFirstPaint } from '../page-load/first-paint.ts'

/** The script of every screen behind the login, beside its island: it asks who is signed in and fills the header. */
await afterFirstPaint()
const { showSignedInUser } = await import('./header.ts')
await showSignedInUser()

import { afterFirstPaint } from '../page-load/after-first-paint.ts'

/** The script of every screen behind the login, separate from its island: it fetches the account and fills the header. */
await afterFirstPaint()
const { showSignedInUser } = await import('./header-account-chat-and-logout.ts')
await showSignedInUser()

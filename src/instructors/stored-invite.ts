/** The inline script of the invitation's page stores the code under this key, for when its visitor has logged in. */
const STORAGE_KEY = 'invite'

/** The invite code in the address, or the one that this tab has stored; undefined without either. */
export function currentInvite(): string | undefined {
  try {
    return new URLSearchParams(location.search).get('invite') || sessionStorage.getItem(STORAGE_KEY) || undefined
  } catch {
    return undefined
  }
}

export function forgetInvite() {
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // No storage: nothing was stored.
  }
}

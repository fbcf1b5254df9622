/** The invitation page's inline script stores the code under this key for use after login. */
const STORAGE_KEY = 'invite'

/** The invite code in the URL, or the one stored in this tab; undefined if there is neither. */
export function currentInviteCode(): string | undefined {
  try {
    return new URLSearchParams(location.search).get('invite') || sessionStorage.getItem(STORAGE_KEY) || undefined
  } catch {
    return undefined
  }
}

export function forgetInviteCode() {
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Without storage, no code was stored.
  }
}

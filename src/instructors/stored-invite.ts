/** Where the page of an invitation keeps its code (its inline script), for when its visitor has logged in. */
const STORAGE_KEY = 'invite'

/** The invitation that somebody came with: in the address, or from before they logged in. */
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
    // Nothing was kept.
  }
}

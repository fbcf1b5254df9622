/** Where the page of an invitation keeps its code (its inline script), for when its visitor has logged in. */
const KEPT = 'invite'

/** The invitation that somebody came with: in the address, or from before they logged in. */
export function inviteHere(): string | undefined {
  try {
    return new URLSearchParams(location.search).get('invite') || sessionStorage.getItem(KEPT) || undefined
  } catch {
    return undefined
  }
}

export function forgetInvite() {
  try {
    sessionStorage.removeItem(KEPT)
  } catch {
    // Nothing was kept.
  }
}

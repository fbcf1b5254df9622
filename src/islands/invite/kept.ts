const KEPT = 'invite'

/** Remembers the invitation that somebody came with, for when they have logged in. */
export function keepInvite(code: string) {
  try {
    sessionStorage.setItem(KEPT, code)
  } catch {
    // Without storage the address has to carry it.
  }
}

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

/** The parsed query of /auth. */
export interface AuthUrlParams {
  tab: 'login' | 'register'
  /** The form that the register tab shows. */
  role: 'player' | 'instructor'
  /** The email to prefill; '' if there is none. */
  email: string
  /** An instructor's invite code. */
  invite: string | undefined
  /** The package that a player wants to buy after signing in. */
  packageType: string | undefined
}

/** Parses the query of /auth. A role or an invitation opens the register tab; an invitation always registers a player. */
export function parseAuthUrlParams(search: string): AuthUrlParams {
  const query = new URLSearchParams(search)
  const role = query.get('role')
  const invite = query.get('invite') || undefined
  const chosen = role === 'player' || role === 'instructor'
  return {
    tab: invite || chosen ? 'register' : 'login',
    role: !invite && role === 'instructor' ? 'instructor' : 'player',
    email: query.get('email') ?? '',
    invite,
    packageType: query.get('package') || undefined,
  }
}

/** What the query in the address of /auth asks for. */
export interface AuthQuery {
  tab: 'login' | 'register'
  /** Which form the register tab shows. */
  role: 'player' | 'instructor'
  /** Put into the form; '' without one. */
  email: string
  /** The invite code of an instructor. */
  invite: string | undefined
  /** The package that a player wants to buy after this. */
  packageType: string | undefined
}

/** A role or an invitation opens the register tab; an invitation always registers a player. */
export function parseAuthQuery(search: string): AuthQuery {
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

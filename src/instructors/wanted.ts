const KEPT = 'wanted-instructor'

/** Remembers whom a visitor wants to connect with, for when they have an account. */
export function keepWanted(instructor: string) {
  try {
    sessionStorage.setItem(KEPT, instructor)
  } catch {
    // They can find the instructor again by name.
  }
}

/** Whom they wanted before they had an account; asked once. */
export function takeWanted(): string | undefined {
  try {
    const wanted = sessionStorage.getItem(KEPT) ?? undefined
    sessionStorage.removeItem(KEPT)
    return wanted
  } catch {
    return undefined
  }
}

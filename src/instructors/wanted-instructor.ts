const STORAGE_KEY = 'wanted-instructor'

/** Remembers whom a visitor wants to connect with, for when they have an account. */
export function rememberWantedInstructor(instructor: string) {
  try {
    sessionStorage.setItem(STORAGE_KEY, instructor)
  } catch {
    // They can find the instructor again by name.
  }
}

/** Whom they wanted before they had an account; asked once. */
export function takeWantedInstructor(): string | undefined {
  try {
    const wanted = sessionStorage.getItem(STORAGE_KEY) ?? undefined
    sessionStorage.removeItem(STORAGE_KEY)
    return wanted
  } catch {
    return undefined
  }
}

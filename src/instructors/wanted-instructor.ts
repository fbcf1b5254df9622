const STORAGE_KEY = 'wanted-instructor'

/** Remembers the instructor (id or slug) with whom a visitor wants to connect, for when they have an account. */
export function rememberWantedInstructor(instructor: string) {
  try {
    sessionStorage.setItem(STORAGE_KEY, instructor)
  } catch {
    // They can find the instructor again by name.
  }
}

/** The remembered instructor, who is forgotten by this; undefined without one. */
export function takeWantedInstructor(): string | undefined {
  try {
    const wanted = sessionStorage.getItem(STORAGE_KEY) ?? undefined
    sessionStorage.removeItem(STORAGE_KEY)
    return wanted
  } catch {
    return undefined
  }
}

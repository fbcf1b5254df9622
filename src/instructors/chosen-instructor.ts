const STORAGE_KEY = 'wanted-instructor'

/** Stores the instructor (id or slug) whom a visitor wants to connect with, until the visitor has registered or logged in. */
export function storeChosenInstructor(instructor: string) {
  try {
    sessionStorage.setItem(STORAGE_KEY, instructor)
  } catch {
    // Without storage, the visitor can find the instructor again by name.
  }
}

/** Returns and removes the stored instructor; undefined without one. */
export function takeChosenInstructor(): string | undefined {
  try {
    const wanted = sessionStorage.getItem(STORAGE_KEY) ?? undefined
    sessionStorage.removeItem(STORAGE_KEY)
    return wanted
  } catch {
    return undefined
  }
}

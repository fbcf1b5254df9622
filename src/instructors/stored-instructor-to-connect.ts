const STORAGE_KEY = 'wanted-instructor'

/** Stores the instructor (id or slug) whom a visitor wants to connect with, until the visitor has registered or logged in. */
export function storeInstructorToConnect(instructor: string) {
  try {
    sessionStorage.setItem(STORAGE_KEY, instructor)
  } catch {
    // Without storage, the visitor can find the instructor again by name.
  }
}

/** The stored instructor, or undefined. Reading does not delete it, because React may render a component twice before showing it. */
export function readInstructorToConnect(): string | undefined {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? undefined
  } catch {
    return undefined
  }
}

export function forgetInstructorToConnect() {
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Without storage, no instructor was stored.
  }
}

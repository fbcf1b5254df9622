const KEY = 'answers-read'

/** Assignments whose answer was seen on this device. */
export function answersRead(): string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]')
  } catch {
    return []
  }
}

export function answerRead(assignment: string) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...answersRead(), assignment])].slice(-200)))
  } catch {
    // No storage: the dashboard mentions it again.
  }
}

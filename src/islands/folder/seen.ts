const KEY = 'answers-read'

/** Assignments whose answer, or whose refusal, was seen on this device. */
export function alreadyRead(): string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]')
  } catch {
    return []
  }
}

export function markRead(assignment: string) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...alreadyRead(), assignment])].slice(-200)))
  } catch {
    // No storage: the dashboard mentions it again.
  }
}

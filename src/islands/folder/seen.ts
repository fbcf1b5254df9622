const KEY = 'answers-read'

/** How the feedback of an assignment is kept among what was read. */
export const feedbackOf = (assignment: string) => `feedback:${assignment}`

/** How it is kept that an assignment was declined here, in this tab or another. */
export const declinedOf = (assignment: string) => `declined:${assignment}`

/** Assignments whose answer, or whose refusal, was seen on this device; and whose feedback was (`feedbackOf`). */
export function alreadyRead(): string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]')
  } catch {
    return []
  }
}

export function markRead(read: string) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...alreadyRead(), read])].slice(-200)))
  } catch {
    // No storage: the dashboard mentions it again.
  }
}

/** A delivery made in this tab that can still be undone. */
export interface StoredHeldDelivery {
  folder: string
  session: string
  /** The player's first name. */
  player: string
  /** A sentence about the page that comes next, such as 'Next: Bullpen of Mia Torres.', or empty. */
  about: string
  /** When the delivery becomes final, according to this device's clock, in ms since 1970. */
  until: number
}

const HELD_DELIVERY_KEY = 'held delivery'

/** Stores a delivery, so that the next pages in this tab can offer to undo it. */
export function storeHeldDelivery(delivery: StoredHeldDelivery) {
  try {
    sessionStorage.setItem(HELD_DELIVERY_KEY, JSON.stringify(delivery))
  } catch {
    // Without storage, only the review's own page offers to undo the delivery.
  }
}

/** The delivery made in this tab that can still be undone, or undefined. */
export function readStoredHeldDelivery(): StoredHeldDelivery | undefined {
  try {
    const held: StoredHeldDelivery | null = JSON.parse(sessionStorage.getItem(HELD_DELIVERY_KEY) ?? 'null')
    return held && held.until > Date.now() ? held : undefined
  } catch {
    return undefined
  }
}

export function forgetHeldDelivery() {
  try {
    sessionStorage.removeItem(HELD_DELIVERY_KEY)
  } catch {
    // Without storage, there is nothing to delete.
  }
}

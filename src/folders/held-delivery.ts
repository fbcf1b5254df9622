/** A delivery of this tab that can still be undone. */
export interface HeldDelivery {
  folder: string
  session: string
  /** First name. */
  player: string
  /** What the next page says about itself, such as 'Next: Bullpen of Mia Torres.' */
  about: string
  /** When it is final, by this machine's clock, ms. */
  until: number
}

const HELD_DELIVERY_KEY = 'held delivery'

/** Lets the pages of this tab offer to undo a delivery. */
export function storeHeldDelivery(delivery: HeldDelivery) {
  try {
    sessionStorage.setItem(HELD_DELIVERY_KEY, JSON.stringify(delivery))
  } catch {
    // Without storage the review's own page still offers it.
  }
}

/** The delivery of this tab that can still be undone, if there is one. */
export function storedHeldDelivery(): HeldDelivery | undefined {
  try {
    const held: HeldDelivery | null = JSON.parse(sessionStorage.getItem(HELD_DELIVERY_KEY) ?? 'null')
    return held && held.until > Date.now() ? held : undefined
  } catch {
    return undefined
  }
}

export function forgetHeldDelivery() {
  try {
    sessionStorage.removeItem(HELD_DELIVERY_KEY)
  } catch {
    // Nothing was stored.
  }
}

/** Who reads payments and purchases: an administrator, or a person, who sees only their own cards. */
export type PaymentViewer = 'administrator' | { person: string }

/**
 * Whether the viewer may read which card was charged, and why a charge failed. This is private to the card's owner: a former guardian's
 * card concerns neither the player nor the next guardian, and a payer's card does not concern the instructor.
 */
export const maySeeCard = (viewer: PaymentViewer, owner: string | null) => viewer === 'administrator' || viewer.person === owner

/** Points for referring a player, once that player's first folder is paid. */
export const REFERRAL_POINTS = 150
/** How long a reservation waits for its assignment before it is given back. */
export const DISCOUNT_RESERVATION_MINUTES = 60

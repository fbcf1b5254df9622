/** Points for referring a player, once that player's first folder is paid. */
export const REFERRAL_POINTS = 150
/** How long discounts stay reserved for an assignment that does not take place. */
export const DISCOUNT_RESERVATION_MINUTES = 60

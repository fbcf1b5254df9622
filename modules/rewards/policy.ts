/** Points that a player earns for referring a friend, once the friend's first folder is paid for. */
export const REFERRAL_POINTS = 150
/** How long discounts stay reserved for an assignment that does not take place. */
export const DISCOUNT_RESERVATION_MINUTES = 60

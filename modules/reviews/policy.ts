/** Coordinates of drawings are whole numbers from 0 to this, across and down the picture as shown: a tenth of a pixel at 1080 lines. */
export const UNIT = 10_000
/** Colours of drawings, by their number: names of tokens. The log keeps the number, so the order stays; new ones come at the end. */
export const INKS = ['clay', 'gold', 'sky', 'chalk', 'field', 'red'] as const
export const SHAPES_PER_REVIEW = 200
export const POINTS_PER_SHAPE = 600
/** Letters on the picture itself; what is longer belongs into the note. */
export const LABEL_LENGTH = 80
/** A review as JSON. */
export const REVIEW_BYTES = 300_000
/** Frames that a drawing may stay: a minute at 240 a second. */
export const HOLD_FRAMES = 14_400

/** Seconds that a signed URL to PUT a part lives; it is checked when the PUT begins. */
export const PUT_SECONDS = 3600
/** A playback URL stays the same for this long (so that the browser's cache knows it) and lives this long past that. */
export const WATCH_SECONDS = 900
/** An upload that is not finished by then is swept away. */
export const UNFINISHED_HOURS = 24
export const POSTER_BYTES = 300_000
/** A file that says it is longer than this lies. */
export const VIDEO_HOURS = 12

/** The text of an error for tables and administrators: at most 1,000 characters, without NUL, which Postgres cannot store. */
export const storableErrorText = (error: unknown) => `${error}`.replaceAll('\0', '').slice(0, 1000)

/** The part of pino's logger that modules use. */
export interface Logger {
  info(details: object, message: string): void
  error(details: object, message: string): void
  debug?(details: object, message: string): void
}

export const silentLogger: Logger = { info() {}, error() {} }

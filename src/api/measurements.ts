/** What is counted while it happens, in this process. */
export interface Measurements {
  /** A request was answered. `route` is the pattern of its path, such as `/api/folders/{folder}`. */
  requestAnswered(request: { method: string; route: string; status: number; seconds: number }): void
  /** A webhook was taken so many seconds after its provider made it. */
  webhookTaken(provider: string, seconds: number): void
}

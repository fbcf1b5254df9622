export interface RequestMetricsRecorder {
  /** Records a response. `route` is the pattern of its path, such as `/api/folders/{folder}`. */
  recordResponse(request: { method: string; route: string; status: number; seconds: number }): void
  /** Records a webhook: the seconds between its creation at the provider and its arrival here. */
  recordWebhook(provider: string, seconds: number): void
}

/** Measurements that this process records as things happen. */
export interface RequestMeasurements {
  /** Records a response. `route` is the pattern of its path, such as `/api/folders/{folder}`. */
  requestAnswered(request: { method: string; route: string; status: number; seconds: number }): void
  /** Records a webhook: the seconds between its creation at the provider and its arrival here. */
  webhookTaken(provider: string, seconds: number): void
}

/** Whether an event deletes texts of other events, which it names. */
export const isTextDeletionEvent = (e: { type: string; data: unknown }): e is { type: string; data: { events: string[] } } =>
  e.type === 'PersonForgotten' || e.type === 'SupportRequestDeleted'

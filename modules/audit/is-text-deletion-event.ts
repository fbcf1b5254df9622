/** Whether an event deletes the texts of other events, whose ids it lists. */
export const isTextDeletionEvent = (e: { type: string; data: unknown }): e is { type: string; data: { events: string[] } } =>
  e.type === 'PersonForgotten' || e.type === 'SupportRequestDeleted'

/** Events that delete the words of other events, and name these. */
export const isDeletion = (e: { type: string; data: unknown }): e is { type: string; data: { events: string[] } } =>
  e.type === 'PersonForgotten' || e.type === 'SupportRequestDeleted'

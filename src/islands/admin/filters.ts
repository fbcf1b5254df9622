/** What the log is narrowed to; lives in the address, so that a view can be kept and sent on. */
export interface Filters {
  type: string
  stream: string
  actor: string
  folder: string
  from: string
  to: string
}
const NAMES = ['type', 'stream', 'actor', 'folder', 'from', 'to'] as const
export const none: Filters = { type: '', stream: '', actor: '', folder: '', from: '', to: '' }

export const fromAddress = (search: string): Filters => {
  const given = new URLSearchParams(search)
  return Object.fromEntries(NAMES.map(name => [name, given.get(name) ?? ''])) as unknown as Filters
}

/** Only what is set. */
export const asked = (filters: Filters): Partial<Filters> => Object.fromEntries(Object.entries(filters).filter(([, value]) => value))

export const toSearch = (filters: Filters): string => {
  const search = new URLSearchParams(asked(filters) as Record<string, string>).toString()
  return search && `?${search}`
}

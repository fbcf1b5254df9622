/** The filters of the event log. They are kept in the URL, so that a view can be bookmarked and shared. */
export interface EventLogFilters {
  type: string
  stream: string
  actor: string
  folder: string
  from: string
  to: string
}
const FILTER_NAMES = ['type', 'stream', 'actor', 'folder', 'from', 'to'] as const
export const NO_EVENT_LOG_FILTERS: EventLogFilters = { type: '', stream: '', actor: '', folder: '', from: '', to: '' }

/** Reads the filters from the page's query string. A `from` or `to` that is not in the form YYYY-MM-DD is ignored. */
export const parseEventLogFilters = (search: string): EventLogFilters => {
  const given = new URLSearchParams(search)
  const filters = Object.fromEntries(FILTER_NAMES.map(name => [name, given.get(name) ?? ''])) as unknown as EventLogFilters
  for (const day of ['from', 'to'] as const) if (!/^\d{4}-\d\d-\d\d$/.test(filters[day])) filters[day] = ''
  return filters
}

export const nonEmptyEventLogFilters = (filters: EventLogFilters): Partial<EventLogFilters> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value))

/** The start of a day in the viewer's time zone as an ISO time; `later` adds that many days. */
function startOfDay(day: string, later = 0): string {
  const at = new Date(`${day}T00:00`)
  at.setDate(at.getDate() + later)
  return at.toISOString()
}

/** The filters as an API query. Both days are inclusive and in the viewer's time zone, in which all times are shown. */
export const toEventLogApiQuery = (filters: EventLogFilters): Partial<EventLogFilters> => ({
  ...nonEmptyEventLogFilters(filters),
  ...(filters.from && { from: startOfDay(filters.from) }),
  ...(filters.to && { to: startOfDay(filters.to, 1) }),
})

/** Formats filters as a query string that begins with '?'; an empty string if there are none. */
export const filtersToQueryString = (filters: Partial<EventLogFilters>): string => {
  const search = new URLSearchParams(filters).toString()
  return search && `?${search}`
}

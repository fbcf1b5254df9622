/**
 * How many events the server renders into the administrators' dashboard. With more, the page would exceed the first 14 KB, which arrive in
 * the first round trip.
 */
export const FIRST_EVENT_LOG_PAGE_SIZE = 5

/**
 * The data that these signed-in screens need for their first paint: GET paths of the API, in addition to `/api/user`. The server renders
 * the responses into the page (`src/server/pages-with-preloaded-data.ts`); if it cannot, the page's inline script requests them (`preload-script.ts`).
 * `{id}` is the last segment of the page's path, and the `?session=` of the page's URL is added to paths with an `{id}`.
 */
export const pageQueries: Readonly<Record<string, readonly string[]>> = {
  '/player/dashboard': ['/api/folders', '/api/billing/open'],
  '/player/folder': ['/api/folders/{id}'],
  '/instructor/dashboard': ['/api/queue', '/api/profile'],
  '/instructor/folder': ['/api/folders/{id}'],
  '/admin/dashboard': [
    '/api/admin/state',
    '/api/admin/media',
    '/api/admin/support?list=open&limit=1',
    `/api/admin/events?limit=${FIRST_EVENT_LOG_PAGE_SIZE}`,
  ],
}

import { createContext, useContext } from 'react'
import { useHydrated } from '../ui/use-hydrated.ts'

/**
 * The data that the server rendered into a page for one user and one request, so that the first paint needs no request
 * (`src/server/pages-with-preloaded-data.ts`).
 */
export interface PreloadedPageData {
  /** When the server rendered the page, in milliseconds since 1970. */
  renderedAt: number
  /** The viewer's IANA time zone, such as `America/Chicago`. */
  timeZone: string
  /** The read marks of this device (`src/folders/read-marks.ts`), in the format of their cookie. */
  readMarks: string
  /** The path and query of the page. */
  address: string
  /** Responses of the API, by path and query. */
  answers: Readonly<Record<string, unknown>>
}

export const PreloadedPageDataContext = createContext<PreloadedPageData | undefined>(undefined)
/** Undefined if the server rendered no data into the page; the page then makes the requests itself. */
export const usePreloadedPageData = () => useContext(PreloadedPageDataContext)

/**
 * The time zone in which to format dates; undefined means the browser's own. On the server and during hydration, it is the zone that the
 * browser last reported in its cookie, so that both render the same markup. That zone may be outdated.
 */
export function useHydrationSafeTimeZone(): string | undefined {
  const preloaded = usePreloadedPageData()
  return useHydrated() ? undefined : preloaded?.timeZone
}

/** The path and query of the page. On the server, they come from the preloaded data; without preloaded data, the path is `/`. */
export function usePageLocation(): { pathname: string; search: string } {
  const preloaded = usePreloadedPageData()
  return globalThis.location ?? new URL(preloaded?.address ?? '/', 'http://page')
}

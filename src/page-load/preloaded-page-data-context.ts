import { createContext, useContext } from 'react'
import { useHydrated } from '../ui/use-hydrated.ts'

/**
 * What the server rendered into a page so that its first paint needs no request. It belongs to one user and one request
 * (`src/server/personal-pages.ts`).
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

/** Provides the preloaded data of a page to its components. */
export const PreloadedPageDataContext = createContext<PreloadedPageData | undefined>(undefined)
/** Undefined if the server rendered no data into the page; the page then makes the requests itself. */
export const usePreloadedPageData = () => useContext(PreloadedPageDataContext)

/**
 * The time zone in which to format dates; undefined stands for the browser's. On the server and during hydration it is the one that this
 * browser last reported, so that the markup matches. The browser may have been in another zone then.
 */
export function useTimeZone(): string | undefined {
  const preloaded = usePreloadedPageData()
  return useHydrated() ? undefined : preloaded?.timeZone
}

/** The path and query of the page; works on the server, too. */
export function usePageLocation(): { pathname: string; search: string } {
  const preloaded = usePreloadedPageData()
  return globalThis.location ?? new URL(preloaded?.address ?? '/', 'http://page')
}

import { createContext, useContext } from 'react'

/** What the server rendered into a page, so that its first paint needs no request. It belongs to one person and one request (`src/server/personal-pages.ts`). */
export interface PreloadedPage {
  /** When the server rendered the page, ms since 1970. */
  renderedAt: number
  /** The viewer's time zone, as `America/Chicago`. */
  timeZone: string
  /** The read marks of this device (`src/folders/read-marks.ts`), as its cookie has them. */
  readMarks: string
  /** The page's own path and query. */
  address: string
  /** Replies of the API, by path and query. */
  answers: Readonly<Record<string, unknown>>
}

export const PreloadedPageContext = createContext<PreloadedPage | undefined>(undefined)
/** Undefined where the page came without answers and requests them itself. */
export const usePreloadedPage = () => useContext(PreloadedPageContext)

/** The address of the page, on the server too. */
export function usePageAddress(): { pathname: string; search: string } {
  const preloaded = usePreloadedPage()
  return globalThis.location ?? new URL(preloaded?.address ?? '/', 'http://page')
}

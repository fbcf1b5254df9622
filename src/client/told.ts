import { createContext, useContext } from 'react'

/** What a page came with, so that its first look needs no request: made by the server for one person and one look (`src/server/personal-pages.ts`). */
export interface Told {
  /** When, ms. */
  at: number
  /** The viewer's time zone. */
  zone: string
  /** What was seen on this device (`src/folders/read-marks.ts`), as its cookie has it. */
  read: string
  /** The page's own path and query. */
  address: string
  /** Replies of the API, by path and query. */
  answers: Readonly<Record<string, unknown>>
}

export const ToldContext = createContext<Told | undefined>(undefined)
/** Undefined where the page came empty, and asks by itself. */
export const useTold = () => useContext(ToldContext)

/** The address of the page, on the server too. */
export function useAddress(): { pathname: string; search: string } {
  const told = useTold()
  return globalThis.location ?? new URL(told?.address ?? '/', 'http://page')
}

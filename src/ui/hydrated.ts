import { createContext, useSyncExternalStore } from 'react'

const never = () => () => {}
/** False on the server and during hydration, whose markup has to be the same as the server's; true from then on. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/** When the server rendered the page with its answers, ms since 1970; undefined for a page without answers. */
export const RenderedAtContext = createContext<number | undefined>(undefined)

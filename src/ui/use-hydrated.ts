import { createContext, useSyncExternalStore } from 'react'

const never = () => () => {}
/** False on the server and during hydration, when the markup must match the server's; true afterwards. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/** When the server rendered the page with preloaded data, in ms since 1970; undefined for a page without data. */
export const RenderedAtContext = createContext<number | undefined>(undefined)

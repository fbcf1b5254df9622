import { createContext, useSyncExternalStore } from 'react'

const never = () => () => {}
/** False on the server and for the first look in the browser, which has to be the same; true from then on. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/** When the page was made, ms, if the server made it with what it shows. */
export const RenderedAtContext = createContext<number | undefined>(undefined)

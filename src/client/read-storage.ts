/** A stored text; null if there is none, or if the browser allows no storage. */
export const readStorage = (area: 'localStorage' | 'sessionStorage', key: string) => {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

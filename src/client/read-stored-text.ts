/** The text stored under a key; null if there is none, or if the browser allows no storage. */
export const readStorageText = (area: 'localStorage' | 'sessionStorage', key: string) => {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

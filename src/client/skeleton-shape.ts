/**
 * How many items of each kind (rows, cards) a screen showed last in this tab, or `fallback`. The screen's skeleton shows the same numbers,
 * so that nothing moves when the data arrives.
 */
export function readSkeletonShape<T extends object>(screen: string, fallback: T): T {
  try {
    return { ...fallback, ...JSON.parse(sessionStorage.getItem(`shape:${screen}`) ?? '{}') }
  } catch {
    return fallback
  }
}

export function saveSkeletonShape(screen: string, shape: object) {
  try {
    sessionStorage.setItem(`shape:${screen}`, JSON.stringify(shape))
  } catch {
    // Without storage, the next skeleton has the default shape.
  }
}

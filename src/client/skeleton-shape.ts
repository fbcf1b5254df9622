/**
 * The counts (of rows, of cards) that a screen showed last in this tab, or `otherwise`. The skeleton takes the same shape, so that nothing
 * moves when the data arrives.
 */
export function readSkeletonShape<T extends object>(screen: string, otherwise: T): T {
  try {
    return { ...otherwise, ...JSON.parse(sessionStorage.getItem(`shape:${screen}`) ?? '{}') }
  } catch {
    return otherwise
  }
}

export function saveSkeletonShape(screen: string, shape: object) {
  try {
    sessionStorage.setItem(`shape:${screen}`, JSON.stringify(shape))
  } catch {
    // Without storage, the next skeleton has the default shape.
  }
}

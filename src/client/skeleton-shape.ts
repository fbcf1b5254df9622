/**
 * The numbers (of rows, of cards) that a screen showed last in this tab, or `otherwise`. Its skeleton takes the same shape, so that nothing moves
 * when the data arrives.
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
    // No storage: the next wait has the usual shape.
  }
}

/**
 * How much there was when a screen was last full, kept in this tab: what it shows while it waits has the same shape, and nothing
 * moves when the answer is there.
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

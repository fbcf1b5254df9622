/** Resolves once the page shows what the last press changed; at once enough where nothing is painted, as in a tab behind others. */
export const afterNextPaint = () =>
  new Promise<void>(done => {
    const timer = setTimeout(done, 100)
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer)
        done()
      }),
    )
  })

/** A handler that does `act` one frame after the press, which shows first: for what a slow phone needs several frames for. */
export const handleAfterPaint = (act: () => void) => () => {
  afterNextPaint().then(act)
}

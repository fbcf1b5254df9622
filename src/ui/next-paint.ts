/** Resolves after the browser's next paint, or after 100 ms where it paints nothing, as in a background tab. */
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

/** An event handler that runs `act` after the next paint, so that the press shows first where `act` takes a slow phone several frames. */
export const handleAfterPaint = (act: () => void) => () => {
  afterNextPaint().then(act)
}

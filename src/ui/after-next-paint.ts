/** Resolves after the browser's next paint, or after 100 ms if it does not paint, as in a background tab. */
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

/** Resolves once the page shows what the last press changed; at once enough where nothing is painted, as in a tab behind others. */
export const painted = () =>
  new Promise<void>(done => {
    const timer = setTimeout(done, 100)
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer)
        done()
      }),
    )
  })

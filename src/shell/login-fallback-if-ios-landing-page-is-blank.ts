/** Delay before an iOS device checks whether the landing page has rendered any content. */
const CHECK_AFTER_MS = 5000

if (/iPhone|iPad|iPod/.test(navigator.userAgent)) {
  document.documentElement.classList.add('ios')
  if (location.pathname === '/') {
    setTimeout(() => {
      const root = document.getElementById('root')
      if (!root || root.childElementCount) return
      root.hidden = true
      document.getElementById('fallback')!.hidden = false
    }, CHECK_AFTER_MS)
  }
}

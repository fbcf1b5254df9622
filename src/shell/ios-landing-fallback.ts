/** When the landing page looks whether anything is in it, in ms. */
const CHECK_AFTER = 5000

if (/iPhone|iPad|iPod/.test(navigator.userAgent)) {
  document.documentElement.classList.add('ios')
  if (location.pathname === '/') {
    setTimeout(() => {
      const root = document.getElementById('root')
      if (!root || root.childElementCount) return
      root.hidden = true
      document.getElementById('fallback')!.hidden = false
    }, CHECK_AFTER)
  }
}

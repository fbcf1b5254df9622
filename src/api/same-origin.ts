/**
 * Whether a state change comes from our own pages (CSRF protection). Browsers say so in `Sec-Fetch-Site`; if they do not (over plain HTTP
 * on a local network), the `Origin` must be ours or that of the requested host.
 */
export function isSameOrigin(req: Request, origin: string): boolean {
  const site = req.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const from = req.headers.get('origin')
  if (!from || !URL.canParse(from)) return false
  return from === origin || new URL(from).host === req.headers.get('host')
}

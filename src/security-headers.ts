import { createHash } from 'node:crypto'

/** Origins in a page's policy: `origin` is the site's own, and `storage` is where browsers upload and load videos. */
export interface CspOrigins {
  origin: string
  storage: string
}

export const isHttps = (origin: string) => origin.startsWith('https:')

/** Headers of every response. This content security policy lets nothing load or run; HTML pages replace it with their own. */
const always = {
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
}

/** The headers of one kind of response, computed once: those in `always`, its `own`, and HSTS if the site uses HTTPS. */
function headersOf(own: Record<string, string>) {
  const plain: Readonly<Record<string, string>> = { ...always, ...own }
  const strict = { ...plain, 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
  return ({ origin }: Pick<CspOrigins, 'origin'>) => (isHttps(origin) ? strict : plain)
}

/** Headers of every API response. A response is never cached unless its handler sets its own `cache-control`, as for profile pictures. */
export const apiHeaders = headersOf({ 'cache-control': 'no-store' })

/** Headers of every page, file and redirect. */
export const commonWebsiteHeaders = headersOf({
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-permitted-cross-domain-policies': 'none',
})

/**
 * Headers of HTML pages only: their content security policy, permissions, and protection against framing. The only device that pages use
 * is the microphone, for voice-overs.
 */
export const htmlPageHeaders = (html: string, around: CspOrigins, ours = html): Record<string, string> => ({
  'content-security-policy': contentSecurityPolicyFor(html, around, ours),
  'permissions-policy':
    'microphone=(self), fullscreen=(self), accelerometer=(), autoplay=(self), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()',
  'x-frame-options': 'DENY',
})

/**
 * A content security policy that names each inline script and style of this page by its hash, so that no other inline code runs. `ours`:
 * the same page without any user text; only its scripts and `<style>` elements are allowed.
 */
export function contentSecurityPolicyFor(html: string, { origin, storage }: CspOrigins, ours = html): string {
  const { scripts, styles } = inline(ours)
  const { attributes } = inline(html)
  return [
    `default-src 'none'`,
    `script-src 'self'${scripts}`,
    `style-src 'self'${styles}`,
    `style-src-attr ${attributes ? `'unsafe-hashes'${attributes}` : `'none'`}`,
    `img-src 'self' data: blob: ${storage}`,
    `media-src 'self' blob: ${storage}`,
    `connect-src 'self' ${storage}`,
    `font-src 'self'`,
    `worker-src 'self' blob:`,
    `manifest-src 'self'`,
    `object-src 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    ...(isHttps(origin) ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

/** Matches a comment or a tag, and for a script or style also its content. Quoted attributes may contain any text, including `>`. */
const TAG = /<!--[\s\S]*?-->|<(?:(script|style)\b((?:"[^"]*"|'[^']*'|[^"'>])*)>([\s\S]*?)<\/\1|[a-z](?:"[^"]*"|'[^']*'|[^"'>])*)>/gi
const DATA = /\stype="(?:application\/(?:ld\+)?json|speculationrules)"/i
const STYLE = /\sstyle="([^"]*)"/i
const quoted = /"[^"]*"/g

/** The hashes of a page's inline scripts and styles. User text in an attribute is not code, even if it looks like a script. */
function inline(html: string) {
  const [scripts, styles, attributes] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const [tag, name, own = '', text = ''] of html.matchAll(TAG)) {
    if (name?.toLowerCase() === 'style') styles.add(text)
    else if (name) {
      if (!/\ssrc=/.test(own.replace(quoted, '""')) && !DATA.test(own)) scripts.add(text)
    } else {
      const style = STYLE.exec(tag)
      if (style) attributes.add(unescaped(style[1]!))
    }
  }
  const hashes = (texts: Set<string>) => [...texts].map(text => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`).join('')
  return { scripts: hashes(scripts), styles: hashes(styles), attributes: hashes(attributes) }
}

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { acceptsEncoding, compressResponseBody, compressWithBrotli, compressWithGzip } from '../compression.ts'
import { isMobileUserAgent } from '../mobile-user-agent.ts'
import { type CspOrigins, commonWebsiteHeaders, htmlPageHeaders } from '../security-headers.ts'
import { COMPRESSIBLE_FILE_NAME_PATTERN } from './write-precompressed-files.ts'

type Encoding = 'br' | 'gzip' | 'identity'

/** A page in one encoding: its bytes, and its headers as the flat list (name, value, name, value …) that Node writes fastest. */
interface Variant {
  etag: string
  body: Buffer
  headers: string[]
  notModified: string[]
}
/** The response for a page or file, in every encoding, ready to be sent. */
export type PageResponse = { [E in Encoding]?: Variant } & { identity: Variant }

/** The page for a path, and its variant for phones. `status` is set unless it is 200. */
export interface PageWithPhoneVariant {
  page: PageResponse
  phone?: PageResponse
  status?: number
}
/**
 * What to send for a path: a page, or a redirect to the path to which it has moved. `mayMoveBack`: no cache may use this redirect without
 * asking the server, because together with a cached redirect in the opposite direction it would form a loop.
 */
export type PageOrRedirect = PageWithPhoneVariant | { moved: string; mayMoveBack?: boolean }

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
  '.m4a': 'audio/mp4',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.wasm': 'application/wasm',
}

/** Prepares the headers and ETag of a page for each given encoding. */
export function pageResponseFromBytes(
  bytes: { [E in Encoding]?: Buffer } & { identity: Buffer },
  headers: Record<string, string>,
): PageResponse {
  const content = createHash('sha256').update(bytes.identity).digest('base64url').slice(0, 22)
  const variant = (encoding: Encoding, body: Buffer): Variant => {
    const etag = encoding === 'identity' ? `"${content}"` : `"${content}-${encoding}"`
    const always = {
      ...headers,
      etag,
      ...((bytes.br || bytes.gzip) && { vary: [headers.vary, 'Accept-Encoding'].filter(Boolean).join(', ') }),
    }
    const { 'content-type': _, ...validators } = always as Record<string, string>
    const full = { ...always, 'content-length': String(body.length), ...(encoding !== 'identity' && { 'content-encoding': encoding }) }
    return { etag, body, headers: Object.entries(full).flat(), notModified: Object.entries(validators).flat() }
  }
  return {
    identity: variant('identity', bytes.identity),
    ...(bytes.br && { br: variant('br', bytes.br) }),
    ...(bytes.gzip && { gzip: variant('gzip', bytes.gzip) }),
  }
}

/** For pages that are rendered on demand and cached: almost the smallest size, in a few milliseconds. */
const KEPT_BROTLI_QUALITY = 9

/** Builds a page or file that was rendered on demand and will be cached. */
export const buildOnDemandPageResponse = async (
  { type, body }: { type: string; body: string },
  around: CspOrigins,
): Promise<PageResponse> => {
  const identity = Buffer.from(body)
  const [br, gzip] = await Promise.all([compressWithBrotli(identity, KEPT_BROTLI_QUALITY), compressWithGzip(identity)])
  const plain = { 'content-type': type, 'cache-control': 'no-cache', ...commonWebsiteHeaders(around) }
  return pageResponseFromBytes({ identity, br, gzip }, type.startsWith('text/html') ? htmlHeaders(body, around) : plain)
}

/**
 * Returns a function that builds pages that contain what one visitor typed: uncompressed and `no-store`. Their headers are computed once
 * from the page without that text (`template`), so that the content security policy lets nothing run that a visitor typed.
 */
export const visitorInputPageBuilder = (template: string, around: CspOrigins) => {
  const headers = { ...htmlHeaders(template, around), 'cache-control': 'no-store' }
  return (html: string): PageResponse => pageResponseFromBytes({ identity: Buffer.from(html) }, headers)
}

/**
 * Builds a page that was rendered for one person and one request: quickly, in one encoding, `no-store`.
 * @param empty the same page rendered without the API's responses: only its inline scripts may run, whatever people wrote into the
 * responses
 */
export const buildPersonalPageResponse = async (
  html: string,
  empty: string,
  around: CspOrigins,
  accept: string | undefined,
): Promise<PageResponse> => {
  const identity = Buffer.from(html)
  const headers = { ...htmlHeaders(html, around, empty), 'cache-control': 'private, no-store' }
  return pageResponseFromBytes({ identity, ...(await compressResponseBody(identity, accept)) }, headers)
}

/** Builds a response with a plain sentence instead of a page. @param extra additional headers */
export const plainTextPage = (text: string, around: CspOrigins, extra: Record<string, string> = {}): PageResponse =>
  pageResponseFromBytes(
    { identity: Buffer.from(text) },
    { 'content-type': contentTypes['.txt']!, 'cache-control': 'no-store', ...commonWebsiteHeaders(around), ...extra },
  )

const htmlHeaders = (html: string, around: CspOrigins, ours = html) => ({
  'content-type': contentTypes['.html']!,
  'cache-control': 'no-cache',
  ...commonWebsiteHeaders(around),
  ...htmlPageHeaders(html, around, ours),
})

/** The files of the built site, in memory. */
export interface SiteFiles {
  /** The page or file at exactly this path (without a query), or undefined. */
  at(path: string): PageResponse | undefined
  phone: PageResponse | undefined
  missing: PageResponse
  around: CspOrigins
}

/** Reads the built site into memory. `/faq` is `faq/index.html`. The phone's landing page and the 404 page have no path. */
export async function loadSiteFiles(directory: string, around: CspOrigins): Promise<SiteFiles> {
  const pages = new Map<string, PageResponse>()
  const files = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const file of files) {
    if (!file.isFile() || /\.(br|gz)$/.test(file.name)) continue
    const name = join(file.parentPath, file.name)
    const path = `/${relative(directory, name).split(sep).join('/')}`
    const identity = await readFile(name)
    const html = extname(name) === '.html' ? identity.toString() : undefined
    const address = html === undefined ? path : path.replace(/(\/index)?\.html$/, '') || '/'
    const headers =
      html === undefined
        ? {
            'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
            'cache-control': path.startsWith('/_astro/') ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
            ...commonWebsiteHeaders(around),
            // Other sites may embed the site's images (link previews).
            ...(path.startsWith('/img/') && { 'cross-origin-resource-policy': 'cross-origin' }),
          }
        : { ...htmlHeaders(html, around), ...((address === '/' || address === '/landing-mobile') && { vary: 'User-Agent' }) }
    const packed = COMPRESSIBLE_FILE_NAME_PATTERN.test(name)
      ? await Promise.all([`${name}.br`, `${name}.gz`].map(p => readFile(p).catch(() => undefined)))
      : []
    pages.set(address, pageResponseFromBytes({ identity, br: packed[0], gzip: packed[1] }, headers))
  }
  const hidden = (address: string) => {
    const page = pages.get(address)
    pages.delete(address)
    return page
  }
  const [phone, missing = plainTextPage('404 Page Not Found', around)] = [hidden('/landing-mobile'), hidden('/404')]
  return { at: path => pages.get(path), phone, missing, around }
}

/** Sends a page in the best encoding that the client accepts. A HEAD request or an unchanged page gets no body. */
export function sendPage(req: IncomingMessage, res: ServerResponse, found: PageWithPhoneVariant) {
  const page = found.phone && isMobileUserAgent(req.headers['user-agent'] ?? '') ? found.phone : found.page
  const variant = chooseVariant(page, req.headers['accept-encoding'])
  const known = req.headers['if-none-match']
  if (known !== undefined && found.status === undefined && matchesEtag(known, variant.etag)) {
    res.writeHead(304, variant.notModified).end()
    return
  }
  res.writeHead(found.status ?? 200, variant.headers)
  res.end(req.method === 'HEAD' ? undefined : variant.body)
}

function chooseVariant(page: PageResponse, accept: string | undefined): Variant {
  if (!accept) return page.identity
  if (page.br && acceptsEncoding(accept, 'br')) return page.br
  if (page.gzip && acceptsEncoding(accept, 'gzip')) return page.gzip
  return page.identity
}

const matchesEtag = (known: string, etag: string) =>
  known === etag || known === '*' || known.split(',').some(one => one.trim().replace(/^W\//, '') === etag)

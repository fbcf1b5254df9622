import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** The transfer size of a built page's first load, in bytes after brotli compression. */
export interface PageWeight {
  /** The page's path, such as `/faq`. */
  path: string
  /** Whether the page is a screen behind the login, a family page or a shared review, which hydrate without waiting for an interaction. */
  guarded: boolean
  document: number
  /** Inline scripts and every module that loads without interaction. */
  script: number
  fonts: string[]
  /** The size of all these fonts. */
  font: number
  /** Modules that the page's scripts import but the page does not preload, so they arrive at least one round trip later. */
  late: string[]
  /** Resources it would load from other origins. */
  foreign: string[]
}

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!)

/** Weighs every page of a built site. */
export async function weighPages(dist: string): Promise<PageWeight[]> {
  const files = await readdir(dist, { recursive: true })
  const pages = files.map(f => f.split(sep).join('/')).filter(f => f.endsWith('.html') && !f.startsWith('.'))
  return Promise.all(
    pages.map(async file => weighPage(dist, `/${file.replace(/\/?(index)?\.html$/, '')}`, await readFile(join(dist, file), 'utf8'))),
  )
}

/** Weighs a page that loads files built into `dist`. */
export async function weighPage(dist: string, path: string, html: string): Promise<PageWeight> {
  const inline = all(html, /<script(?![^>]*\b(?:src|type="application)[^>]*>)[^>]*>([\s\S]+?)<\/script>/g).join('\n')
  const awake = all(html, /<astro-island\b([^>]*)>/g).filter(island => !/ client="interaction"/.test(island))
  const entries = [
    ...all(html, /<script\b[^>]*\bsrc="([^"]+)"/g),
    ...all(html, /<link\b[^>]*\brel="modulepreload"[^>]*\bhref="([^"]+)"/g),
    ...awake.flatMap(island => all(island, /(?:component|renderer)-url="([^"]+)"/g)),
  ]
  const modules = new Set<string>()
  for (const entry of entries.filter(ours)) await reach(dist, entry, modules)
  const atOnce = new Set<string>()
  for (const script of all(html, /<script\b[^>]*\bsrc="([^"]+)"/g).filter(ours)) await reach(dist, script, atOnce)
  const sizes = await Promise.all([...modules].map(path => sent(join(dist, path))))
  const styles = await Promise.all(
    all(html, /<link\b[^>]*\brel="stylesheet"[^>]*\bhref="([^"]+)"/g).map(p => readFile(join(dist, p), 'utf8')),
  )
  const fonts = [
    ...new Set([html, ...styles.flatMap(css => faces(css, html))].flatMap(text => all(text, /([\w./-]+\.(?:woff2?|ttf|otf))\b/g))),
  ]
  return {
    path,
    guarded: /data-guarded|data-family|data-shared-review/.test(html),
    document: brotliCompressSync(html).length,
    script: (inline ? brotliCompressSync(inline).length : 0) + sizes.reduce((sum, size) => sum + size, 0),
    fonts,
    font: (await Promise.all(fonts.map(font => sent(join(dist, font))))).reduce((sum, size) => sum + size, 0),
    late: [...atOnce].filter(module => !html.includes(`"${module}"`)),
    foreign: [
      ...all(html, /\b(?:src|srcset)="([^"]+)"/g),
      ...all(html, /<link\b[^>]*\brel="(?!canonical)[^"]+"[^>]*\bhref="([^"]+)"/g),
    ].filter(address => !ours(address)),
  }
}

/** Returns the `@font-face` rules of a stylesheet that a page's characters need. */
const faces = (css: string, html: string) =>
  all(css, /(@font-face\s*{[^}]*})/g).filter(face => {
    const ranges = /unicode-range:([^;}]+)/.exec(face)?.[1]?.replaceAll(/U\+([\da-f]+)(?:-([\da-f]+))?,?/gi, (_, from, to = from) => {
      return `\\u{${from}}-\\u{${to}}`
    })
    return !ranges || new RegExp(`[${ranges.replaceAll(/\s/g, '')}]`, 'u').test(html)
  })

const ours = (address: string) => !/^(?:[a-z]+:)?\/\//.test(address)

/** Adds a module and all its static imports, including transitive ones, to `known`. */
async function reach(dist: string, path: string, known: Set<string>) {
  if (known.has(path)) return
  known.add(path)
  const text = await readFile(join(dist, path), 'utf8')
  const next = all(text, /(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{},\s]*?\bfrom\s*)?["'](\.[^"']+)["']/g)
  for (const to of next) await reach(dist, join(dirname(path), to).split(sep).join('/'), known)
}

const sent = async (path: string) => (await readFile(`${path}.br`).catch(() => readFile(path))).length

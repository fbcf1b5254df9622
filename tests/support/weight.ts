import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** What the first load of a built page costs, in bytes as they are sent (brotli). */
export interface Weight {
  /** Its address: `/faq`. */
  path: string
  /** A screen behind the login, which hydrates at once. */
  guarded: boolean
  document: number
  /** Inline scripts and every module that is loaded without a touch. */
  script: number
  fonts: string[]
  /** What it would load from somebody else's server. */
  foreign: string[]
}

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!)

/** Weighs every page of a built site. */
export async function weigh(dist: string): Promise<Weight[]> {
  const files = await readdir(dist, { recursive: true })
  const pages = files.map(f => f.split(sep).join('/')).filter(f => f.endsWith('.html') && !f.startsWith('.'))
  return Promise.all(
    pages.map(async file => weighOne(dist, `/${file.replace(/\/?(index)?\.html$/, '')}`, await readFile(join(dist, file), 'utf8'))),
  )
}

/** Weighs a page that loads what was built into `dist`. */
export async function weighOne(dist: string, path: string, html: string): Promise<Weight> {
  const inline = all(html, /<script(?![^>]*\b(?:src|type="application)[^>]*>)[^>]*>([\s\S]+?)<\/script>/g).join('\n')
  const awake = all(html, /<astro-island\b([^>]*)>/g).filter(island => !/ client="touch"/.test(island))
  const entries = [
    ...all(html, /<script\b[^>]*\bsrc="([^"]+)"/g),
    ...all(html, /<link\b[^>]*\brel="modulepreload"[^>]*\bhref="([^"]+)"/g),
    ...awake.flatMap(island => all(island, /(?:component|renderer)-url="([^"]+)"/g)),
  ]
  const modules = new Set<string>()
  for (const entry of entries.filter(ours)) await reach(dist, entry, modules)
  const sizes = await Promise.all([...modules].map(path => sent(join(dist, path))))
  const styles = await Promise.all(
    all(html, /<link\b[^>]*\brel="stylesheet"[^>]*\bhref="([^"]+)"/g).map(p => readFile(join(dist, p), 'utf8')),
  )
  return {
    path,
    guarded: html.includes('data-guarded'),
    document: brotliCompressSync(html).length,
    script: (inline ? brotliCompressSync(inline).length : 0) + sizes.reduce((sum, size) => sum + size, 0),
    fonts: [...new Set([html, ...styles].flatMap(text => all(text, /([\w./-]+\.(?:woff2?|ttf|otf))\b/g)))],
    foreign: [
      ...all(html, /\b(?:src|srcset)="([^"]+)"/g),
      ...all(html, /<link\b[^>]*\brel="(?!canonical)[^"]+"[^>]*\bhref="([^"]+)"/g),
    ].filter(address => !ours(address)),
  }
}

const ours = (address: string) => !/^(?:[a-z]+:)?\/\//.test(address)

/** The module and all that it imports statically. */
async function reach(dist: string, path: string, known: Set<string>) {
  if (known.has(path)) return
  known.add(path)
  const text = await readFile(join(dist, path), 'utf8')
  const next = all(text, /(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{},\s]*?\bfrom\s*)?["'](\.[^"']+)["']/g)
  for (const to of next) await reach(dist, join(dirname(path), to).split(sep).join('/'), known)
}

const sent = async (path: string) => (await readFile(`${path}.br`).catch(() => readFile(path))).length

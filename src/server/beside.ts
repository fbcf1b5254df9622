import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** A page's own scripts, and the modules that a module imports. */
const ENTRY = /<script type="module" src="(\/_astro\/[\w.-]+)"><\/script>/g
const IMPORT = /(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{},\s]*?\bfrom\s*)?["'](\.[^"']+)["']/g

/**
 * What the scripts of a page import is asked for beside them, not once they came, which is a way there and back each. `dist`: where the files
 * lie that pages load. Gives a page with links to those modules.
 */
export function beside(dist: string): (html: string) => Promise<string> {
  const known = new Map<string, Promise<string[]>>()
  const read = async (path: string) => {
    const text = await readFile(join(dist, path), 'utf8')
    return [...text.matchAll(IMPORT)].map(([, to]) => posix.join(posix.dirname(path), to!))
  }
  const imports = (path: string) => {
    const found = known.get(path) ?? read(path)
    known.set(path, found)
    return found
  }
  return async html => {
    const own = new Set([...html.matchAll(ENTRY)].map(([, path]) => path!))
    const all = new Set(own)
    for (const path of all) for (const next of await imports(path)) all.add(next)
    const links = [...all].filter(path => !own.has(path)).map(path => `<link rel="modulepreload" href="${path}">`)
    return html.replace('</head>', () => `${links.join('')}</head>`)
  }
}

/** Links in every page of a built site. */
export async function linkAll(dist: string): Promise<void> {
  const linked = beside(dist)
  const pages = (await readdir(dist, { recursive: true })).filter(name => name.endsWith('.html'))
  await Promise.all(pages.map(async page => writeFile(join(dist, page), await linked(await readFile(join(dist, page), 'utf8')))))
}

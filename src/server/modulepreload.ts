import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** A page's own scripts, its islands that hydrate on interaction, and the modules that a module imports. */
const ENTRY = /<script type="module" src="(\/_astro\/[\w.-]+)"><\/script>/g
const ISLAND = /(?<=<astro-island)(?: [\w-]+(?:="[^"]*")?)*? client="interaction"/g
const OF_ISLAND = / (?:component|renderer)-url="(\/_astro\/[\w.-]+)"/g
const IMPORT = /(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{},\s]*?\bfrom\s*)?["'](\.[^"']+)["']/g
/** A longer module keeps a slow phone from showing a press while it runs. */
const LONG_MODULE_CHARACTERS = 16_000

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, path]) => path!)

/**
 * Adds `<link rel="modulepreload">` for every module that a page's scripts import, so that the browser requests all of them at once instead of one
 * level of imports after another. Islands that hydrate on interaction get the lists of their modules as `data-parts` (long ones, which
 * `hydrate-on-interaction.ts` runs one by one) and `data-rest`.
 * @param dist the directory of the files that pages load
 * @returns a function from a page's HTML to the same page with links
 */
export function modulepreloadLinker(dist: string): (html: string) => Promise<string> {
  const known = new Map<string, Promise<{ imports: string[]; length: number }>>()
  const read = async (path: string) => {
    const text = await readFile(join(dist, path), 'utf8')
    return { imports: found(text, IMPORT).map(to => posix.join(posix.dirname(path), to)), length: text.length }
  }
  const module = (path: string) => {
    const its = known.get(path) ?? read(path)
    known.set(path, its)
    return its
  }
  /** Adds modules to `there`, each after what it imports. */
  async function reach(paths: readonly string[], there: Set<string>, on: Set<string> = new Set()) {
    for (const path of paths) {
      if (on.has(path)) continue
      on.add(path)
      await reach((await module(path)).imports, there, on)
      there.add(path)
    }
    return there
  }
  /** The attributes that list an island's modules, each module after what it imports. */
  async function listed(island: string) {
    const [parts, rest]: [string[], string[]] = [[], []]
    for (const path of await reach(found(island, OF_ISLAND), new Set()))
      ((await module(path)).length < LONG_MODULE_CHARACTERS ? rest : parts).push(path)
    return `${parts.length ? ` data-parts="${parts.join(' ')}"` : ''} data-rest="${rest.join(' ')}"`
  }
  return async html => {
    const own = new Set(found(html, ENTRY))
    const links = [...(await reach([...own], new Set()))]
      .filter(path => !own.has(path))
      .map(path => `<link rel="modulepreload" href="${path}">`)
    const lists = new Map<string, string>()
    for (const [island] of html.matchAll(ISLAND)) lists.set(island, await listed(island))
    return html.replace('</head>', () => `${links.join('')}</head>`).replace(ISLAND, island => island + lists.get(island))
  }
}

import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** A page's own scripts, its islands that wake when they are touched, and the modules that a module imports. */
const ENTRY = /<script type="module" src="(\/_astro\/[\w.-]+)"><\/script>/g
const ISLAND = /(?<=<astro-island)(?: [\w-]+(?:="[^"]*")?)*? client="interaction"/g
const OF_ISLAND = / (?:component|renderer)-url="(\/_astro\/[\w.-]+)"/g
const IMPORT = /(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{},\s]*?\bfrom\s*)?["'](\.[^"']+)["']/g
/** What runs of a module as long as this keeps a slow phone from showing a press, characters. */
const LONG = 16_000

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, path]) => path!)

/**
 * What the scripts of a page import is asked for beside them, not once they came, which is a way there and back each. `dist`: where the files
 * lie that pages load. Gives a page with links to those modules, and islands that wake by touch with lists of theirs, `data-parts` and
 * `data-rest`: `client:interaction` asks for all of them at once, and runs the parts, which are long, one by one.
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
  /** Adds modules to those that are there, each after what it imports. */
  async function reach(paths: readonly string[], there: Set<string>, on: Set<string> = new Set()) {
    for (const path of paths) {
      if (on.has(path)) continue
      on.add(path)
      await reach((await module(path)).imports, there, on)
      there.add(path)
    }
    return there
  }
  /** An island's modules: the long ones, each after what it imports, and the rest. */
  async function listed(island: string) {
    const [parts, rest]: [string[], string[]] = [[], []]
    for (const path of await reach(found(island, OF_ISLAND), new Set())) ((await module(path)).length < LONG ? rest : parts).push(path)
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

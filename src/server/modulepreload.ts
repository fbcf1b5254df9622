/** The static imports of each module that browsers load, by its path, as the bundler knows them (`astro.config.mjs`). */
export type ModuleImports = Readonly<Record<string, readonly string[]>>

/** Where the build stores the imports: next to the server's entry, for pages rendered on demand. */
export const MODULE_IMPORTS_FILE = 'module-imports.json'

/** A page's own scripts, and its islands that hydrate on interaction. */
const ENTRY = /<script type="module" src="(\/_astro\/[\w.-]+)"><\/script>/g
const ISLAND = /(?<=<astro-island)(?: [\w-]+(?:="[^"]*")?)*? client="interaction"/g
const OF_ISLAND = / (?:component|renderer)-url="(\/_astro\/[\w.-]+)"/g

const pathsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, path]) => path!)

/**
 * Adds `<link rel="modulepreload">` for every module that a page's scripts import, so that the browser requests all of them at once instead
 * of one level of imports after another. Islands that hydrate on interaction get the list of their modules as `data-modules`
 * (`hydrate-on-interaction.ts` requests them).
 * @returns a function from a page's HTML to the same page with links
 */
export function modulepreloadLinker(imports: ModuleImports): (html: string) => string {
  /** These modules and all their transitive imports, each after its own imports. */
  function withImports(paths: readonly string[], modules: Set<string> = new Set(), visited: Set<string> = new Set()) {
    for (const path of paths) {
      if (visited.has(path)) continue
      visited.add(path)
      withImports(imports[path] ?? [], modules, visited)
      modules.add(path)
    }
    return modules
  }
  return html => {
    const entries = pathsIn(html, ENTRY)
    const links = [...withImports(entries)].filter(path => !entries.includes(path)).map(path => `<link rel="modulepreload" href="${path}">`)
    return html
      .replace('</head>', () => `${links.join('')}</head>`)
      .replace(ISLAND, island => `${island} data-modules="${[...withImports(pathsIn(island, OF_ISLAND))].join(' ')}"`)
  }
}

import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import node from '@astrojs/node'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import { postprocessHtmlFiles } from './src/server/add-preloads-and-minify-inline-scripts.ts'
import { MODULE_IMPORTS_FILE } from './src/server/modulepreload.ts'
import { writePrecompressedFiles } from './src/server/write-precompressed-files.ts'
import { site } from './src/site.ts'
import { esbuildTargets } from './src/supported-browsers.ts'

const here = path => fileURLToPath(new URL(path, import.meta.url))

/**
 * `client:interaction` hydrates an island when somebody first points at it, focuses it, taps it or changes a field; `client:after-paint`
 * hydrates it once the browser has painted the server's HTML.
 */
const directives = {
  name: 'directives',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) => {
      addClientDirective({ name: 'interaction', entrypoint: './src/page-load/hydrate-on-interaction.ts' })
      addClientDirective({ name: 'after-paint', entrypoint: './src/page-load/hydrate-after-paint.ts' })
    },
  },
}

/** Groups modules into a few chunks instead of many small files: what every page loads, React, and what several screens share. */
const chunks = [
  {
    name: 'visit',
    test: /preload-helper|src\/client\/api\.ts$|src\/ui\/(profile-picture-url-and-initials|replace-broken-image-with-initials)\.ts$|src\/page-load\/wait-at-most\.ts$|src\/client\/is-mobile-or-narrow-window\.ts$|src\/instructors\/sport-and-skill-labels\.ts$/,
    priority: 4,
  },
  {
    name: 'frame',
    test: /src\/client\/login-session\.ts$|src\/ui\/toast(-store)?\.ts$|node_modules\/nanostores\/(atom|clean-stores)\//,
    priority: 3,
  },
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|@astrojs\/react|@nanostores\/react)\//, priority: 2 },
  {
    name: 'ui',
    test: /modules\/format-cents-and-counts\.ts|src\/ui\/(?!toaster|dialog|scroll-lock|format)|src\/(page-load\/signal-hydration|client\/query)|node_modules\/(lucide-react|@nanostores\/query)\//,
    priority: 1,
  },
]

/**
 * Replaces Vite's helper for dynamic imports with a shorter one, because the original is a quarter of the script that a visitor loads. Ours
 * leaves out stylesheets and workarounds for old browsers, and adds one modulepreload link per file.
 */
const preload = {
  name: 'preload',
  enforce: 'pre',
  load: id =>
    id.endsWith('vite/preload-helper.js')
      ? `const links = {}
        export function __vitePreload(load, modules = []) {
          for (const module of modules) links[module] ??= document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: '/' + module }))
          return load()
        }`
      : undefined,
}

/** The static imports of each browser module (`ModuleImports`), as the bundler reports them. */
const moduleImports = {}
const moduleImportsRecorder = {
  name: 'module-imports-recorder',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_, bundle) {
    for (const { type, fileName, imports } of Object.values(bundle))
      if (type === 'chunk') moduleImports[`/${fileName}`] = imports.map(file => `/${file}`)
  },
}

/** Post-processes and compresses the built site, so that the server only has to send files. */
const postprocessBuild = {
  name: 'postprocess-build',
  hooks: {
    async 'astro:build:done'({ dir }) {
      const dist = fileURLToPath(dir)
      await postprocessHtmlFiles(dist, moduleImports)
      // The server reads this file to add modulepreload links to the pages that it renders on demand.
      await writeFile(new URL(`../server/${MODULE_IMPORTS_FILE}`, dir), JSON.stringify(moduleImports))
      await writePrecompressedFiles(dist)
    },
  },
}

export default defineConfig({
  site: process.env.ORIGIN || site.origin,
  output: 'static',
  // Our own server (`src/server/astro-renderer.ts`) renders pages with `prerender = false` and buffers each page, so streaming would gain
  // nothing.
  adapter: node({ mode: 'middleware', experimentalDisableStreaming: true }),
  session: false,
  trailingSlash: 'ignore',
  build: { format: 'directory', inlineStylesheets: 'never' },
  devToolbar: { enabled: false },
  prefetch: false,
  integrations: [react(), directives, postprocessBuild],
  vite: {
    plugins: [tailwindcss(), preload, moduleImportsRecorder],
    resolve: { alias: { 'react-remove-scroll': here('./src/ui/scroll-lock.tsx') } },
    build: { target: esbuildTargets, assetsInlineLimit: 0, modulePreload: false },
    environments: {
      client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } },
      // Bundles only the icons that server-rendered pages use. If the package were external, the server would load all two thousand.
      ssr: { resolve: { noExternal: ['lucide-react'] } },
    },
  },
})

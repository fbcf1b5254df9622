import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import node from '@astrojs/node'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import { compressFiles } from './src/server/compression.ts'
import { MODULE_IMPORTS_FILE } from './src/server/modulepreload.ts'
import { postprocessHtml } from './src/server/postprocess-html.ts'
import { site } from './src/site.ts'
import { esbuildTargets } from './src/supported-browsers.ts'

const here = path => fileURLToPath(new URL(path, import.meta.url))

/** `client:interaction` hydrates an island when somebody first points at it, focuses it or taps it; `client:after-paint` once the page has painted. */
const directives = {
  name: 'directives',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) => {
      addClientDirective({ name: 'interaction', entrypoint: './src/page-load/hydrate-on-interaction.ts' })
      addClientDirective({ name: 'after-paint', entrypoint: './src/page-load/hydrate-after-paint.ts' })
    },
  },
}

/** A few files instead of many small ones: what every page loads, what React needs, what screens share. */
const chunks = [
  {
    name: 'visit',
    test: /preload-helper|src\/client\/api\.ts$|src\/ui\/(profile-picture|initials-fallback)\.ts$|src\/client\/mobile\.ts$|src\/instructors\/labels\.ts$/,
    priority: 4,
  },
  {
    name: 'frame',
    test: /src\/client\/session\.ts$|src\/ui\/toast(-store)?\.ts$|node_modules\/nanostores\/(atom|clean-stores)\//,
    priority: 3,
  },
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|@astrojs\/react|@nanostores\/react)\//, priority: 2 },
  {
    name: 'ui',
    test: /modules\/words\.ts|src\/ui\/(?!toaster|dialog|scroll-lock|format)|src\/(page-load\/report-hydrated|client\/query)|node_modules\/(lucide-react|@nanostores\/query)\//,
    priority: 1,
  },
]

/** What Vite puts around each dynamic import, without what only stylesheets and old browsers need: a quarter of what a visitor loads. Each file is linked once. */
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

/** The static imports of each module that browsers load (`ModuleImports`), from the bundler itself. */
const moduleImports = {}
const moduleImportsRecorder = {
  name: 'module-imports-recorder',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_, bundle) {
    for (const { type, fileName, imports } of Object.values(bundle))
      if (type === 'chunk') moduleImports[`/${fileName}`] = imports.map(file => `/${file}`)
  },
}

/** Finishes and packs the built site, so that the server only has to send it. */
const packed = {
  name: 'packed',
  hooks: {
    async 'astro:build:done'({ dir }) {
      const dist = fileURLToPath(dir)
      await postprocessHtml(dist, moduleImports)
      // For the pages that the server makes on demand.
      await writeFile(new URL(`../server/${MODULE_IMPORTS_FILE}`, dir), JSON.stringify(moduleImports))
      await compressFiles(dist)
    },
  },
}

export default defineConfig({
  site: process.env.ORIGIN || site.origin,
  output: 'static',
  // Pages that say `prerender = false` are made by our own server (`src/server/astro-renderer.ts`), which keeps what it was given.
  adapter: node({ mode: 'middleware', experimentalDisableStreaming: true }),
  session: false,
  trailingSlash: 'ignore',
  build: { format: 'directory', inlineStylesheets: 'never' },
  devToolbar: { enabled: false },
  prefetch: false,
  integrations: [react(), directives, packed],
  vite: {
    plugins: [tailwindcss(), preload, moduleImportsRecorder],
    resolve: { alias: { 'react-remove-scroll': here('./src/ui/scroll-lock.tsx') } },
    build: { target: esbuildTargets, assetsInlineLimit: 0, modulePreload: false },
    environments: {
      client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } },
      // The few icons that pages made on demand show, instead of all two thousand.
      ssr: { resolve: { noExternal: ['lucide-react'] } },
    },
  },
})

import { fileURLToPath } from 'node:url'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import { site } from './src/site.ts'

const here = path => fileURLToPath(new URL(path, import.meta.url))

/** `client:touch`: an island that wakes when it is first touched. */
const touch = {
  name: 'touch',
  hooks: { 'astro:config:setup': ({ addClientDirective }) => addClientDirective({ name: 'touch', entrypoint: './src/client/touch.ts' }) },
}

export default defineConfig({
  site: site.origin,
  output: 'static',
  trailingSlash: 'ignore',
  build: { format: 'directory', inlineStylesheets: 'never' },
  devToolbar: { enabled: false },
  prefetch: false,
  integrations: [react(), touch],
  vite: {
    plugins: [tailwindcss()],
    resolve: { alias: { 'react-remove-scroll': here('./src/ui/scroll-lock.tsx') } },
    build: { assetsInlineLimit: 0 },
  },
})

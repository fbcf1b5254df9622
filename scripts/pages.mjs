/** The pages while they are being worked on: Astro's own server, with what is not a page passed on to ours at $API. */
import { fileURLToPath } from 'node:url'
import { dev } from 'astro'
import { movedTo, shellOf } from '../src/server/addresses.ts'
import { PHONE } from '../src/server/static.ts'

const { HOST, PORT, API } = process.env

/** The addresses of our server (`src/server/website.ts`) for Astro's, which knows built paths alone. */
const addresses = {
  name: 'addresses',
  configureServer: server => {
    server.middlewares.use((req, res, next) => {
      const { pathname, search } = new URL(req.url, 'http://pages')
      const moved = movedTo(pathname, path => path === pathname && /^\/instructor\/(dashboard|profile-editor|payments|folder)$/.test(path))
      if (moved) return res.writeHead(301, { location: moved + search }).end()
      if (pathname === '/' && PHONE.test(req.headers['user-agent'] ?? '')) req.url = `/mobile${search}`
      else req.url = (shellOf(pathname) ?? pathname) + search
      next()
    })
  },
}

await dev({
  root: fileURLToPath(new URL('..', import.meta.url)),
  server: { host: HOST, port: Number(PORT) },
  logLevel: 'warn',
  vite: { plugins: [addresses], server: { strictPort: true, proxy: { '^/(api|i|uploads)/': { target: API, xfwd: true } } } },
})

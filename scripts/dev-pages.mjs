/** The development server for pages: Astro's dev server, which proxies /api and /uploads to our server at $API. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { dev } from 'astro'
import { isMobileUserAgent } from '../src/mobile-user-agent.ts'
import { findPageForPathWithId, profileSlugIn, redirectFor } from '../src/server/page-paths-and-redirects.ts'

const { HOST, PORT, API, ORIGIN } = process.env

/** Waits up to 15 s for the server, which restarts on every change, so that requests do not fail in the meantime. */
async function waitForServer() {
  const { port, hostname } = new URL(API)
  for (let i = 0; i < 150; i++, await sleep(100)) {
    const open = await new Promise(done => {
      const probe = connect(port, hostname, () => done(true)).once('error', () => done(false))
      probe.once('connect', () => probe.destroy())
    })
    if (open) return
  }
}

const ours = /^\/(api|uploads)\//

/** Fetches the data of an on-demand page from the API. In production, `src/server/public-page-cache.ts` reads it from the database. */
const fetchPageData = async (origin, path) => {
  const ask = call => fetch(API + call).then(answer => (answer.ok ? answer.json() : undefined))
  const slug = profileSlugIn(path)
  if (slug !== undefined) return { origin, profile: await ask(`/api/instructors/${slug}`) }
  if (path !== '/sitemap.xml') return { origin }
  // During development, the first page of the list of instructors is enough.
  const listed = (await ask('/api/instructors')) ?? []
  return { origin, profileSlugs: listed.map(its => its.user.profileSlug).filter(its => its !== null) }
}

/** Redirects and maps paths as our server does (`src/server/website.ts`), because Astro only knows the paths of the page files. */
const addresses = {
  name: 'addresses',
  configureServer: server => {
    server.middlewares.use((req, res, next) => {
      const { pathname, search } = new URL(req.url, 'http://pages')
      if (ours.test(pathname)) return waitForServer().then(() => next())
      const moved = redirectFor(
        pathname,
        path => path === pathname && /^\/instructor\/(dashboard|profile-editor|payments|folder)$/.test(path),
      )
      if (moved) return res.writeHead(301, { location: moved + search }).end()
      if (profileSlugIn(pathname) !== undefined || pathname === '/sitemap.xml') {
        return waitForServer()
          .then(() => fetchPageData(ORIGIN, pathname))
          .then(locals => {
            if (locals.profile && locals.profile.user.profileSlug !== profileSlugIn(pathname))
              return res.writeHead(301, { location: `/i/${locals.profile.user.profileSlug}${search}` }).end()
            req[Symbol.for('astro.locals')] = locals
            next()
          }, next)
      }
      if (pathname === '/' && isMobileUserAgent(req.headers['user-agent'] ?? '')) req.url = `/landing-mobile${search}`
      else req.url = (findPageForPathWithId(pathname) ?? pathname) + search
      next()
    })
  },
}

await dev({
  root: fileURLToPath(new URL('..', import.meta.url)),
  server: { host: HOST, port: Number(PORT) },
  logLevel: 'warn',
  vite: { plugins: [addresses], server: { strictPort: true, proxy: { [ours.source]: { target: API, xfwd: true } } } },
})

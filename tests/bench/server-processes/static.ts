/** Serves the website from the directory SITE with the code of `src/server`. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadSiteFiles } from '../../../src/server/page-responses.ts'
import { websiteHandler } from '../../../src/server/website.ts'

const site = await loadSiteFiles(process.env.SITE!, { origin: 'https://ours.test', storage: 'https://videos.test' })
const server = createServer(websiteHandler(site, { paths: new Set(), find: () => undefined }, { paths: [], find: () => undefined }))
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })))
process.on('SIGTERM', () => process.exit(0))

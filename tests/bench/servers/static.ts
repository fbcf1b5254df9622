/** The website as `src/server` serves it, from the directory SITE. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { load } from '../../../src/server/static.ts'
import { website } from '../../../src/server/website.ts'

const site = await load(process.env.SITE!, { origin: 'https://ours.test', storage: 'https://videos.test' })
const server = createServer(website(site, { paths: new Set(), find: () => undefined }, { paths: [], find: () => undefined }))
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })))
process.on('SIGTERM', () => process.exit(0))

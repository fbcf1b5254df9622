/** Serves the API on the database DATABASE_URL, with readers and errands if WORK=1; or, if BARE=1, one query from a bare handler. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadUser } from '../../../modules/accounts/account-registration-and-authentication.ts'
import type { ConfigWithAllServices } from '../../../src/config.ts'
import { readConfig } from '../../../src/config.ts'
import { buildApp } from '../../../src/server/app.ts'
import { createLogger } from '../../../src/server/logging.ts'
import { createPostgresPool } from '../../../src/server/postgres-pool.ts'

const handler = process.env.BARE ? bare() : await guarded()

function bare() {
  const sql = createPostgresPool(process.env.DATABASE_URL!)
  const id = process.env.USER_ID!
  return async (_: IncomingMessage, res: ServerResponse) => {
    const body = JSON.stringify(await loadUser(sql, id, new Date()))
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    res.end(body)
  }
}

async function guarded() {
  const app = await buildApp(readConfig(process.env) as ConfigWithAllServices, createLogger('info'))
  if (process.env.WORK) await app.work()
  return app.handler
}

const server = createServer({ keepAliveTimeout: 65_000 }, handler)
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })))
process.on('SIGTERM', () => process.exit(0))

/**
 * Starts the embedded stores and keeps them until it is killed: `node embedded-stores-process.ts DATA_DIR`. Prints their addresses as one
 * line of JSON.
 */
import pino from 'pino'
import { readConfig } from '../../src/config.ts'
import { startEmbeddedStores } from '../../src/embedded/index.ts'

const config = readConfig({ ...process.env, DATA_DIR: process.argv[2], PORT: '0' })
try {
  const stores = await startEmbeddedStores(config, pino({ level: 'silent' }))
  process.once('SIGTERM', () => stores.stop().then(() => process.exit()))
  console.log(JSON.stringify({ config: stores.config, pages: stores.pages }))
  setInterval(() => {}, 60_000)
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).message }))
}

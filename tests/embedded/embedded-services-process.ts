/**
 * Starts the embedded services and keeps them running until it is killed: `node embedded-services-process.ts DATA_DIR`. Prints one line of
 * JSON: their addresses, or the error of a failed start.
 */
import pino from 'pino'
import { readConfig } from '../../src/config.ts'
import { startEmbeddedServices } from '../../src/embedded/index.ts'

const config = readConfig({ ...process.env, DATA_DIR: process.argv[2], PORT: '0' })
try {
  const services = await startEmbeddedServices(config, pino({ level: 'silent' }))
  process.once('SIGTERM', () => services.stop().then(() => process.exit()))
  console.log(JSON.stringify({ config: services.config, pages: services.pages }))
  setInterval(() => {}, 60_000)
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).message }))
}

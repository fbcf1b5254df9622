/**
 * `npm run backup DIRECTORY KEYS_DIRECTORY`: backs up the embedded stores, whether or not their server is running. The keys that encrypt
 * personal text go to the second directory, which should be on another machine.
 */

import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { objectStore } from '../modules/media/object-store.ts'
import { ConfigError, type ConfigWithAllServices, readConfig } from '../src/config.ts'
import { startEmbeddedServices } from '../src/embedded/index.ts'
import { makeBackup } from '../src/server/backup.ts'
import { createLogger } from '../src/server/logging.ts'
import { createPostgresPool } from '../src/server/postgres-pool.ts'
import { backUpStripeSandbox } from '../src/server/stripe-sandbox-backup.ts'

/** The services of the server running on this data directory, or services started only for the backup. */
async function connectOrStartServices(): Promise<{ config: ConfigWithAllServices; stop(): Promise<void> }> {
  const config = readConfig(process.env)
  if (config.databaseUrl || config.s3 || config.eventstoredbUrl)
    throw new ConfigError('Only embedded stores are backed up by this command. docs/backups.md says how to back up others.')
  const log = createLogger('warn')
  try {
    return await startEmbeddedServices({ ...config, port: 0 }, log)
  } catch (error) {
    const running = await readFile(join(resolve(config.dataDir), 'embedded.json'), 'utf8').catch(() => undefined)
    if (!(error instanceof ConfigError) || !running) throw error
    return { config: JSON.parse(running).config, stop: async () => {} }
  }
}

async function main() {
  const [directory, keysDirectory] = process.argv.slice(2)
  if (!directory || !keysDirectory || resolve(directory) === resolve(keysDirectory))
    throw new ConfigError('Usage: npm run backup DIRECTORY KEYS_DIRECTORY (two directories, best on two machines)')
  const { config, stop } = await connectOrStartServices()
  const sql = createPostgresPool(config.databaseUrl, { max: 2 })
  const objects = objectStore(config.s3)
  try {
    const { backup, keys } = await makeBackup({ sql, objects, directory, keysDirectory, now: new Date() })
    if (!readConfig(process.env).stripe) await backUpStripeSandbox(config.dataDir, backup)
    console.log(`The backup is in ${backup}, the keys of people's words in ${keys}.`)
  } finally {
    objects.close()
    await sql.end()
    await stop()
  }
}

main().then(
  () => process.exit(0),
  error => {
    console.error(error instanceof ConfigError ? error.message : `There is no backup: ${error?.stack ?? error}`)
    process.exit(1)
  },
)

/**
 * `npm run restore BACKUP KEYS`: restores a backup and its keys into a new data directory (`DATA_DIR`), repeats account deletions made
 * since the backup, and records payments made since. Then start the server with `npm start`.
 */

import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigError, type ConfigWithAllServices, readConfig } from '../src/config.ts'
import { startEmbeddedServices } from '../src/embedded/index.ts'
import { buildApp } from '../src/server/app.ts'
import { DESTROYED_KEYS_FILE_NAME } from '../src/server/backup.ts'
import { createLogger } from '../src/server/logging.ts'
import { assertBackupIntact } from '../src/server/read-backup.ts'
import { restoreBackup } from '../src/server/restore.ts'
import { restoreStripeSandbox, STRIPE_SANDBOX_DIRECTORY } from '../src/server/stripe-sandbox-backup.ts'

/**
 * Asserts that the data directory is missing, or empty apart from a Stripe sandbox. The sandbox keeps its payments, even those newer than
 * the backup.
 * @throws ConfigError if it contains anything else
 */
async function assertEmpty(dataDir: string) {
  const names: string[] = await readdir(dataDir).catch(error => (error.code === 'ENOENT' ? [] : Promise.reject(error)))
  if (names.some(name => name !== STRIPE_SANDBOX_DIRECTORY))
    throw new ConfigError(`DATA_DIR: ${resolve(dataDir)} is not empty. Set DATA_DIR to a new directory to restore into.`)
}

async function main() {
  const [backup, keys] = process.argv.slice(2)
  if (!backup || !keys) throw new ConfigError('Usage: npm run restore BACKUP KEYS (the directories that a backup printed)')
  const config = readConfig(process.env)
  if (config.databaseUrl || config.s3 || config.eventstoredbUrl)
    throw new ConfigError('Only embedded services are restored by this command. docs/backups.md says how to restore others.')
  await assertEmpty(config.dataDir)
  await assertBackupIntact(backup, keys)
  const log = createLogger('warn')
  if (!config.stripe && (await restoreStripeSandbox(backup, config.dataDir))) console.log('The Stripe sandbox is as it was at the backup.')
  const services: { config: ConfigWithAllServices; stop(): Promise<void> } = await startEmbeddedServices({ ...config, port: 0 }, log)
  try {
    const app = await buildApp(services.config, log)
    const { sql, objects } = app.deps
    try {
      const destroyed = await restoreBackup({ sql, objects, backup, keys })
      console.log(`${backup} was restored. The read models will be rebuilt when the server starts.`)
      if (!destroyed)
        console.log(
          `There is no ${DESTROYED_KEYS_FILE_NAME} next to the keys' backup. Whoever was deleted since the backup is back: copy the file there, and restore again.`,
        )
      await app.afterRestore(line => console.log(line), destroyed ?? [])
    } finally {
      await app.stop()
    }
  } finally {
    await services.stop()
  }
}

main().then(
  () => process.exit(0),
  error => {
    console.error(error instanceof ConfigError ? error.message : `The backup was not restored: ${error?.stack ?? error}`)
    process.exit(1)
  },
)

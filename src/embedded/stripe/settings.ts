import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a restart must not change: the keys, and the port that links lead to. */
export interface Settings {
  secretKey: string
  /** Of the endpoint for events of the business itself. */
  webhookSecret: string
  /** Of the endpoint for events of payout accounts (Connect). */
  connectWebhookSecret: string
  port: number
}

/** Reads them, or makes them once. */
export function readSettings(dir: string): Settings {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const random = (bytes: number) => randomBytes(bytes).toString('base64url').replaceAll(/[-_]/g, 'x')
  const webhookSecret = () => `whsec_${random(24)}`
  try {
    const kept = JSON.parse(readFileSync(join(dir, 'settings.json'), 'utf8')) as Settings
    if (kept.connectWebhookSecret) return kept
    // A directory from before there were two endpoints.
    const completed = { ...kept, connectWebhookSecret: webhookSecret() }
    writeSettings(dir, completed)
    return completed
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code !== 'ENOENT') throw new Error(`${join(dir, 'settings.json')} cannot be read.`, { cause: e })
  }
  const settings = {
    secretKey: `sk_test_${random(72)}`,
    webhookSecret: webhookSecret(),
    connectWebhookSecret: webhookSecret(),
    port: 0,
  }
  writeSettings(dir, settings)
  return settings
}

export function writeSettings(dir: string, settings: Settings) {
  writeFileSync(join(dir, 'settings.json.new'), JSON.stringify(settings), { mode: 0o600 })
  renameSync(join(dir, 'settings.json.new'), join(dir, 'settings.json'))
}

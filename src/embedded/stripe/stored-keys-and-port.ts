import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Settings that must survive a restart: the keys, and the port in the sandbox's links. */
export interface SandboxSettings {
  secretKey: string
  /** The secret for signing webhooks about the business's own events. */
  webhookSecret: string
  /** The secret for signing webhooks about events of payout accounts (Connect). */
  connectWebhookSecret: string
  port: number
}

/** Reads the settings, creating them on the first start. @throws Error if the file exists but cannot be read */
export function readOrCreateSandboxSettings(dir: string): SandboxSettings {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const random = (bytes: number) => randomBytes(bytes).toString('base64url').replaceAll(/[-_]/g, 'x')
  const webhookSecret = () => `whsec_${random(24)}`
  try {
    const storedSettings = JSON.parse(readFileSync(join(dir, 'settings.json'), 'utf8')) as SandboxSettings
    if (storedSettings.connectWebhookSecret) return storedSettings
    // The directory was created by an earlier version, which had only one secret.
    const completed = { ...storedSettings, connectWebhookSecret: webhookSecret() }
    writeSandboxSettings(dir, completed)
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
  writeSandboxSettings(dir, settings)
  return settings
}

export function writeSandboxSettings(dir: string, settings: SandboxSettings) {
  writeFileSync(join(dir, 'settings.json.new'), JSON.stringify(settings), { mode: 0o600 })
  renameSync(join(dir, 'settings.json.new'), join(dir, 'settings.json'))
}

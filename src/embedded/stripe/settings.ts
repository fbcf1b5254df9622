import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a restart must not change: the keys, and the port that links lead to. */
export interface Settings {
  secretKey: string
  webhookSecret: string
  port: number
}

/** Reads them, or makes them once. */
export function readSettings(dir: string): Settings {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  try {
    return JSON.parse(readFileSync(join(dir, 'settings.json'), 'utf8')) as Settings
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code !== 'ENOENT') throw new Error(`${join(dir, 'settings.json')} cannot be read.`, { cause: e })
  }
  const random = (bytes: number) => randomBytes(bytes).toString('base64url').replaceAll(/[-_]/g, 'x')
  const settings = { secretKey: `sk_test_${random(72)}`, webhookSecret: `whsec_${random(24)}`, port: 0 }
  writeSettings(dir, settings)
  return settings
}

export function writeSettings(dir: string, settings: Settings) {
  writeFileSync(join(dir, 'settings.json.new'), JSON.stringify(settings), { mode: 0o600 })
  renameSync(join(dir, 'settings.json.new'), join(dir, 'settings.json'))
}

import { cp, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the Stripe sandbox keeps its journal and settings, below a data directory and in a backup. */
const SANDBOX_DIRECTORY = 'stripe'

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * Copies the Stripe sandbox into a backup, also while it runs: its journal only grows, and a line that is cut short is dropped when it is
 * opened. Copied after the database, as Stripe always knows at least what the log does.
 * @returns false where there is none
 */
export async function backUpStripeSandbox(dataDir: string, backup: string): Promise<boolean> {
  const from = join(dataDir, SANDBOX_DIRECTORY)
  if (!(await exists(from))) return false
  await cp(from, join(backup, SANDBOX_DIRECTORY), { recursive: true })
  return true
}

/**
 * Puts the sandbox of a backup into a data directory before the sandbox starts. One that is there stays: Stripe does not go back in time
 * either.
 * @returns false where nothing was copied
 */
export async function restoreStripeSandbox(backup: string, dataDir: string): Promise<boolean> {
  const [from, to] = [join(backup, SANDBOX_DIRECTORY), join(dataDir, SANDBOX_DIRECTORY)]
  if (!(await exists(from)) || (await exists(to))) return false
  await cp(from, to, { recursive: true })
  return true
}

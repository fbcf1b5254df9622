import { cp, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the Stripe sandbox keeps its journal and settings, below a data directory and in a backup. */
export const STRIPE_SANDBOX_DIRECTORY = 'stripe'

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * Copies the Stripe sandbox into a backup. The sandbox may be running, because it only appends to its journal and drops an incomplete last
 * line when it opens it. Call this after the database was copied, so that the copied sandbox knows every payment in the copied log.
 * @returns false if there is no sandbox
 */
export async function backUpStripeSandbox(dataDir: string, backup: string): Promise<boolean> {
  const from = join(dataDir, STRIPE_SANDBOX_DIRECTORY)
  if (!(await exists(from))) return false
  await cp(from, join(backup, STRIPE_SANDBOX_DIRECTORY), { recursive: true })
  return true
}

/**
 * Copies the sandbox of a backup into a data directory, before the sandbox starts. An existing sandbox is kept, because the real Stripe
 * would not lose its newer data either.
 * @returns false if nothing was copied
 */
export async function restoreStripeSandbox(backup: string, dataDir: string): Promise<boolean> {
  const [from, to] = [join(backup, STRIPE_SANDBOX_DIRECTORY), join(dataDir, STRIPE_SANDBOX_DIRECTORY)]
  if (!(await exists(from)) || (await exists(to))) return false
  await cp(from, to, { recursive: true })
  return true
}

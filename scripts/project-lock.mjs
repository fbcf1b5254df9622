import { createHash } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { printStep, projectRoot } from './run-program.mjs'

const LOCK_EXPIRY_MS = 15 * 60_000
const LOCK_POLL_MS = 200

/** Runs `work` while no other script installs or builds in this checkout. Resolves to its result. */
export async function withProjectLock(work) {
  const file = join(tmpdir(), `diamondlink-${createHash('sha256').update(projectRoot).digest('hex').slice(0, 16)}.lock`)
  for (let isWaiting = false; ; await sleep(LOCK_POLL_MS)) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!isLockHeld(file)) rmSync(file, { force: true })
    else if (!isWaiting) {
      printStep('Another start is installing or building; waiting for it…')
      isWaiting = true
    }
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/**
 * Whether the lock is still held: its file has not expired, and the process that wrote it is running. An empty file counts as held, because
 * its process has created it and is about to write its id.
 */
function isLockHeld(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    if (Date.now() - statSync(file).mtimeMs > LOCK_EXPIRY_MS) return false
    if (!pid) return true
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return error.code === 'EPERM'
  }
}

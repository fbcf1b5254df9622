import { createHash } from 'node:crypto'
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { printStep, projectRoot } from './run-external-program.mjs'

/** A lock that has not been renewed for this long is void, even if its process seems to be running: the id may have been reused. */
const LOCK_EXPIRY_MS = 15 * 60_000
const LOCK_RENEWAL_MS = 60_000
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
    const pid = readLock(file)
    if (pid === undefined) continue
    if (!isLockHeld(file, pid)) removeLockOf(file, pid)
    else if (!isWaiting) {
      printStep('Another start is installing or building; waiting for it…')
      isWaiting = true
    }
  }
  const renewal = setInterval(() => renewLock(file), LOCK_RENEWAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    removeLockOf(file, String(process.pid))
  }
}

/** Keeps the lock from expiring. If somebody has deleted its file, there is nothing to renew, and the work goes on. */
function renewLock(file) {
  try {
    utimesSync(file, new Date(), new Date())
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

/** The id of the process that holds the lock, empty if it is about to write its id; undefined if there is no lock anymore. */
function readLock(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

/** Removes the lock unless another process has taken it since. */
function removeLockOf(file, pid) {
  if (readLock(file) === pid) rmSync(file, { force: true })
}

/** Whether the lock is still held: it has not expired, and the process that wrote it is running or about to write its id. */
function isLockHeld(file, pid) {
  try {
    if (Date.now() - statSync(file).mtimeMs > LOCK_EXPIRY_MS) return false
    if (pid) process.kill(Number(pid), 0)
    return true
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return error.code === 'EPERM'
  }
}

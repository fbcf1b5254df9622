import { argon2Sync } from 'node:crypto'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/**
 * A worker thread that derives one password hash at a time. On Linux each thread has its own priority, so these threads can give way to all
 * others.
 */
setPriority(constants.priority.PRIORITY_LOW)
parentPort!.on('message', parameters => parentPort!.postMessage(argon2Sync('argon2id', parameters)))

import { argon2Sync } from 'node:crypto'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** A worker thread that derives one password hash at a time. On Linux a priority belongs to a thread, so it can run below everything else. */
setPriority(constants.priority.PRIORITY_LOW)
parentPort!.on('message', parameters => parentPort!.postMessage(argon2Sync('argon2id', parameters)))

import { argon2Sync } from 'node:crypto'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** A thread that derives one password at a time and gives way to everybody else: on Linux a priority is a thread's own. */
setPriority(constants.priority.PRIORITY_LOW)
parentPort!.on('message', parameters => parentPort!.postMessage(argon2Sync('argon2id', parameters)))

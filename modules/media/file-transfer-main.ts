import { once } from 'node:events'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createInterface } from 'node:readline'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isOutOfDiskOrFileHandlesError } from './disk-and-file-limit-errors.ts'
import { type FileTransferTask, TRANSFER_EXIT_CODES, UPLOAD_STALL_TIMEOUT_MS } from './file-transfer-child-process.ts'

/** The process that transfers the files of one media job between the object store and its directory. Its exit code tells the outcome. */

class Failure extends Error {
  readonly exit: keyof typeof TRANSFER_EXIT_CODES
  constructor(exit: keyof typeof TRANSFER_EXIT_CODES, message: string = exit) {
    super(message)
    this.exit = exit
  }
}
const throwUnavailable = (error: unknown) => {
  throw error instanceof Failure || isOutOfDiskOrFileHandlesError(error) ? error : new Failure('unavailable', `${error}`)
}

async function download({ files }: Extract<FileTransferTask, { is: 'download' }>) {
  for (const file of files) await downloadFile(file)
}

async function downloadFile({ url, file, bytes }: Extract<FileTransferTask, { is: 'download' }>['files'][number]) {
  const answer = await fetch(url).catch(throwUnavailable)
  if (answer.status === 404) throw new Failure('lost')
  if (!answer.ok || !answer.body) throw new Failure('unavailable', `The store answered ${answer.status}`)
  const target = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW)
  let read = 0
  const counted = new Transform({
    transform(chunk, _, done) {
      read += chunk.length
      done(read > bytes ? new Failure('mismatch', `The object is longer than ${bytes} bytes`) : null, chunk)
    },
  })
  await pipeline(Readable.fromWeb(answer.body as never), counted, target.createWriteStream()).catch(throwUnavailable)
  if (read < bytes) throw new Failure('unavailable', `Only ${read} of ${bytes} bytes arrived`)
}

async function upload({ files, stallMs = UPLOAD_STALL_TIMEOUT_MS }: Extract<FileTransferTask, { is: 'upload' }>) {
  for (const { url, file, type, bytes } of files) {
    // A hostile preparation may have left a link to a secret, or a pipe that never ends, under the name of an output file.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    await using source = await open(file, flags).catch(error => {
      throw isOutOfDiskOrFileHandlesError(error) ? error : new Failure('mismatch', `${error}`)
    })
    const stats = await source.stat()
    if (!stats.isFile() || stats.nlink !== 1 || stats.size !== bytes)
      throw new Failure('mismatch', `${file} is not a file of ${bytes} bytes`)
    // `fetch` would read the file faster than the network takes it, and so hold all of it in memory.
    const put = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, {
      method: 'PUT',
      headers: { 'content-type': type, 'content-length': bytes },
    })
    put.setTimeout(stallMs, () => put.destroy(new Failure('unavailable', 'The store does not answer')))
    // The request closes once its response has been read.
    put.once('response', answer => answer.resume())
    const [[answer]] = await Promise.all([
      once(put, 'response').catch(throwUnavailable) as Promise<[IncomingMessage]>,
      pipeline(source.createReadStream({ autoClose: false, end: bytes - 1 }), put).catch(throwUnavailable),
    ])
    if (answer.statusCode! < 200 || answer.statusCode! > 299) throw new Failure('unavailable', `The store answered ${answer.statusCode}`)
  }
}

const input = createInterface(process.stdin)
// The input closes when the parent process exits.
input.once('close', () => process.exit(1))
input.once('line', async line => {
  const transfer = JSON.parse(line) as FileTransferTask
  try {
    await (transfer.is === 'download' ? download(transfer) : upload(transfer))
    process.exit(TRANSFER_EXIT_CODES.done)
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error)
    process.exit(
      error instanceof Failure ? TRANSFER_EXIT_CODES[error.exit] : isOutOfDiskOrFileHandlesError(error) ? TRANSFER_EXIT_CODES.noRoom : 1,
    )
  }
})

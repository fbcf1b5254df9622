import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import type { S3Config } from '../config.ts'
import { findFreePort } from './find-free-port.ts'
import type { S3ServerOptions } from './s3-server-process.ts'

/**
 * Starts an S3 server on a loopback port, with its objects in `dataDir`. It is a separate process that exits with this one and is
 * restarted after a crash.
 * @param options.origin the origin whose pages may PUT parts, read ETags and request ranges from a browser (CORS)
 */
export async function startS3(options: { dataDir: string; log: BaseLogger; origin: string }) {
  const dir = resolve(options.dataDir)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const secretFile = join(dir, 'secret')
  const secretAccessKey = await readFile(secretFile, 'utf8').catch(async () => {
    const secret = randomBytes(24).toString('base64url')
    await writeFile(secretFile, secret, { mode: 0o600 })
    return secret
  })
  const [bucket, accessKeyId] = ['diamondlink', 'embedded']
  const port = await findFreePort(join(dir, 'port'))
  const child: S3ServerOptions = { directory: join(dir, 'data'), port, bucket, accessKeyId, secretAccessKey, origin: options.origin }

  let running: ChildProcess
  let stopping = false
  const start = async () => {
    // The server gets its own session, so that Ctrl-C reaches only this process and uploads in progress can complete.
    running = fork(join(import.meta.dirname, 's3-server-process.ts'), [], { execArgv: [], detached: true, silent: true })
    running.send(child)
    let complaint = ''
    running.stderr!.on('data', data => {
      complaint = String(data).trim()
      options.log.error({ part: 's3' }, complaint)
    })
    running.stdout!.resume()
    await new Promise<void>((done, fail) => {
      running.once('message', () => done())
      running.once('exit', () => fail(new Error(`The embedded S3 server did not start: ${complaint}`)))
    })
    for (const handle of [running, running.channel, running.stdout, running.stderr]) (handle as { unref?: () => void } | null)?.unref?.()
    running.once('exit', again)
  }
  const again = async () => {
    for (let pause = 200; !stopping; pause = Math.min(pause * 2, 10_000)) {
      options.log.error({ part: 's3' }, 'the embedded S3 server ended; starting it again')
      await sleep(pause, undefined, { ref: false })
      if (
        !stopping &&
        (await start().then(
          () => true,
          () => false,
        ))
      )
        return
    }
  }
  await start()

  const endpoint = `http://127.0.0.1:${port}`
  const config: S3Config = {
    endpoint,
    publicEndpoint: endpoint,
    region: 'us-east-1',
    bucket,
    accessKeyId,
    secretAccessKey,
    pathStyle: true,
  }
  return {
    config,
    get pid() {
      return running.pid!
    },
    async stop() {
      stopping = true
      if (running.exitCode !== null || running.signalCode !== null) return
      running.ref()
      const end = new Promise(done => running.once('exit', done))
      running.kill()
      await end
    },
  }
}

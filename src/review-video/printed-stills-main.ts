import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { captureFfmpegLog } from '../../modules/media/child/node-av.ts'
import { JOB_FILE_NAME } from '../../modules/media/child/protocol.ts'
import type { StillsJob } from './stills-job.ts'

/** The process that renders pictures for print. It runs in the sandbox, because the clips that it opens were made from untrusted files. */

const dir = process.argv[2]!
const [av, { renderStills }] = await Promise.all([import('node-av'), import('./render-stills.ts')])
captureFfmpegLog(av)
await renderStills(av, JSON.parse(await readFile(join(dir, JOB_FILE_NAME), 'utf8')) as StillsJob, dir)
process.exit()

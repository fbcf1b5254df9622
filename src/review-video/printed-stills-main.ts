import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logFfmpegErrorsAndFlagOversizedPictures } from '../../modules/media/preparation-process/node-av-helpers.ts'
import { RENDER_INPUT_FILE_NAME } from '../../modules/media/preparation-process/protocol.ts'
import type { PrintedStillsInput } from './printed-stills-input.ts'

/** The process that renders stills for print. It runs in the sandbox, because the clips that it opens were made from untrusted files. */

const dir = process.argv[2]!
const [av, { writePrintedStills }] = await Promise.all([import('node-av'), import('./write-printed-stills.ts')])
logFfmpegErrorsAndFlagOversizedPictures(av)
await writePrintedStills(av, JSON.parse(await readFile(join(dir, RENDER_INPUT_FILE_NAME), 'utf8')) as PrintedStillsInput, dir)
process.exit()

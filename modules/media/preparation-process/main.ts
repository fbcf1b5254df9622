import { prepareMedia } from './prepare-media.ts'
import { runPreparationProcess } from './run-inside-child-process.ts'

/** The process that prepares one video or voice-over. */
await runPreparationProcess(prepareMedia)

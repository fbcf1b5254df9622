import { prepareMedia } from './prepare-media.ts'
import { runPreparationProcess } from './run-preparation-process.ts'

/** The process that prepares one video or voice-over. */
await runPreparationProcess(prepareMedia)

import { prepareMedia } from './prepare-media.ts'
import { runPreparation } from './run-preparation.ts'

/** The process that prepares one video or voice-over. */
await runPreparation(prepareMedia)

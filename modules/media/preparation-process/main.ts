import { preparationProcessMain } from './preparation-process-main.ts'
import { prepareMedia } from './prepare-media.ts'

/** The entry point of the process that prepares one video or voice-over. */
await preparationProcessMain(prepareMedia)

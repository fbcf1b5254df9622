import { preparationProcessMain } from './preparation-process-main.ts'
import { prepareMedia } from './prepare-media.ts'

/** The process that prepares one video or voice-over. */
await preparationProcessMain(prepareMedia)

import { prepareMedia } from './prepare-media.ts'
import { preparationProcessMain } from './run-inside-child-process.ts'

/** The process that prepares one video or voice-over. */
await preparationProcessMain(prepareMedia)

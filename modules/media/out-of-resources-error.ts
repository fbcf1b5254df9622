import { constants } from 'node:os'

/** The exit code where the machine has no resources left: EX_TEMPFAIL of sysexits.h. */
export const OUT_OF_RESOURCES_EXIT_CODE = 75

/** Whether the disk is full or no more files can be opened, by Node's names or FFmpeg's numbers. Lack of memory is not included, because a file may ask for too much. */
export const isOutOfResourcesError = (error: unknown) => {
  const { code } = error as { code?: string | number }
  return (['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'] as const).some(name => code === name || code === -constants.errno[name])
}

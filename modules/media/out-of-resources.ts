import { constants } from 'node:os'

/** The exit code where the machine has no resources left: EX_TEMPFAIL of sysexits.h. */
export const OUT_OF_RESOURCES_EXIT_CODE = 75

/** The disk is full, or the machine has no more files to give: by Node's names, or by FFmpeg's numbers. (Memory is missing to whoever asks for too much.) */
export const isOutOfResources = (error: unknown) => {
  const { code } = error as { code?: string | number }
  return (['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'] as const).some(name => code === name || code === -constants.errno[name])
}

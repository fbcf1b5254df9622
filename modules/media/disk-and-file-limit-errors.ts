import { constants } from 'node:os'

/** The exit code where the machine has no resources left: EX_TEMPFAIL of sysexits.h. */
export const MACHINE_OUT_OF_DISK_OR_FILES_EXIT_CODE = 75

const hasErrorCode = (error: unknown, names: readonly (keyof typeof constants.errno)[]) => {
  const { code } = error as { code?: string | number }
  return names.some(name => code === name || code === -constants.errno[name])
}

/** Whether the disk is full or no more files can be opened, by Node's names or FFmpeg's numbers. Lack of memory is not included, because a file may ask for too much. */
export const isOutOfDiskOrFileHandlesError = (error: unknown) => hasErrorCode(error, ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'])

/** Whether a made file is larger than a preparation may write, by Node's name or FFmpeg's number. It would be as large on every other try. */
export const isFileTooLargeError = (error: unknown) => hasErrorCode(error, ['EFBIG'])

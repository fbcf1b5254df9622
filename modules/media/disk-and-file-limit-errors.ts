import { constants } from 'node:os'

/** The exit code of a process that fails because the disk is full or no more files can be opened: EX_TEMPFAIL of sysexits.h. */
export const MACHINE_OUT_OF_DISK_OR_FILES_EXIT_CODE = 75

const hasErrorCode = (error: unknown, names: readonly (keyof typeof constants.errno)[]) => {
  const { code } = error as { code?: string | number }
  return names.some(name => code === name || code === -constants.errno[name])
}

/**
 * Whether an error, with Node's error name or FFmpeg's error number, means that the disk is full or no more files can be opened. Running
 * out of memory does not count, because the video file itself may cause it by demanding too much.
 */
export const isOutOfDiskOrFileHandlesError = (error: unknown) => hasErrorCode(error, ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'])

/** Whether an error, Node's or FFmpeg's, means that an output file is larger than a preparation may write. Retrying would not help. */
export const isFileTooLargeError = (error: unknown) => hasErrorCode(error, ['EFBIG'])

/** The file is not usable. The message tells its owner what is wrong and what to do. */
export class UnplayableFileError extends Error {
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}
export const truncatedFileError = () =>
  new UnplayableFileError(
    'The end of this video is missing; it was probably cut off while it was copied. Copy or export it again, then choose it again.',
    'truncated',
  )
export const damagedFileError = () =>
  new UnplayableFileError('This video is damaged and does not play. Export it as MP4 and choose it again.', 'damaged')

import type { Video } from '../../modules/folders/contract.ts'

/** The width of a clip divided by its height; 16:9 if its size is unknown. */
export const aspectRatioOf = (clip: Pick<Video, 'width' | 'height'> | undefined) =>
  clip?.width && clip.height ? clip.width / clip.height : 16 / 9

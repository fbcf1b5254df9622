/** Playback speeds that people choose from; 1 is the speed of the file. */
export const PLAYBACK_SPEEDS = [0.1, 0.25, 0.5, 1, 2] as const

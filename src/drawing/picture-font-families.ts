/**
 * Font families for text on a picture. Archivo has only Latin letters, so Japanese, Chinese and Korean text uses Noto Sans: the server has
 * it for review videos, and in browsers it is used if the device has it.
 */
export const PICTURE_FONT_FAMILIES = 'Archivo, "Archivo fallback", "Noto Sans JP", "Noto Sans SC", "Noto Sans KR"'

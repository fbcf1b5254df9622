/**
 * Font families of the letters on a picture. Archivo has only Latin letters; Japanese, Chinese and Korean ones come from Noto Sans, which
 * the server has for saved videos, and many devices have for browsers.
 */
export const PICTURE_FONT_FAMILIES = 'Archivo, "Archivo fallback", "Noto Sans JP", "Noto Sans SC", "Noto Sans KR"'

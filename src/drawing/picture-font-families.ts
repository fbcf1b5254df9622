/**
 * Font families of the letters on a picture. Archivo has Latin letters alone; Japanese, Chinese and Korean ones come from Noto Sans, which
 * the saved video brings along and which many devices have.
 */
export const PICTURE_FONT_FAMILIES = 'Archivo, "Archivo fallback", "Noto Sans JP", "Noto Sans SC", "Noto Sans KR"'

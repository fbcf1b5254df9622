import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { GlobalFonts, Path2D } from '@napi-rs/canvas'

const ui = join(import.meta.dirname, '../ui')
const { resolve } = createRequire(import.meta.url)
const fontFile = (script: string, name: string) => join(dirname(resolve(`@embedpdf/fonts-${script}`)), '../fonts', `${name}-Medium.otf`)
/**
 * Font files for characters that Archivo lacks, and their names in `PICTURE_FONT_FAMILIES`. The files are large, but the canvas only maps
 * them into memory.
 */
const EAST_ASIAN_FONTS = [
  [fontFile('jp', 'NotoSansJP'), 'Noto Sans JP'],
  [fontFile('sc', 'NotoSansHans'), 'Noto Sans SC'],
  [fontFile('kr', 'NotoSansKR'), 'Noto Sans KR'],
] as const

/** Prepares the environment for the browser's painting code, which finds its fonts by name and creates paths with the global `Path2D`. */
export function installFontsAndPath2D() {
  GlobalFonts.registerFromPath(join(ui, 'archivo.woff2'), 'Archivo')
  GlobalFonts.registerFromPath(join(ui, 'archivo-more.woff2'), 'Archivo fallback')
  for (const [file, family] of EAST_ASIAN_FONTS) GlobalFonts.registerFromPath(file, family)
  Object.assign(globalThis, { Path2D })
}

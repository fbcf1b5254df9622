import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { GlobalFonts, Path2D } from '@napi-rs/canvas'
import { INK_NAMES } from '../../modules/reviews/policy.ts'
import type { InkColors } from '../drawing/paint-shape.ts'

const ui = join(import.meta.dirname, '../ui')

/** The colors of the studio theme, which is used to watch reviews, by token name. */
function readStudioColors(): Map<string, string> {
  const css = readFileSync(join(ui, 'tokens.css'), 'utf8')
  const declarations = [':root', '[data-theme="studio"]'].flatMap(selector => {
    const start = css.indexOf(`${selector} {`)
    return [...css.slice(start, css.indexOf('}', start)).matchAll(/--([\w-]+):\s*(#\w+)/g)]
  })
  return new Map(declarations.map(([, name, color]) => [name!, color!]))
}

const colors = readStudioColors()
const color = (name: string) => colors.get(name)!

export const STUDIO_COLORS = { background: color('chalk'), ink: color('ink'), field: color('field'), clay: color('clay') }
/** The color of the token in a class such as `text-clay`. */
export const colorOfClass = (className: string) => color(className.replace('text-', ''))
export const studioInks: InkColors = INK_NAMES.map(name => color(name === 'chalk' ? 'chalk-mark' : name))

const { resolve } = createRequire(import.meta.url)
const fontFile = (script: string, name: string) => join(dirname(resolve(`@embedpdf/fonts-${script}`)), '../fonts', `${name}-Medium.otf`)
/**
 * Font files for letters that Archivo lacks, with their names in `PICTURE_FONT_FAMILIES`. The canvas maps these large files into memory.
 */
const EAST_ASIAN_FONTS = [
  [fontFile('jp', 'NotoSansJP'), 'Noto Sans JP'],
  [fontFile('sc', 'NotoSansHans'), 'Noto Sans SC'],
  [fontFile('kr', 'NotoSansKR'), 'Noto Sans KR'],
] as const

/** Prepares the environment for the browser's painting code, which finds its fonts by name and creates paths with the global `Path2D`. */
export function installPaintingGlobals() {
  GlobalFonts.registerFromPath(join(ui, 'archivo.woff2'), 'Archivo')
  GlobalFonts.registerFromPath(join(ui, 'archivo-more.woff2'), 'Archivo fallback')
  for (const [file, family] of EAST_ASIAN_FONTS) GlobalFonts.registerFromPath(file, family)
  Object.assign(globalThis, { Path2D })
}

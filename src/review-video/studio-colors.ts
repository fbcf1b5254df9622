import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { INK_NAMES } from '../../modules/reviews/policy.ts'
import type { InkColors } from '../drawing/ink-colors-from-theme.ts'

/** Reads the colors of the studio theme, in which reviews are watched, by token name. */
function readStudioColors(): Map<string, string> {
  const css = readFileSync(join(import.meta.dirname, '../ui/tokens.css'), 'utf8')
  const declarations = [':root', '[data-theme="studio"]'].flatMap(selector => {
    const start = css.indexOf(`${selector} {`)
    return [...css.slice(start, css.indexOf('}', start)).matchAll(/--([\w-]+):\s*(#\w+)/g)]
  })
  return new Map(declarations.map(([, name, color]) => [name!, color!]))
}

const colors = readStudioColors()
const color = (name: string) => colors.get(name)!

/** The studio's colors for what surrounds drawings: the background, captions, and goals. */
export const STUDIO_COLORS = { background: color('chalk'), ink: color('ink'), field: color('field'), clay: color('clay') }
/** The color of the token in a class such as `text-clay`. */
export const colorOfClass = (className: string) => color(className.replace('text-', ''))
/** The inks of drawings in the studio, for painting on the server. */
export const studioInks: InkColors = INK_NAMES.map(name => color(name === 'chalk' ? 'chalk-mark' : name))

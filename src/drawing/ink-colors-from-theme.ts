import { INK_NAMES } from '../../modules/reviews/policy.ts'

/** CSS colors of the inks, indexed by `Shape.color`. */
export type InkColors = readonly string[]

export const readInkColors = (element: Element): InkColors => {
  const style = getComputedStyle(element)
  // `--chalk` is the page's background, which is dark in the studio; the ink is white in every theme.
  return INK_NAMES.map(name => style.getPropertyValue(name === 'chalk' ? '--chalk-mark' : `--${name}`).trim() || '#e2743f')
}

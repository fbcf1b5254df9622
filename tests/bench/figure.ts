/** One measured number. With a bar it is judged: the ratio, not the raw speed, wherever there is a reference in the same run. */
export interface Figure {
  /** The bar's name: `S1`, `E2` … */
  id: string
  name: string
  value: number
  unit: string
  bar?: number
  /** Which side of the bar is the good one; more, if it is not said. */
  better?: 'more' | 'less'
}

/**
 * One measured number. If it has a bar, it is judged by its ratio to a reference from the same run where there is one, not by raw speed.
 */
export interface Figure {
  /** The bar's id: `S1`, `E2` … */
  id: string
  name: string
  value: number
  unit: string
  bar?: number
  /** Which direction is better; `more` by default. */
  better?: 'more' | 'less'
}

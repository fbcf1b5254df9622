/**
 * One measured number. `bar` is the limit that it must meet, in `unit`; it is absent if the number is only reported. Where possible, the
 * number is a ratio to a reference from the same run, so that the speed of the machine does not matter.
 */
export interface BenchmarkFigure {
  /** The figure's id in bench/RESULTS.md: `S1`, `E2` … */
  id: string
  name: string
  value: number
  unit: string
  bar?: number
  /** Which direction is better; `more` by default. */
  better?: 'more' | 'less'
}

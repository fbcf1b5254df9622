/**
 * One measured number. `bar` is the value it has to reach, if any; the number is judged by its ratio to a reference from the same run where
 * there is one, not by raw speed.
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

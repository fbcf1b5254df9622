import type { ComponentProps } from 'react'
import { cx } from '../ui/cx.ts'

/** Classes for a range input that covers its container, which draws the track. */
export const RANGE_INPUT_CLASS = cx(
  'absolute inset-0 h-11 w-full cursor-pointer appearance-none bg-transparent',
  '[&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-3 [&::-webkit-slider-thumb]:border-field [&::-webkit-slider-thumb]:bg-paper',
  '[&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-3 [&::-moz-range-thumb]:border-field [&::-moz-range-thumb]:bg-paper',
)

/** A slider on a plain track. `className` sets its width. */
export const PlainSlider = ({ className, ...input }: Omit<ComponentProps<'input'>, 'type'>) => (
  <span className={cx('relative block h-11', className)}>
    <span aria-hidden="true" className="absolute inset-x-0 top-1/2 h-1 -translate-y-1/2 rounded-full bg-line" />
    <input type="range" {...input} className={RANGE_INPUT_CLASS} />
  </span>
)

/** The columns of a page about a folder: what is watched and read, and beside it what goes with it. */
export const TWO_COLUMNS = 'grid grid-cols-1 items-start gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]'
/** Without feedback: written as a phone shows it, the next step first; a desk has the videos on the left. */
export const NEXT_STEP_LAYOUT = {
  all: `${TWO_COLUMNS} lg:grid-rows-[auto_1fr] lg:[reading-flow:grid-rows]`,
  step: 'lg:col-start-2 lg:row-start-1',
  videos: 'min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1',
}
/**
 * With feedback: written as a phone shows it, what sums it up first; a desk has the stage on top, and shows no summary before the stage has
 * come down the line, which would push it away.
 */
export const FEEDBACK_LAYOUT = {
  all: `${TWO_COLUMNS} lg:grid-rows-[auto_auto_1fr]`,
  summary: 'flex min-w-0 flex-col gap-4 sm:gap-6 lg:col-start-1 lg:row-start-2 lg:[&:not(:has(~*~*))]:hidden',
  stage: 'min-w-0 lg:col-span-2 lg:col-start-1 lg:row-start-1',
  more: 'flex min-w-0 flex-col gap-4 empty:hidden sm:gap-6 lg:col-start-1 lg:row-start-3',
  aside: 'flex min-w-0 flex-col gap-4 sm:gap-6 lg:col-start-2 lg:row-span-2 lg:row-start-2',
}

/** The columns of a folder page: videos and texts in the wide column, related information in the narrow one. */
export const TWO_COLUMN_LAYOUT = 'grid grid-cols-1 items-start gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]'
/**
 * The layout before there is feedback, in the order used on a phone: the next step comes first. On a wide screen the videos are to its
 * left.
 */
export const LAYOUT_BEFORE_FEEDBACK = {
  all: `${TWO_COLUMN_LAYOUT} lg:grid-rows-[auto_1fr] lg:[reading-flow:grid-rows]`,
  step: 'lg:col-start-2 lg:row-start-1',
  videos: 'min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1',
}
/**
 * The layout with feedback, in the same order on phones and wide screens: the summary and the next goal come first, then the stage at full
 * width. The bill is at the end.
 */
export const LAYOUT_WITH_FEEDBACK = {
  all: `${TWO_COLUMN_LAYOUT} lg:grid-rows-[auto_auto_1fr]`,
  summary: 'flex min-w-0 flex-col gap-4 sm:gap-6 lg:col-span-2',
  stage: 'min-w-0 lg:col-span-2',
  more: 'flex min-w-0 flex-col gap-4 empty:hidden sm:gap-6 lg:col-start-1',
  aside: 'flex min-w-0 flex-col gap-4 sm:gap-6 lg:col-start-2',
}

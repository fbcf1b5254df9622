import { cx } from '../ui/cx.ts'

/**
 * Moves the picture down so that the drawing tools do not cover it. Free space above the picture is used first, so that most pictures stay
 * where they are. On a short screen, which has no free space, the line with the tool's hint gets room too. Needs `--aspect`, the picture's
 * width divided by its height.
 */
export const DRAWING_TOOLS_ROOM_CLASSES = cx(
  '[container-type:size] [--tools:calc(var(--bar,0px)+var(--hint,0px))]',
  '[--room:clamp(0px,2*var(--tools)-100cqh+min(100cqh,100cqw/var(--aspect)),var(--tools))]',
  'has-[[data-tools]]:[--bar:4.25rem] min-[820px]:has-[[data-tools]]:[--bar:4.75rem] short:has-[[data-tool-hint]]:[--hint:3.25rem]',
)

/**
 * The classes for the parts of a stage that fills its container. The parts are stacked; on a short screen only the strip is below the
 * picture, and everything else is next to it.
 */
export const FILLED_STAGE_CLASSES = {
  stage: 'grid-rows-[minmax(0,1fr)] short:grid-cols-[minmax(0,1fr)_auto_auto] short:grid-rows-[minmax(0,1fr)_auto]',
  caption: 'short:col-start-2 short:row-span-2 short:row-start-1 short:flex short:min-h-0 short:flex-col short:*:first:flex-1',
  /** The wrapper of strip and buttons. On a short screen, its children are the grid items, unless the controls are hidden. */
  controls: 'short:col-start-1 short:row-start-2 short:*:first:col-start-1 short:*:first:row-start-2 short:*:first:mx-2 short:*:first:mb-1',
  buttons:
    'short:col-start-3 short:row-span-2 short:row-start-1 short:mt-0 short:grid short:w-26 short:min-[820px]:has-[[data-words]>*]:w-40 short:auto-rows-min short:grid-cols-2 short:content-evenly short:justify-items-center short:overflow-x-hidden short:overflow-y-auto short:px-1.5 short:py-1',
  /** The additional controls: on a wide phone their labels are below the icons. */
  words:
    'short:min-[820px]:[&>button]:mr-0! short:min-[820px]:[&>button]:min-h-13! short:min-[820px]:[&>button]:w-18! short:min-[820px]:[&>button]:gap-1! short:min-[820px]:[&>button]:text-13! short:min-[820px]:[&>button]:whitespace-normal!',
  /** A button or text as wide as the two columns of buttons. */
  wide: 'short:col-span-2 short:mr-0',
}

/**
 * The additional controls. Labels that do not fit next to their icons move below them; if even that does not fit, only screen readers get
 * the labels.
 */
export const EXTRA_CONTROLS_CLASSES =
  'contents [&>button]:mr-2 @max-[53.5rem]:[&>button]:mr-1 @max-[53.5rem]:[&>button]:min-h-13 @max-[53.5rem]:[&>button]:flex-col @max-[53.5rem]:[&>button]:gap-1 @max-[53.5rem]:[&>button]:px-2 @max-[53.5rem]:[&>button]:text-13 @max-[53.5rem]:[&>button]:leading-none @max-[49.5rem]:[&>button]:min-h-11 @max-[49.5rem]:[&>button]:w-11 @max-[49.5rem]:[&>button]:shrink-0 @max-[49.5rem]:[&>button]:gap-0 @max-[49.5rem]:[&>button]:px-0 @max-[49.5rem]:[&>button]:text-[0px] @max-[28rem]:[&>button]:mr-0.5 @max-[10rem]:[&>button]:mr-0'

/** Covers the whole page; padding keeps the contents clear of the notch and the home indicator. */
export const FULL_SCREEN_CLASSES =
  'fixed inset-0 z-50 h-dvh! w-full bg-chalk! pt-[env(safe-area-inset-top)] pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)]'

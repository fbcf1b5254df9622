import type { ReactNode } from 'react'
import type { OnionSkin } from '../../modules/reviews/contract.ts'
import { DrawingToolbar } from '../drawing/DrawingToolbar.tsx'
import { cx } from '../ui/cx.ts'
import { ComparisonCanvas, type ComparisonPicturesProps } from './ComparisonCanvas.tsx'
import { ComparisonPlaybackControls } from './ComparisonPlaybackControls.tsx'
import { ComparisonTimeSlider } from './ComparisonTimeSlider.tsx'

/**
 * On a short screen, a stage that fills its container puts its parts into the grid of its parent (`SHORT_SCREEN_COMPARISON_STAGE_GRID_CLASSES`).
 * The pictures get the whole width, because two clips side by side need it, with one row of controls above and one below.
 */
const FILLED_COMPARISON_CLASSES = {
  stage: 'short:contents',
  tools: 'short:col-span-full short:row-start-1 short:h-15',
  pictures: 'short:col-span-full short:row-start-2 short:min-h-0!',
  controls: 'short:col-span-full short:row-start-3 short:flex short:flex-row-reverse short:items-center short:pb-0 short:*:first:flex-1',
  children: 'short:contents',
}
/**
 * On a phone in portrait, the picture area is tall enough for two 16:9 clips, one above the other, each as wide as the screen, but at most
 * 55% of the screen's height (`--pictures`). It stays in view while the controls below it scroll.
 */
const PORTRAIT_COMPARISON_CLASSES = {
  stage: '[--pictures:min(112.5vw_+_4px,55dvh)]',
  pictures: 'max-sm:portrait:sticky max-sm:portrait:top-0 max-sm:portrait:z-10 max-sm:portrait:min-h-(--pictures)',
}
/**
 * Add these classes to controls in `children` that the page scrolls into view: they come to rest below the pictures instead of behind them.
 */
export const SCROLL_MARGIN_BELOW_COMPARISON_CLASSES = 'max-sm:portrait:scroll-mt-(--pictures)'
/** The grid for a stage with `fill` on a short screen. Its three rows fill the screen; the viewer scrolls to the content after them. */
export const SHORT_SCREEN_COMPARISON_STAGE_GRID_CLASSES =
  'short:grid short:auto-rows-min short:grid-cols-[auto_auto_minmax(0,1fr)] short:grid-rows-[auto_minmax(calc(100dvh-6.5rem),1fr)_auto]'

/** Two clips on one clock, with all their controls. `children` are further controls below them. */
export function ComparisonStage({
  aspect,
  fill = false,
  onOnionSkin,
  children,
  ...pictures
}: ComparisonPicturesProps & {
  /** Width of the picture area divided by its height; used unless `fill` is set. */
  aspect?: number
  /** Fills the available height, as in the studio. */
  fill?: boolean
  /** Stores a changed onion skin. */
  onOnionSkin?: ((skin: OnionSkin) => void) | undefined
  children?: ReactNode
}) {
  const { comparer, drawing, sides, mode } = pictures
  return (
    <div
      className={cx(
        'flex min-w-0 flex-col bg-paper',
        fill && cx('min-h-fit flex-1', FILLED_COMPARISON_CLASSES.stage, PORTRAIT_COMPARISON_CLASSES.stage),
      )}
    >
      {/* The toolbar is above the pictures, because the pictures leave no free edge that it could cover. */}
      {drawing?.instrument != null && (
        <div data-theme="studio" className={cx('relative h-16 shrink-0 bg-chalk', fill && FILLED_COMPARISON_CLASSES.tools)}>
          <DrawingToolbar {...drawing.tools} />
        </div>
      )}
      <div
        data-theme="studio"
        className={cx(
          'relative isolate min-h-0 w-full overflow-hidden bg-chalk',
          fill
            ? cx('min-h-80 flex-1 sm:min-h-48', PORTRAIT_COMPARISON_CLASSES.pictures, FILLED_COMPARISON_CLASSES.pictures)
            : 'max-h-[70dvh]',
        )}
        style={fill ? undefined : { aspectRatio: aspect }}
      >
        <ComparisonCanvas {...pictures} wheel={fill} />
      </div>
      <div className={cx('px-2', !children && 'pb-2', fill && FILLED_COMPARISON_CLASSES.controls)}>
        <ComparisonTimeSlider {...{ comparer, sides }} />
        <ComparisonPlaybackControls {...{ comparer, mode, onOnionSkin }} />
      </div>
      {children && <div className={cx('px-2 pb-2', fill && FILLED_COMPARISON_CLASSES.children)}>{children}</div>}
    </div>
  )
}

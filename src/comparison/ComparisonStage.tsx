import type { ReactNode } from 'react'
import type { OnionSkin } from '../../modules/reviews/contract.ts'
import { DrawingToolbar } from '../drawing/DrawingToolbar.tsx'
import { cx } from '../ui/cx.ts'
import { ComparisonControls } from './ComparisonControls.tsx'
import { type ComparedPictures, ComparisonPicture } from './ComparisonPicture.tsx'
import { ComparisonTimeSlider } from './ComparisonTimeSlider.tsx'

/** Two clips on one clock, with all their controls. `children` are further controls below them. */
export function ComparisonStage({
  aspect,
  fill = false,
  onOnionSkin,
  children,
  ...pictures
}: ComparedPictures & {
  /** Width of the whole stage divided by its height; used unless `fill` is set. */
  aspect?: number
  /** Fills the available height, as in the studio. */
  fill?: boolean
  /** Stores how the onion skin looks. */
  onOnionSkin?: ((skin: OnionSkin) => void) | undefined
  children?: ReactNode
}) {
  const { comparer, drawing, sides, mode } = pictures
  return (
    <div className={cx('flex min-w-0 flex-col bg-paper', fill && 'min-h-fit flex-1')}>
      {/* The toolbar is above the pictures, because the pictures leave no free edge that it could cover. */}
      {drawing?.instrument != null && (
        <div data-theme="studio" className="relative h-16 shrink-0 bg-chalk">
          <DrawingToolbar {...drawing.tools} />
        </div>
      )}
      <div
        data-theme="studio"
        className={cx('relative isolate min-h-0 w-full overflow-hidden bg-chalk', fill ? 'min-h-80 flex-1 sm:min-h-48' : 'max-h-[70dvh]')}
        style={fill ? undefined : { aspectRatio: aspect }}
      >
        <ComparisonPicture {...pictures} wheel={fill} />
      </div>
      <div className="px-2 pb-2">
        <ComparisonTimeSlider {...{ comparer, sides }} />
        <ComparisonControls {...{ comparer, mode, onOnionSkin }} />
        {children}
      </div>
    </div>
  )
}

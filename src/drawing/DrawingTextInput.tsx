import { MAX_DRAWING_LABEL_LENGTH, PICTURE_SIDE_UNITS } from '../../modules/reviews/policy.ts'
import type { Point } from './point-encoding-and-simplification.ts'

/**
 * An input for text on the picture, near where the text will be. `onDone` gets the text on Enter or blur, and an empty string on Escape.
 */
export const DrawingTextInput = ({ at, onDone }: { at: Point; onDone: (text: string) => void }) => (
  <input
    ref={input => input?.focus()}
    aria-label="Text on the picture"
    maxLength={MAX_DRAWING_LABEL_LENGTH}
    placeholder="Text"
    onKeyDown={e => {
      if (e.key !== 'Enter' && e.key !== 'Escape') return
      e.preventDefault()
      e.stopPropagation()
      if (e.key === 'Escape') e.currentTarget.value = ''
      e.currentTarget.blur()
    }}
    onBlur={e => onDone(e.currentTarget.value)}
    style={{
      left: `min(${(at.x / PICTURE_SIDE_UNITS) * 100}%, 100% - 14rem)`,
      top: `clamp(3.5rem, ${(at.y / PICTURE_SIDE_UNITS) * 100}%, 100% - 3rem)`,
    }}
    className="absolute z-10 h-11 w-56 rounded-field border border-edge bg-paper px-3 text-16 text-ink shadow-float"
  />
)

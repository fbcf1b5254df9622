import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import type { Shape } from '../../modules/reviews/contract.ts'
import { Easel } from '../drawing/Easel.tsx'
import type { Drawing } from '../drawing/keys.ts'
import { cx } from '../ui/cx.ts'
import type { Comparer } from './comparer.ts'

const none: readonly Shape[] = []

/**
 * What is drawn on one clip, over its picture and on its frames; with a pencil, drawn upon. Of two that lie over each other, the one `below`
 * is only seen.
 */
export function Sheet({
  comparer,
  which,
  shapes = none,
  drawing,
  name,
  below,
  wheel,
  children,
}: {
  comparer: Comparer
  which: 0 | 1
  shapes: readonly Shape[] | undefined
  drawing?: Drawing | undefined
  name: string
  below: boolean
  wheel: boolean
  children?: ReactNode
}) {
  useStore(comparer.$laid)
  const { left, top, width, height } = comparer.places()[which]
  if (!width || !height) return null
  return (
    <div data-side={which} className={cx('absolute', below ? 'pointer-events-none' : 'z-1')} style={{ left, top, width, height }}>
      <Easel
        $frame={comparer.$framesOf[which]!}
        $view={comparer.$view}
        aspect={width / height}
        {...{ shapes, name, wheel }}
        drawing={below ? undefined : drawing}
        onTap={comparer.toggle}
      />
      {children}
    </div>
  )
}

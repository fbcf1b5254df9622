import { type ComponentType, lazy, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { ErrorState } from './empty-and-error-states.tsx'

interface Props {
  onClose?: () => void
}
type Load = () => Promise<{ default: ComponentType<Props> }>
const TITLE = 'This part did not load'
const WHY = 'Nothing was lost. Check your connection, then try again.'
/** Parts that came after all. */
const came = new WeakMap<Load, ComponentType<Props>>()

/** A newer version may be served by now, with its parts under other names: the page begins anew, if the server is there to give it. */
const anew = () =>
  fetch(location.href, { method: 'HEAD' }).then(
    answer => answer.ok && location.reload(),
    () => {},
  )

function Missing({ load, props }: { load: Load; props: Props }) {
  const [Part, setPart] = useState(() => came.get(load))
  const [failed, setFailed] = useState(false)
  const again = () =>
    load().then(found => {
      came.set(load, found.default)
      setPart(() => found.default)
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it appears
  useEffect(() => {
    if (!Part) again().catch(() => setFailed(true))
  }, [])
  if (Part) return <Part {...props} />
  const said = (
    <ErrorState
      title={TITLE}
      error={WHY}
      retry={() => again().catch(anew)}
      action={
        props.onClose && (
          <Button variant="quiet" onClick={props.onClose}>
            Close
          </Button>
        )
      }
    />
  )
  if (!failed) return null
  return props.onClose ? <div className="fixed inset-x-4 bottom-4 z-50 mx-auto max-w-md rounded-card shadow-float">{said}</div> : said
}

/**
 * `lazy`, for a part that may not come: without a connection, or after a new version. The page around it stays, and a button tries again: in its place,
 * or over the page for a dialog, which is what can be closed (`onClose`).
 */
export const lazyWithRetry: typeof lazy = load => {
  const part = load as unknown as Load
  return lazy(() => part().catch(() => ({ default: (props: Props) => <Missing load={part} props={props} /> }))) as never
}

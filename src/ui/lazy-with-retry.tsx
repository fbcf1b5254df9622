import { type ComponentType, lazy, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { ErrorState } from './empty-and-error-states.tsx'

interface Props {
  onClose?: () => void
}
type Load = () => Promise<{ default: ComponentType<Props> }>
const TITLE = 'This part of the page did not load'
const WHY = 'Nothing was lost. Check your connection, then try again.'
/** Components that loaded in a retry. */
const loaded = new WeakMap<Load, ComponentType<Props>>()

/** Reloads the page if the server is reachable: a deployment changes the names of the scripts. */
const reloadPage = () =>
  fetch(location.href, { method: 'HEAD' }).then(
    answer => answer.ok && location.reload(),
    () => {},
  )

function Missing({ load, props }: { load: Load; props: Props }) {
  const [Part, setPart] = useState(() => loaded.get(load))
  const [failed, setFailed] = useState(false)
  const again = () =>
    load().then(found => {
      loaded.set(load, found.default)
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
      retry={() => again().catch(reloadPage)}
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
 * React's `lazy` for a component whose script may fail to load, without a connection or after a deployment. The page stays, and a message with
 * "Try again" takes the component's place, or lies over the page where the component is a dialog (has `onClose`).
 */
export const lazyWithRetry: typeof lazy = load => {
  const part = load as unknown as Load
  return lazy(() => part().catch(() => ({ default: (props: Props) => <Missing load={part} props={props} /> }))) as never
}

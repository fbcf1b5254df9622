import { type ComponentType, lazy, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { ErrorState } from './empty-and-error-states.tsx'

interface Props {
  onClose?: () => void
}
type Load = () => Promise<{ default: ComponentType<Props> }>
const TITLE = 'This part of the page did not load'
const LOADING_FAILED_TEXT = 'Nothing was lost. Check your connection, then try again.'
/** Components that failed to load at first and were loaded by a retry. */
const loaded = new WeakMap<Load, ComponentType<Props>>()

/** Reloads the page if the server is reachable: a deployment may have renamed the scripts. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the component mounts
  useEffect(() => {
    if (!Part) again().catch(() => setFailed(true))
  }, [])
  if (Part) return <Part {...props} />
  const said = (
    <ErrorState
      title={TITLE}
      error={LOADING_FAILED_TEXT}
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
 * Like React's `lazy`, but handles a script that fails to load, for example without a connection or after a deployment. The rest of the
 * page stays, and a message with "Try again" replaces the component; for a dialog (a component with `onClose`), it is shown over the page.
 */
export const lazyWithRetry: typeof lazy = load => {
  const part = load as unknown as Load
  return lazy(() => part().catch(() => ({ default: (props: Props) => <Missing load={part} props={props} /> }))) as never
}

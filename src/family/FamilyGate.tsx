import { type ReactNode, useEffect, useState } from 'react'
import { call, onSessionExpired, type Reply } from '../client/api.ts'
import { errorMessage, useCommand } from '../client/command.ts'
import { useQuery } from '../client/query.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/empty-and-error-states.tsx'
import { FormError } from '../ui/field.tsx'
import { LoadingMessage } from '../ui/spinner.tsx'
import { FamilySignIn } from './FamilySignIn.tsx'

export type FamilyData = Reply<'GET /api/family'>

/** The one-time link of a letter that leads to this page. */
const tokenInAddress = () => new URLSearchParams(location.search).get('token')
/** Whether this browser has had a guardian's session: the cookie itself is hidden from scripts. */
const hasSession = () => /(?:^|;\s*)(?:__Host-)?parent=1/.test(document.cookie)

/** Takes the used link out of the address, which people share and bookmark. */
function forgetToken() {
  const address = new URL(location.href)
  address.searchParams.delete('token')
  history.replaceState(null, '', address)
}

const Column = ({ children }: { children: ReactNode }) => (
  <div className="page py-8 md:py-16">
    <div className="mx-auto flex w-full max-w-lg flex-col items-start gap-4 rounded-card border border-line bg-paper p-4 sm:p-8">
      {children}
    </div>
  </div>
)

/** Signs in by a press, so that a program that opens the links of letters uses none of them up. */
function OpenLink({ token, onOpened, onDead }: { token: string; onOpened: () => void; onDead: () => void }) {
  const command = useCommand()
  const open = async () => {
    const opened = await command.run(() => call('POST /api/family/links/{token}', { params: { token } }))
    if (opened) onOpened()
  }
  return (
    <Column>
      <h1 className="text-28">Open your family page</h1>
      <p className="text-ink-2">You stay signed in on this device until you sign out.</p>
      <Button size="lg" wide busy={command.busy} onClick={open}>
        Open
      </Button>
      <FormError>{command.message}</FormError>
      {command.error !== undefined && (
        <Button variant="secondary" onClick={onDead}>
          Send me a new link
        </Button>
      )}
    </Column>
  )
}

function Members({ children, onExpired }: { children: (family: FamilyData) => ReactNode; onExpired: () => void }) {
  const { data, error, retry } = useQuery('GET /api/family')
  useEffect(() => onSessionExpired(onExpired), [onExpired])
  if (data) return children(data)
  if (!error) return <LoadingMessage />
  return (
    <div className="page py-8">
      <ErrorState title="Your family did not load" error={errorMessage(error)} retry={retry} />
    </div>
  )
}

/**
 * A page for parents and guardians. It opens with their session, or with the one-time link in its address; to everybody else it sends a link to
 * this very page.
 */
export function FamilyGate({ children }: { children: (family: FamilyData) => ReactNode }) {
  const [state, setState] = useState<'signed-in' | 'link' | 'signed-out'>(() =>
    hasSession() ? 'signed-in' : tokenInAddress() ? 'link' : 'signed-out',
  )
  const [token] = useState(tokenInAddress)
  useEffect(() => {
    if (state === 'signed-in') forgetToken()
  }, [state])
  if (state === 'link') return <OpenLink token={token!} onOpened={() => setState('signed-in')} onDead={() => setState('signed-out')} />
  if (state === 'signed-out') {
    return (
      <Column>
        <FamilySignIn />
      </Column>
    )
  }
  // A session may have ended elsewhere while the link of a letter has not been used.
  return <Members onExpired={() => setState(token ? 'link' : 'signed-out')}>{children}</Members>
}

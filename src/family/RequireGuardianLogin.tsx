import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { callApi, type Reply, setSessionExpiredHandler } from '../client/api.ts'
import { useQuery } from '../client/query.ts'
import { removeQueryParams } from '../client/remove-query-params.ts'
import { errorMessage, useCommand } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/empty-and-error-states.tsx'
import { FormError } from '../ui/field.tsx'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { LoadingMessage } from '../ui/spinner.tsx'
import { FamilySignInLinkForm } from './FamilySignInLinkForm.tsx'

const LetterForAnotherGuardianNotice = lazyWithRetry(() => import('./LetterForAnotherGuardianNotice.tsx'))

export type FamilyData = Reply<'GET /api/family'>

/** The one-time token in the URL, from a letter's link to this page. */
const tokenInAddress = () => new URLSearchParams(location.search).get('token')
/**
 * Whether the cookie `parent` says that a guardian is signed in; the login session may have ended on the server. The session cookie itself
 * is HttpOnly, so scripts cannot read it.
 */
const hasGuardianSession = () => /(?:^|;\s*)(?:__Host-)?parent=1/.test(document.cookie)

/** Removes the token from the URL, because people share and bookmark URLs. */
const forgetToken = () => removeQueryParams('token')

const Column = ({ children }: { children: ReactNode }) => (
  <div className="page py-8 md:py-16">
    <div className="mx-auto flex w-full max-w-lg flex-col items-start gap-4 rounded-card border border-line bg-paper p-4 sm:p-8">
      {children}
    </div>
  </div>
)

/** Signs the guardian in only when a button is pressed, so that mail scanners that open links do not use up the token. */
function OpenLink({ token, onOpened, onDead }: { token: string; onOpened: () => void; onDead: () => void }) {
  const command = useCommand()
  const open = async () => {
    const opened = await command.run(() => callApi('POST /api/family/links/{token}', { params: { token } }))
    if (opened) onOpened()
  }
  return (
    <Column>
      <h1 className="text-28">Open your family page</h1>
      <p className="text-ink-2">You stay logged in on this device until you log out.</p>
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

/**
 * Reloads the page when it gets the focus and another guardian has logged in on this device in the meantime: all tabs share their cookies,
 * so this tab would act as that guardian while it shows the previous one's children and cards.
 */
function useReloadForOtherGuardian(guardian: string | undefined) {
  useEffect(() => {
    if (!guardian) return
    const check = () =>
      callApi('GET /api/family').then(
        now => now.guardian.id === guardian || location.reload(),
        () => {},
      )
    addEventListener('focus', check)
    return () => removeEventListener('focus', check)
  }, [guardian])
}

function Members({ children, onExpired }: { children: (family: FamilyData) => ReactNode; onExpired: () => void }) {
  const { data, error, retry } = useQuery('GET /api/family')
  useEffect(() => setSessionExpiredHandler(onExpired), [onExpired])
  useReloadForOtherGuardian(data?.guardian.id)
  if (data) return children(data)
  if (!error) return <LoadingMessage />
  return (
    <div className="page py-8">
      <ErrorState title="Your family did not load" error={errorMessage(error)} retry={retry} />
    </div>
  )
}

/**
 * A page for parents and guardians. It opens if they are signed in, or after they use the one-time token in the URL; everybody else can
 * request a link to this page by email. If somebody is signed in, the token is not used. A page that cannot show them what the letter
 * describes shows `unmatchedLetterNotice`, which offers to use the token, because the letter may be for another guardian who shares this
 * device. The notice is null if the URL had no token; it is loaded only when it is shown.
 */
export function RequireGuardianLogin({ children }: { children: (family: FamilyData, unmatchedLetterNotice: ReactNode) => ReactNode }) {
  const [state, setState] = useState<'signed-in' | 'link' | 'other-guardian' | 'signed-out'>(() =>
    hasGuardianSession() ? 'signed-in' : tokenInAddress() ? 'link' : 'signed-out',
  )
  // Null once the token has signed somebody in, because it works only once.
  const [token, setToken] = useState(tokenInAddress)
  useEffect(() => {
    if (state === 'signed-in') forgetToken()
  }, [state])
  const signIn = () => {
    setToken(null)
    setState('signed-in')
  }
  if (state === 'link' || state === 'other-guardian') {
    // After another guardian, the page reloads, because everything fetched so far is that guardian's data.
    const onOpened = state === 'link' ? signIn : () => location.reload()
    return <OpenLink token={token!} onOpened={onOpened} onDead={() => setState('signed-out')} />
  }
  if (state === 'signed-out') {
    return (
      <Column>
        <FamilySignInLinkForm />
      </Column>
    )
  }
  // If the session has ended and the page was opened from a letter, the letter's link can still sign the guardian in.
  return (
    <Members onExpired={() => setState(token ? 'link' : 'signed-out')}>
      {family =>
        children(
          family,
          token && (
            <Suspense>
              <LetterForAnotherGuardianNotice email={family.guardian.email} onOpen={() => setState('other-guardian')} />
            </Suspense>
          ),
        )
      }
    </Members>
  )
}

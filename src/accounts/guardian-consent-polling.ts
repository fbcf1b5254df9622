import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { callApi } from '../client/api.ts'
import { $user, setUser, type User } from '../client/login-session.ts'
import { toast } from '../ui/toast.ts'

/** How often an open page polls for the guardian's answer. */
const ANSWER_POLL_MS = 5000
/** How often an open page checks whether the guardian has withdrawn consent. */
const WITHDRAWAL_POLL_MS = 15_000

/** Whether this account's parent or guardian still has to agree before a folder can be assigned. False for players of age. */
export const isGuardianConsentMissing = ({ guardian }: Pick<User, 'guardian'>) => guardian !== null && guardian !== 'confirmed'

/**
 * While the page is visible, keeps the answer of a signed-in minor's guardian current, so that the page shows a new answer or a withdrawal
 * without a reload. Does nothing for players of age.
 */
export function usePollGuardianConsent() {
  const before = useStore($user)?.guardian ?? null
  useEffect(() => {
    if (before === null) return
    const ask = async () => {
      if (document.hidden) return
      const now = await callApi('GET /api/user').catch(() => null)
      if (!now || now.guardian === before) return
      setUser(now)
      if (now.guardian === 'confirmed') toast({ title: 'Your parent or guardian agreed', description: 'You can assign your folders now.' })
    }
    const timer = setInterval(ask, before === 'confirmed' ? WITHDRAWAL_POLL_MS : ANSWER_POLL_MS)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [before])
}
